import { routes } from '@godwit/contract/table'
import { LIMITS } from '@godwit/contract/limits'
import { useState } from 'react'
import { isFailure } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Notice } from '../../../ui/notice.tsx'
import type { EntryPageProps } from '../auth/index.ts'
import { mailLanguageOf } from '../codes/index.ts'
import { CodeStep, EmailStep, PasswordStep } from './forgot-password.steps.tsx'
import { EntryCard } from '../entry-card/index.ts'
import { Steps } from './steps.tsx'

type At =
  | { readonly step: 'email' }
  | { readonly step: 'code'; readonly email: string }
  | { readonly step: 'password'; readonly passToken: string }

const STEPS = ['email', 'code', 'password'] as const

/** Recovery in three steps: an address, the code that was sent there, a new password. */
export function ForgotPasswordPage({ onGo }: EntryPageProps) {
  const texts = useTexts()
  return (
    <EntryCard title={texts('forgot.title')} onGo={onGo}>
      <Recovery onDone={() => onGo('/signin')} />
    </EntryCard>
  )
}

function Recovery({ onDone }: { readonly onDone: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [at, setAt] = useState<At>({ step: 'email' })
  const [lastEmail, setLastEmail] = useState('')
  const [isSpent, setSpent] = useState(false)
  const [secondsLeft, startCountdown] = useCountdown(LIMITS.codeResendMs)
  const send = async (email: string): Promise<void> => {
    const body = { email, language: mailLanguageOf(texts.locale) }
    await api.call(routes.auth.resetSend, { body }, { token: null })
    startCountdown()
    setLastEmail(email)
    setSpent(false)
    setAt({ step: 'code', email })
  }
  const save = async (passToken: string, password: string): Promise<void> => {
    try {
      await api.call(routes.auth.resetSet, { body: { password, passToken } }, { token: null })
    } catch (error) {
      if (!isFailure(error, 'RESET_TOKEN_INVALID')) throw error
      setSpent(true)
      setAt({ step: 'email' })
      return
    }
    messages.notify('success', texts('reset.done'))
    onDone()
  }
  return (
    <>
      <Steps
        label={texts('forgot.title')}
        steps={STEPS.map((step) => texts(`forgot.step.${step}`))}
        current={STEPS.indexOf(at.step)}
      />
      {isSpent && <Notice kind="error">{texts('forgot.spent')}</Notice>}
      {at.step === 'email' && <EmailStep first={lastEmail} secondsLeft={secondsLeft} onSend={send} />}
      {at.step === 'code' && (
        <CodeStep
          email={at.email}
          secondsLeft={secondsLeft}
          onSend={send}
          onBack={() => setAt({ step: 'email' })}
          onVerified={(passToken) => setAt({ step: 'password', passToken })}
        />
      )}
      {at.step === 'password' && <PasswordStep onSave={(password) => save(at.passToken, password)} />}
    </>
  )
}
