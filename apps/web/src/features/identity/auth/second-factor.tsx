import { LIMITS } from '@godwit/contract/limits'
import { useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { CodeField, codeFault } from '../codes/index.ts'
import styles from './sign-in.module.css'

export interface SecondFactorProps {
  readonly onSubmit: (secondFactor: string) => Promise<void>
  readonly onBack: () => void
}

/** The second step of a sign-in: a code of the authenticator app, or one of the recovery codes. */
export function SecondFactor({ onSubmit, onBack }: SecondFactorProps) {
  const texts = useTexts()
  const [usesRecovery, setUsesRecovery] = useState(false)
  const Step = usesRecovery ? RecoveryStep : AppStep
  return (
    <>
      <Step onSubmit={onSubmit} />
      <div className={styles['choices']}>
        <Button kind="quiet" onClick={() => setUsesRecovery(!usesRecovery)}>
          {texts(usesRecovery ? 'sign-in.factor.use-app' : 'sign-in.factor.use-recovery')}
        </Button>
        <Button kind="quiet" onClick={onBack}>
          {texts('sign-in.factor.back')}
        </Button>
      </div>
    </>
  )
}

type StepProps = Pick<SecondFactorProps, 'onSubmit'>

function AppStep({ onSubmit }: StepProps) {
  const texts = useTexts()
  const form = useForm({
    initial: { code: '' },
    faultsOf: ({ code }) => ({ code: codeFault(code, texts) }),
    send: ({ code }) => onSubmit(code.trim()),
  })
  return (
    <Form onSubmit={form.submit}>
      <p className={styles['factor']}>{texts('sign-in.factor.lead')}</p>
      <FailureNotice failure={form.failure} />
      <CodeField {...form.field('code')} maxLength={LIMITS.codeDigits} autoFocus />
      <Submit isBusy={form.isBusy} />
    </Form>
  )
}

function RecoveryStep({ onSubmit }: StepProps) {
  const texts = useTexts()
  const form = useForm({
    initial: { recovery: '' },
    faultsOf: ({ recovery }) => ({
      recovery: recovery.trim() === '' ? texts('sign-in.factor.recovery-required') : undefined,
    }),
    send: ({ recovery }) => onSubmit(recovery.trim()),
  })
  return (
    <Form onSubmit={form.submit}>
      <p className={styles['factor']}>{texts('sign-in.factor.recovery-lead')}</p>
      <FailureNotice failure={form.failure} />
      <TextField
        {...form.field('recovery')}
        label={texts('sign-in.factor.recovery')}
        maxLength={32}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
      />
      <Submit isBusy={form.isBusy} />
    </Form>
  )
}

function Submit({ isBusy }: { readonly isBusy: boolean }) {
  const texts = useTexts()
  return (
    <Button kind="solid" size="large" type="submit" disabled={isBusy}>
      {texts(isBusy ? 'sign-in.submitting' : 'sign-in.submit')}
    </Button>
  )
}
