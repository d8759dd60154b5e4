import { routes } from '@godwit/contract/table'
import { encodePassword } from '@godwit/contract/passwords'
import { useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { WaitingInside } from '../../../ui/waiting-inside.tsx'
import { useSite } from '../../foundation/site/index.ts'
import { type EntryPageProps, signedIn } from '../auth/index.ts'
import { NewPasswordFields, newPasswordFaults } from '../passwords/index.ts'
import { EntryCard } from '../entry-card/index.ts'
import { FactorSetUp, setUpTicket } from '../factor-set-up/index.ts'

export interface InvitationPageProps extends EntryPageProps {
  readonly onDone: () => void
}

/** Where the link of an invitation leads: the person chooses a password and is signed in. */
export function InvitationPage({ onGo, onDone }: InvitationPageProps) {
  const texts = useTexts()
  const { api, session, clock } = useServices()
  // What stands behind the # never leaves the browser by itself.
  const [token] = useState(() => location.hash.slice(1))
  const [account, setAccount] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const [ticket, setTicket] = useState<string>()
  useEffect(() => {
    api
      .call(routes.auth.openInvitation, { body: { token } }, { token: null })
      .then((person) => setAccount(person.account), setFailure)
  }, [api, token])
  return (
    <EntryCard
      title={texts('join.title')}
      {...(account === undefined ? {} : { lead: texts('join.lead', { account }) })}
      onGo={onGo}
    >
      {failure !== undefined && <FailureNotice failure={failure} />}
      {failure === undefined && account === undefined && <WaitingInside />}
      {account !== undefined && ticket === undefined && (
        <PasswordForm account={account} token={token} onDone={onDone} onSetUp={setTicket} />
      )}
      {ticket !== undefined && (
        <FactorSetUp
          ticket={ticket}
          onSignedIn={(reply) => {
            session.set(signedIn(reply, clock))
            onDone()
          }}
          onBack={() => onGo('/signin')}
        />
      )}
    </EntryCard>
  )
}

interface PasswordFormProps {
  readonly account: string
  readonly token: string
  readonly onDone: () => void
  /** The password is set; a second factor is asked for before the sign-in. */
  readonly onSetUp: (ticket: string) => void
}

function PasswordForm({ account, token, onDone, onSetUp }: PasswordFormProps) {
  const texts = useTexts()
  const { api, session, clock } = useServices()
  const rule = { account, preset: useSite().passwordPreset }
  const form = useForm({
    initial: { password: '', repeat: '' },
    faultsOf: (values) => newPasswordFaults(values, rule, texts),
    async send({ password }) {
      const body = { token, password: encodePassword(password) }
      try {
        session.set(signedIn(await api.call(routes.auth.acceptInvitation, { body }, { token: null }), clock))
        onDone()
      } catch (error) {
        const ticket = setUpTicket(error)
        if (ticket === undefined) throw error
        onSetUp(ticket)
      }
    },
  })
  return (
    <Form onSubmit={form.submit}>
      <FailureNotice failure={form.failure} />
      <NewPasswordFields form={form} rule={rule} autoFocus />
      <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
        {texts(form.isBusy ? 'common.saving' : 'join.submit')}
      </Button>
    </Form>
  )
}
