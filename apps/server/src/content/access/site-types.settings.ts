import { LIMITS } from '@godwit/contract'
import { line } from '../../foundation/settings/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineSettings, setting } from '../../kernel/setting.ts'
import { endingsIn } from './site-types.ts'

const SECURITY = { tab: 'security' } as const
const LIST = line(LIMITS.listTextLimit - 1, 'LIST_TOO_LONG')

/** Which types of files the site takes, beside what accounts are told. */
export const SITE_TYPE_SETTINGS = defineSettings(
  { 'security.allowedTypes': setting(LIST, SECURITY), 'security.deniedTypes': setting(LIST, SECURITY) },
  (values) => {
    for (const field of ['security.allowedTypes', 'security.deniedTypes'] as const) {
      // A path or a pattern would never match an ending, and its writer would believe that it does.
      const entry = endingsIn(values[field]).find((ending) => /[*?/\\\s]/u.test(ending))
      if (entry !== undefined) throw new AppError('PARAMETER_INVALID', { field, rule: `${entry} is no file type` })
    }
  },
)
