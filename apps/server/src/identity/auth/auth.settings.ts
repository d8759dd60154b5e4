import { oneOf, onOff, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting, type SettingValues } from '../../kernel/setting.ts'

const SECURITY = { tab: 'security' } as const

/** Who signs in with a second factor, whatever they like: nobody, whoever administers something, everybody. */
export const FACTOR_FOR = { nobody: 0, administrators: 1, everybody: 2 } as const

/** What people may do themselves, and what a sign-in asks for. */
export const AUTH_SETTINGS = defineSettings({
  /** Off: whoever signs in from another address ends the sessions from before. */
  multiIpSwitch: setting(onOff(1), { tab: 'more' }),
  emailVerificationSwitch: setting(onOff(0), SECURITY),
  'security.secondFactor': setting(oneOf(Object.values(FACTOR_FOR), FACTOR_FOR.nobody), SECURITY),
  resetPasswordSwitch: setting(onOff(0), SECURITY),
  userPwdSwitch: setting(onOff(1), SECURITY),
  /** Days for which the link in an invitation can be used. */
  'security.invitationDays': setting(whole(1, 90).default(7), SECURITY),
})
export type AuthSwitches = SettingValues<typeof AUTH_SETTINGS>
