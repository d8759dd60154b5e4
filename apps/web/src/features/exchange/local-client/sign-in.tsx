import type { LocalSignIn } from '@godwit/contract'
import { typedServer } from '@godwit/contract/exchange/client-address'
import { ExternalLink } from 'lucide-react'
import { type SyntheticEvent, useState } from 'react'
import { useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import styles from './local.module.css'
import type { Act } from './use-local-client.ts'

interface SignInProps {
  readonly signIn: LocalSignIn | null
  /** Stands in the field. */
  readonly server: string
  readonly act: Act
  /** The person does not want to sign in there. */
  readonly onRefuse?: () => void
}

/** Signs in to a server; it hears nothing before the person says so. */
export function SignIn({ signIn, server, act, onRefuse }: SignInProps) {
  const texts = useTexts()
  if (signIn?.state === 'waiting') return <Code signIn={signIn} act={act} />
  return (
    <>
      {signIn !== null && (
        <Notice kind="error">{texts(`local.sign-in.${signIn.state}`, { server: signIn.server })}</Notice>
      )}
      <SignInForm {...{ server, act, onRefuse }} />
    </>
  )
}

function SignInForm({
  server,
  act,
  onRefuse,
}: Pick<SignInProps, 'server' | 'act'> & { onRefuse: SignInProps['onRefuse'] | undefined }) {
  const texts = useTexts()
  const [typed, setTyped] = useState(server)
  const [isWrong, setWrong] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const wanted = typedServer(typed)
    setWrong(wanted === undefined)
    if (wanted === undefined) return
    setBusy(true)
    await act({ action: 'sign-in', server: wanted })
    setBusy(false)
  }
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <TextField
        label={texts('local.sign-in.server')}
        hint={texts('local.sign-in.server-hint')}
        error={isWrong ? texts('local.sign-in.server-wrong') : undefined}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        translate="no"
        value={typed}
        maxLength={512}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className={styles['actions']}>
        <Button
          type="submit"
          kind={onRefuse === undefined ? 'outline' : 'solid'}
          disabled={typed.trim() === '' || isBusy}
        >
          {texts('local.sign-in.begin')}
        </Button>
        {onRefuse !== undefined && <Button onClick={onRefuse}>{texts('local.sign-in.refuse')}</Button>}
      </div>
    </form>
  )
}

function Code({ signIn, act }: { readonly signIn: LocalSignIn; readonly act: Act }) {
  const texts = useTexts()
  return (
    <div className={styles['form']} role="status">
      <p>{texts('local.sign-in.confirm', { server: signIn.server })}</p>
      <p className={styles['code']} translate="no" data-testid="user-code">
        {signIn.userCode}
      </p>
      <div className={styles['actions']}>
        <a className={styles['link']} href={signIn.url} target="_blank" rel="noreferrer">
          <ExternalLink size={16} aria-hidden="true" />
          {texts('local.sign-in.open')}
        </a>
        <Button onClick={() => void act({ action: 'sign-in-stop' })}>{texts('common.cancel')}</Button>
      </div>
    </div>
  )
}
