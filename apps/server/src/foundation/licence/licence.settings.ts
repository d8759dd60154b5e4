import { DEFAULT_EDITION, EDITION_NAMES } from '@godwit/contract'
import { z } from 'zod'
import { defineSettings, setting } from '../../kernel/setting.ts'

export const LICENCE_SETTINGS = defineSettings({
  edition: setting(z.enum(EDITION_NAMES).default(DEFAULT_EDITION), { tab: 'licence' }),
})
