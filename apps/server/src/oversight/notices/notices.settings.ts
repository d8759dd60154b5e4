import { noticeType, type SystemNotice } from '@godwit/contract'
import { onOff, type Settings } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

/** Which notices the server writes by itself. Those that protect an account have no switch. */
export const NOTICE_SETTINGS = defineSettings({
  'notices.groupAdded': setting(onOff(1)),
  'notices.linkShared': setting(onOff(1)),
  'notices.linkExpiring': setting(onOff(1)),
  'notices.jobFailed': setting(onOff(1)),
  'notices.quota': setting(onOff(1)),
  'notices.cleaned': setting(onOff(1)),
  'notices.mailFailed': setting(onOff(1)),
})

/** Whether notices of a kind are sent at present. */
export async function isNoticeOn(settings: Settings, kind: SystemNotice): Promise<boolean> {
  const { setting: key } = noticeType(kind)
  if (key === undefined) return true
  const values: Readonly<Partial<Record<string, 0 | 1>>> = await settings.of(NOTICE_SETTINGS)
  return values[key] !== 0
}
