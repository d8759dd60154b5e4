import type { ErrorName } from '@godwit/contract/errors/catalogue'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { MEMBERS_PER_CALL } from './in-calls.ts'

/** As the contract bounds an account. */
const ACCOUNT_MAX = 64
/** A comma and a space. */
const SEPARATOR_MAX = 2

/** A field for several accounts at once, as people paste them. */
export function accountsField<Name extends string>(texts: Texts, errors: readonly ErrorName[]): Field<Name> {
  return {
    kind: 'text',
    label: texts('console-groups.member.accounts'),
    hint: texts('console-groups.member.accounts.hint'),
    isRequired: true,
    errors,
    // What a browser cuts off is the end of an account, which is somebody else's or nobody's.
    maxLength: MEMBERS_PER_CALL * (ACCOUNT_MAX + SEPARATOR_MAX),
    rule: (value) =>
      accountsOf(value).length > MEMBERS_PER_CALL ? texts('users.list-too-long', { max: MEMBERS_PER_CALL }) : undefined,
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    translate: 'no',
  }
}

/** The accounts of such a field, each once. */
export function accountsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,;，；、]+/u).filter((each) => each !== ''))]
}
