import { type Texts, useTexts } from '../../../lib/texts.tsx'
import type { FormState } from '../../../lib/use-form.ts'
import { PasswordField } from '../../../ui/password-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useAccount } from '../auth/index.ts'

/** The password, asked again before the ways to sign in change. */
export function ProvePassword({ form }: { readonly form: Pick<FormState<'password'>, 'field'> }) {
  const texts = useTexts()
  const { account } = useAccount().user
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={account} readOnly hidden />
      <PasswordField
        {...form.field('password')}
        label={texts('security.prove.password')}
        autoComplete="current-password"
        required
      />
    </>
  )
}

/** A code of the app or a recovery code, asked where the second step itself changes. */
export function ProveCode({ form }: { readonly form: Pick<FormState<'code'>, 'field'> }) {
  const texts = useTexts()
  return (
    <TextField
      {...form.field('code')}
      label={texts('security.prove.code')}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={32}
      required
    />
  )
}

export function passwordMissing(password: string, texts: Texts): string | undefined {
  return password === '' ? texts('sign-in.password-required') : undefined
}

export function codeMissing(code: string, texts: Texts): string | undefined {
  return code.trim() === '' ? texts('security.prove.code-required') : undefined
}
