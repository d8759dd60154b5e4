import { onOff } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const MENU = { tab: 'menu' } as const

export const FILE_SETTINGS = defineSettings({
  'menu.files.myFileSwitch': setting(onOff(1), MENU),
  'menu.files.groupFileSwitch': setting(onOff(1), MENU),
})
