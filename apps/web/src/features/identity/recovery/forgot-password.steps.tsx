import { routes } from '@godwit/contract/table'
import { isEmail } from '@godwit/contract/field-rules'
import { LIMITS } from '@godwit/contract/limits'
import { encodePassword } from '@godwit/contract/passwords'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { CodeField, codeFault, CodeRow, ResendButton } from '../codes/index.ts'
import { NewPasswordFields, newPasswordFaults } from '../passwords/index.ts'
import styles from './recovery.module.css'

export interface EmailStepProps {
  readonly first: string
  /** Until another code may be sent; 0 = now. */
  readonly secondsLeft: number
  readonly onSend: (email: string) => Promise<void>
}

export function EmailStep({ first, secondsLeft, onSend }: EmailStepProps) {
  const texts = useTexts()
  const form = useForm({
    initial: { email: first },
    faultsOf: ({ email }) => ({
      email: email.trim() === '' ? texts('email.required') : isEmail(email.trim()) ? undefined : texts('email.invalid'),
    }),
    send: ({ email }) => onSend(email.trim()),
  })
  const isResting = secondsLeft > 0
  return (
    <Form onSubmit={form.submit}>
      <FailureNotice failure={form.failure} />
      <TextField
        {...form.field('email')}
        label={texts('email.label')}
        hint={texts('forgot.email-hint')}
        type="email"
        autoComplete="email"
        required
        autoFocus
      />
      <Button kind="solid" size="large" type="submit" disabled={form.isBusy || isResting}>
        {isResting ? texts('code.resend-in', { seconds: secondsLeft }) : texts('forgot.send')}
      </Button>
    </Form>
  )
}

export interface CodeStepProps {
  readonly email: string
  readonly secondsLeft: number
  readonly onSend: (email: string) => Promise<void>
  readonly onBack: () => void
  readonly onVerified: (passToken: string) => void
}

export function CodeStep({ email, secondsLeft, onSend, onBack, onVerified }: CodeStepProps) {
  const texts = useTexts()
  const { api } = useServices()
  const [resendFailure, setResendFailure] = useState<unknown>()
  const form = useForm({
    initial: { code: '' },
    faultsOf: ({ code }) => ({ code: codeFault(code, texts) }),
    async send({ code }) {
      const query = { email, code: code.trim() }
      const { passToken } = await api.call(routes.auth.resetVerify, { query }, { token: null })
      onVerified(passToken)
    },
  })
  const failure = form.failure ?? resendFailure
  const resend = (): void => {
    setResendFailure(undefined)
    onSend(email).catch(setResendFailure)
  }
  return (
    <Form onSubmit={form.submit}>
      <FailureNotice failure={failure} />
      <p className={styles['sent']}>
        {texts('forgot.sent')} <strong translate="no">{email}</strong>{' '}
        <Button kind="quiet" className={styles['change']} onClick={onBack}>
          {texts('forgot.change-email')}
        </Button>
      </p>
      <CodeRow>
        <CodeField
          {...form.field('code')}
          hint={texts('code.valid', { minutes: LIMITS.codeLifeMs / 60_000 })}
          autoFocus
        />
        <ResendButton secondsLeft={secondsLeft} isBusy={form.isBusy} onSend={resend} />
      </CodeRow>
      <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
        {texts('common.continue')}
      </Button>
    </Form>
  )
}

/** @param onSave takes the password as the wire has it */
export function PasswordStep({ onSave }: { readonly onSave: (password: string) => Promise<void> }) {
  const texts = useTexts()
  // Whose account it is stays unknown here; the server checks that part.
  const rule = { account: '', preset: useSite().passwordPreset }
  const form = useForm({
    initial: { password: '', repeat: '' },
    faultsOf: (values) => newPasswordFaults(values, rule, texts),
    send: ({ password }) => onSave(encodePassword(password)),
  })
  return (
    <Form onSubmit={form.submit}>
      <FailureNotice failure={form.failure} />
      <NewPasswordFields form={form} rule={rule} autoFocus />
      <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
        {texts(form.isBusy ? 'common.saving' : 'reset.submit')}
      </Button>
    </Form>
  )
}
