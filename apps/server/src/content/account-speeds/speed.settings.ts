import { MBPS_MAX, overlapIn, PERIODS_MAX, periodsIn, WEIGHT_MAX } from '@godwit/contract'
import { line, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const TRANSFER = { tab: 'transfer' } as const
const PERIODS_LENGTH_MAX = 1000

/** How fast all transfers of this site are together, on each server, and how those share a limit that are on it at once. */
export const SPEED_SETTINGS = defineSettings({
  'transfer.uploadMbps': setting(whole(0, MBPS_MAX).default(0), TRANSFER),
  'transfer.downloadMbps': setting(whole(0, MBPS_MAX).default(0), TRANSFER),
  'transfer.periods': setting(
    line(PERIODS_LENGTH_MAX)
      .meta({ format: 'periods' })
      .refine(
        arePeriods,
        `must be up to ${PERIODS_MAX} periods like 1-5 08:00-18:00 50/100, separated by semicolons; each ends after it starts, and none overlap`,
      ),
    TRANSFER,
  ),
  /** Twice the weight is twice the speed. */
  'transfer.weight': setting(whole(1, WEIGHT_MAX).default(10), { ...TRANSFER, scope: 'user' }),
})

function arePeriods(text: string): boolean {
  const periods = periodsIn(text)
  return periods !== undefined && periods.length <= PERIODS_MAX && overlapIn(periods) === undefined
}
