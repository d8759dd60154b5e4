import { LIMITS } from '@godwit/contract'
import { onOff, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'

const LINK = { tab: 'link' } as const

export const LINK_SETTINGS = defineSettings({
  'links.filesMax': setting(whole(1, 100_000).default(LIMITS.shareFilesMax), LINK),
  'links.passwordMax': setting(whole(4, 256).default(LIMITS.sharePasswordMax), LINK),
  'links.bindFirstDevice': setting(onOff(0), LINK),
  /** Whatever their owners ask for. */
  'links.bindEvery': setting(onOff(0)),
  'links.remindDays': setting(whole(0, 30).default(1), LINK),
  'links.findPeople': setting(onOff(1), LINK),
})
export type LinkRules = SettingValues<typeof LINK_SETTINGS>
