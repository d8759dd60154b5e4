import type { SMTP_STAGES, SmtpStage, TestedMail } from '@godwit/contract'
import { isRefusal } from '../../../lib/http.ts'
import { useTexts } from '../../../lib/texts.tsx'
import { Notice } from '../../../ui/notice.tsx'
import styles from './test-outcome.module.css'

const STAGES: typeof SMTP_STAGES = ['address', 'connect', 'tls', 'sign-in', 'sender', 'recipient', 'message']

export type MailTest = { readonly tested: TestedMail } | { readonly failure: unknown }

/** How a test mail went: where it stopped in plain words, and what the mail server said, as it said it. */
export function TestOutcome({ outcome }: { readonly outcome: MailTest }) {
  const texts = useTexts()
  if ('tested' in outcome) {
    const { recipient, serverAnswer } = outcome.tested
    return (
      <Notice kind="success">
        {texts('profile.email.test-done', { recipient })}
        <Answer text={serverAnswer} />
      </Notice>
    )
  }
  const { failure } = outcome
  const data = isRefusal(failure) ? failure.data : {}
  const stage = STAGES.find((each): each is SmtpStage => each === data['stage'])
  return (
    <Notice kind="error">
      <strong>{texts('profile.email.test-failed')}</strong>{' '}
      {stage === undefined ? texts.failure(failure) : texts(`profile.email.stage.${stage}`)}
      <Answer text={data['serverAnswer']} />
    </Notice>
  )
}

function Answer({ text }: { readonly text: unknown }) {
  const texts = useTexts()
  if (typeof text !== 'string' || text === '') return null
  return (
    <dl className={styles['answer']}>
      <dt>{texts('profile.email.answer')}</dt>
      <dd translate="no">{text}</dd>
    </dl>
  )
}
