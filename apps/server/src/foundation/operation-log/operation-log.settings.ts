import { defineSettings, setting } from '../../kernel/setting.ts'
import { whole } from '../settings/index.ts'

const DAYS_MAX = 36_500
/** What somebody did is there for others to see for a while, whatever that one may set. */
const DAYS_MIN = 30

export const LOG_SETTINGS = defineSettings({
  /** 0: for ever. */
  'log.operationDays': setting(
    whole(0, DAYS_MAX)
      .refine((days) => days === 0 || days >= DAYS_MIN, `must be 0, or ${DAYS_MIN} or more`)
      .default(0),
    { tab: 'log', ofWholeLog: true },
  ),
})
