import { whole } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'

export const INTAKE_SETTINGS = defineSettings({
  /** Days; 0: as long as an upload may take at all. */
  'uploads.closeDays': setting(whole(0, 365).default(0)),
})
