import { line, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'
import { periodsIn } from './site-periods.ts'

const TRANSFER = { tab: 'transfer' } as const
const MBPS_MAX = 100_000
const PERIODS_MAX = 1000

/** How fast all transfers of this site are together, on each server. */
export const SITE_SPEEDS = defineSettings({
  'transfer.uploadMbps': setting(whole(0, MBPS_MAX).default(0), TRANSFER),
  'transfer.downloadMbps': setting(whole(0, MBPS_MAX).default(0), TRANSFER),
  'transfer.periods': setting(
    line(PERIODS_MAX).refine(
      (text) => periodsIn(text) !== undefined,
      'must be periods like 1-5 08:00-18:00 50/100, separated by semicolons; each ends after it starts',
    ),
    TRANSFER,
  ),
})
