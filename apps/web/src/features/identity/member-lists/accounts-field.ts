import type { ErrorName } from '@godwit/contract/errors/catalogue'
import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'

/** A field for several accounts at once, as people paste them. */
export function accountsField<Name extends string>(texts: Texts, errors: readonly ErrorName[]): Field<Name> {
  return {
    kind: 'text',
    label: texts('console-groups.member.accounts'),
    hint: texts('console-groups.member.accounts.hint'),
    isRequired: true,
    errors,
    maxLength: 4000,
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
