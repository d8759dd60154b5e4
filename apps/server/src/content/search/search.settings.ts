import { whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

export const SEARCH_SETTINGS = defineSettings({
  /** Hours from one look through all files to the next; 0 for never. */
  'search.scanHours': setting(whole(0, 720).default(24)),
})
