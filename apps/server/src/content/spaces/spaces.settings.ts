import { LIMITS } from '@godwit/contract'
import { onOff, whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const SPACE_ID_MAX = 2 ** 31 - 1

const MENU = { tab: 'menu' } as const

export const SPACE_SETTINGS = defineSettings({
  'menu.space.switch': setting(onOff(0), MENU),
  /** Where people and their desktop clients begin who are in it. */
  'menu.space.spaceId': setting(whole(1, SPACE_ID_MAX).default(LIMITS.defaultSpaceId), { tab: 'design' }),
})
