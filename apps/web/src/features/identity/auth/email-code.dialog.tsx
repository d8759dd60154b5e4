import { routes } from '@godwit/contract/table'
import { LIMITS } from '@godwit/contract/limits'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog-parts.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { CodeField, codeFault, CodeRow, mailLanguageOf, ResendButton } from '../codes/index.ts'
import styles from './sign-in.module.css'

export interface EmailCodeDialogProps {
  readonly account: string
  readonly onSubmit: (code: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks for the code that the server sends by e-mail when this opens, and again 60 seconds after the last one at the earliest. */
export function EmailCodeDialog({ account, onSubmit, onClose }: EmailCodeDialogProps) {
  const texts = useTexts()
  const codeRef = useRef<HTMLInputElement>(null)
  const sending = useSending(account)
  const form = useForm({
    initial: { code: '' },
    faultsOf: ({ code }) => ({ code: codeFault(code, texts) }),
    send: ({ code }) => onSubmit(code.trim()),
  })
  const failure = form.failure ?? sending.failure
  return (
    <Dialog
      title={texts('sign-in.code.title')}
      closeLabel={texts('common.close')}
      onClose={onClose}
      initialFocus={codeRef}
    >
      <p className={styles['text']}>{texts('sign-in.code.text')}</p>
      <Form onSubmit={form.submit}>
        <FailureNotice failure={failure} />
        <CodeRow>
          <CodeField
            {...form.field('code')}
            ref={codeRef}
            hint={texts('code.valid', { minutes: LIMITS.codeLifeMs / 60_000 })}
          />
          <ResendButton secondsLeft={sending.secondsLeft} isBusy={sending.isBusy} onSend={sending.send} />
        </CodeRow>
        <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
          {texts(form.isBusy ? 'sign-in.submitting' : 'sign-in.submit')}
        </Button>
      </Form>
    </Dialog>
  )
}

function useSending(account: string) {
  const { api } = useServices()
  const { locale } = useTexts()
  const [secondsLeft, startCountdown] = useCountdown(LIMITS.codeResendMs)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const language = useRef(mailLanguageOf(locale))
  language.current = mailLanguageOf(locale)
  const send = useCallback(async (): Promise<void> => {
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { account, language: language.current }
      await api.call(routes.auth.emailVerification, { body }, { token: null })
      startCountdown()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }, [api, account, startCountdown])
  useEffect(() => void send(), [send])
  return { secondsLeft, isBusy, failure, send: () => void send() }
}
