import { onOff } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

export const FILE_SETTINGS = defineSettings({
  'menu.files.myFileSwitch': setting(onOff(1)),
  'menu.files.groupFileSwitch': setting(onOff(1)),
})
