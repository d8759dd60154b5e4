import { onOff } from '../../foundation/settings/index.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'

/** What people may do themselves, and what a sign-in asks for. */
export const AUTH_SETTINGS = defineSettings({
  emailVerificationSwitch: setting(onOff(0)),
  resetPasswordSwitch: setting(onOff(0)),
  userPwdSwitch: setting(onOff(1)),
})
export type AuthSwitches = SettingValues<typeof AUTH_SETTINGS>
