import type { Texts } from '../../../lib/texts.tsx'
import type { Field } from '../../../ui/form/index.ts'
import { useAccount } from '../auth/index.ts'

/** The password, asked again before the ways to sign in change. */
export function passwordProof<Name extends string>(texts: Texts): Field<Name> {
  return {
    kind: 'password',
    label: texts('security.prove.password'),
    isRequired: true,
    missing: texts('sign-in.password-required'),
    errors: ['OLD_PASSWORD_WRONG'],
    autoComplete: 'current-password',
  }
}

/** A code of the app or a recovery code, asked where the second step itself changes. */
export function codeProof<Name extends string>(texts: Texts): Field<Name> {
  return {
    kind: 'text',
    label: texts('security.prove.code'),
    isRequired: true,
    missing: texts('security.prove.code-required'),
    errors: ['SECOND_FACTOR_WRONG'],
    autoComplete: 'one-time-code',
    autoCapitalize: 'none',
    spellCheck: false,
    maxLength: 32,
  }
}

/** Whose password is asked, for password managers alone. */
export function UsernameHint() {
  const { account } = useAccount().user
  return <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
}
