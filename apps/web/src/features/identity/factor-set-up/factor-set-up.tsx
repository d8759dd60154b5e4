import type { LoginReply } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useEffect, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { WaitingInside } from '../../../ui/waiting-inside.tsx'
import { codeFault } from '../codes/index.ts'
import { RecoveryButtons, RecoveryList, Scan, type Secret } from '../factor-parts/index.ts'
import styles from './factor-set-up.module.css'

export interface FactorSetUpProps {
  /** What the refused sign-in gave. */
  readonly ticket: string
  readonly onSignedIn: (reply: LoginReply) => void
  readonly onBack: () => void
}

interface Done {
  readonly reply: LoginReply
  readonly codes: readonly string[]
}

/** Somebody with the right password gets a second factor before the sign-in is complete: secret, first code, recovery codes. */
export function FactorSetUp({ ticket, onSignedIn, onBack }: FactorSetUpProps) {
  const texts = useTexts()
  const { api } = useServices()
  const [secret, setSecret] = useState<Secret>()
  const [failure, setFailure] = useState<unknown>()
  const [done, setDone] = useState<Done>()
  useEffect(() => {
    const body = { setUp: ticket }
    api.call(routes.security.beginTotpSetUp, { body }, { token: null }).then(setSecret, setFailure)
  }, [api, ticket])
  if (done !== undefined) return <Codes codes={done.codes} onDone={() => onSignedIn(done.reply)} />
  return (
    <>
      <p className={styles['lead']}>{texts('sign-in.set-up.lead')}</p>
      {failure !== undefined && <FailureNotice failure={failure} />}
      {failure === undefined && secret === undefined && <WaitingInside />}
      {secret !== undefined && <FirstCode ticket={ticket} secret={secret} onDone={setDone} />}
      <div className={styles['back']}>
        <Button kind="quiet" onClick={onBack}>
          {texts('sign-in.factor.back')}
        </Button>
      </div>
    </>
  )
}

interface FirstCodeProps extends Pick<FactorSetUpProps, 'ticket'> {
  readonly secret: Secret
  readonly onDone: (done: Done) => void
}

function FirstCode({ ticket, secret, onDone }: FirstCodeProps) {
  const texts = useTexts()
  const { api } = useServices()
  const form = useForm({
    initial: { code: '' },
    faultsOf: ({ code }) => ({ code: codeFault(code, texts) }),
    async send({ code }) {
      const body = { setUp: ticket, code: code.trim() }
      const { recoveryCodes, ...reply } = await api.call(routes.security.setUpTotp, { body }, { token: null })
      onDone({ reply, codes: recoveryCodes })
    },
  })
  return (
    <Form onSubmit={form.submit}>
      <FailureNotice failure={form.failure} />
      <Scan secret={secret} form={form} />
      <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
        {texts(form.isBusy ? 'sign-in.submitting' : 'common.continue')}
      </Button>
    </Form>
  )
}

function Codes({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const texts = useTexts()
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <RecoveryList codes={codes} list={list} />
      <RecoveryButtons codes={codes} list={list} doneLabel={texts('common.continue')} onDone={onDone} />
    </>
  )
}
