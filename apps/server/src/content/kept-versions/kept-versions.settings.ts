import { whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

const MOST = 100

export const VERSION_SETTINGS = defineSettings({
  /** Contents that a file keeps when it is replaced; 0 keeps none. */
  'versions.keep': setting(whole(0, MOST).default(0), { scope: 'group' }),
})
