import { whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

export const FAVORITE_SETTINGS = defineSettings({
  'favorites.max': setting(whole(1, 1000).default(100), { scope: 'user', right: 'user' }),
})
