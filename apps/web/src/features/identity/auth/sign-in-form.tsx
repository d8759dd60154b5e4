import { LIMITS } from '@godwit/contract/limits'
import { encodePassword } from '@godwit/contract/passwords'
import { KeyRound } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useSite } from '../../foundation/site/index.ts'
import styles from './sign-in.module.css'
import { SignOnChoices } from './sign-on-choices.tsx'
import { goOn, typedAhead } from './typed-ahead.ts'
import { usePasskeySignIn } from './use-passkey-sign-in.ts'
import type { Attempt } from './use-sign-in.ts'

export interface SignInFormProps {
  /** Why the person is here again. */
  readonly notice: string | undefined
  readonly onSubmit: (attempt: Attempt) => Promise<void>
  /** Absent while the site does not let people reset their password. */
  readonly onForgot: (() => void) | undefined
}

export function SignInForm({ notice, onSubmit, onForgot }: SignInFormProps) {
  const texts = useTexts()
  const { signOns } = useSite()
  const passkey = usePasskeySignIn()
  const { form, passwordRef, submit } = useFields(onSubmit)
  const failure = form.failure ?? passkey.failure
  return (
    <Form onSubmit={submit}>
      {failure !== undefined ? (
        <FailureNotice failure={failure} />
      ) : (
        notice !== undefined && <Notice kind="info">{notice}</Notice>
      )}
      <TextField
        {...form.field('username')}
        label={texts('sign-in.account')}
        required
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <div className={styles['password']}>
        <PasswordField
          {...form.field('password')}
          ref={passwordRef}
          label={texts('sign-in.password')}
          required
          autoComplete="current-password"
        />
        {onForgot !== undefined && <ForgotLink onForgot={onForgot} />}
      </div>
      <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
        {texts(form.isBusy ? 'sign-in.submitting' : 'sign-in.submit')}
      </Button>
      {(passkey.isOffered || signOns.length > 0) && (
        <div className={styles['or']} data-passkeys={signOns.length === 0 ? '' : undefined}>
          {texts('sign-in.or')}
        </div>
      )}
      {passkey.isOffered && <PasskeyChoice isBusy={form.isBusy || passkey.isBusy} onChoose={passkey.start} />}
      <SignOnChoices isBusy={form.isBusy || passkey.isBusy} />
    </Form>
  )
}

/** Account and password, with what was typed before the page's code was there. */
function useFields(onSubmit: SignInFormProps['onSubmit']) {
  const texts = useTexts()
  const passwordRef = useRef<HTMLInputElement>(null)
  const isFirstPress = useFirstPress()
  const [typed] = useState(typedAhead)
  const form = useForm({
    initial: { username: typed.username, password: typed.password },
    faultsOf: (values) => ({
      username: values.username.trim() === '' ? texts('sign-in.account-required') : undefined,
      password: values.password === '' ? texts('sign-in.password-required') : undefined,
    }),
    send: (values) => onSubmit({ account: values.username.trim(), password: encodePassword(values.password) }),
  })
  const { username, password } = form.values
  // A press that only shows what is missing is no press yet.
  const isComplete = username.trim() !== '' && password !== ''
  useEffect(() => {
    if (form.failure !== undefined) passwordRef.current?.select()
  }, [form.failure])
  useLayoutEffect(() => goOn(typed), [typed])
  const submit = (element: HTMLFormElement): void => {
    if (!isComplete || isFirstPress()) form.submit(element)
  }
  return { form, passwordRef, submit }
}

function PasskeyChoice({ isBusy, onChoose }: { readonly isBusy: boolean; readonly onChoose: () => void }) {
  const texts = useTexts()
  return (
    <Button size="large" onClick={onChoose} disabled={isBusy} data-passkeys="">
      <KeyRound size={18} aria-hidden="true" />
      {texts('sign-in.passkey')}
    </Button>
  )
}

function ForgotLink({ onForgot }: { readonly onForgot: () => void }) {
  const texts = useTexts()
  return (
    <a
      className={styles['forgot']}
      href="/forgot-password"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onForgot()
      }}
    >
      {texts('sign-in.forgot')}
    </a>
  )
}

/** The first press acts at once; those that follow within 500 ms of another count as the same one. */
function useFirstPress(): () => boolean {
  const { clock } = useServices()
  const lastAt = useRef(Number.NEGATIVE_INFINITY)
  return () => {
    const now = clock.now()
    const isFirst = now - lastAt.current >= LIMITS.loginDebounceMs
    lastAt.current = now
    return isFirst
  }
}
