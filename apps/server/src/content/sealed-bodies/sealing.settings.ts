import { onOff } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

export const SEALING_SETTINGS = defineSettings({
  webEncryptedUploadSwitch: setting(onOff(0), { tab: 'transfer' }),
})
