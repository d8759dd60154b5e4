import { defineSettings, setting } from '../../kernel/setting.ts'
import { whole } from '../settings/index.ts'

const DAYS_MAX = 36_500

export const LOG_SETTINGS = defineSettings({
  /** 0: for ever. */
  'log.operationDays': setting(whole(0, DAYS_MAX).default(0), { tab: 'log' }),
})
