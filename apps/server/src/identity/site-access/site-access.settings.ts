import { LIMITS } from '@godwit/contract'
import { line } from '../../foundation/settings/index.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'
import { requireLists } from './site-access.policy.ts'

const SECURITY = { tab: 'security', feature: 'addressLists' } as const
const LIST = line(LIMITS.listTextLimit - 1, 'LIST_TOO_LONG')

/** From where the site may be reached. */
export const SITE_ACCESS_SETTINGS = defineSettings(
  {
    'security.allowedAddresses': setting(LIST, SECURITY),
    'security.deniedAddresses': setting(LIST, SECURITY),
  },
  requireLists,
)
