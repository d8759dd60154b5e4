import { line, oneOf, onOff, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const PATTERNS_MAX = 4096
/** MB; the largest file is far below it. */
const SIZE_MAX = 2 ** 31 - 1
const rules = { scope: 'user', tab: 'transfer' } as const
const sync = { ...rules, feature: 'sync' } as const

/** What is not transferred, and when a folder is kept in step. Inside a group its values hold instead of the person's. */
export const TRANSFER_RULES = defineSettings({
  forbidClientFilterSwitch: setting(onOff(0), rules),
  transIgnoreRegSwitch: setting(onOff(0), rules),
  transIgnoreReg: setting(line(PATTERNS_MAX), rules),
  transIgnoreSizeSwitch: setting(onOff(0), rules),
  transIgnoreSize: setting(whole(0, SIZE_MAX).default(0), rules),
  transSkipSameName: setting(onOff(0), rules),
  transSyncSwitch: setting(onOff(0), sync),
  transSyncTriggeringCondition: setting(oneOf([0, 1], 0), sync),
})

/** How an account transfers, and who sends the mails of its links. */
export const ACCOUNT_WAYS = defineSettings({
  transferType: setting(oneOf([0, 1, 2], 0), rules),
  clientPromptFiles: setting(whole(0, 1_000_000).default(100), rules),
  linkMailMode: setting(oneOf([0, 1], 0), { scope: 'user', tab: 'link' }),
})
