import type { authRoutes } from '@godwit/contract'
import { encodePassword } from '@godwit/contract/passwords'
import { useEffect, useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { productName, useSite } from '../../foundation/site/index.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { pageBackground } from './page-background.ts'
import { signedIn } from './signed-in.ts'

export function SignInPage() {
  const texts = useTexts()
  const site = useSite()
  const { session } = useServices()
  const reason = session.endReason()
  useEffect(() => {
    document.title = `${texts('sign-in.title')} - ${productName(site, texts)}`
  }, [texts, site])
  return (
    <CardPage
      title={texts('sign-in.welcome', { product: productName(site, texts) })}
      position={site.position}
      background={pageBackground(site)}
      foot={<LanguageSwitch />}
    >
      <SignInForm notice={reason === undefined ? undefined : texts(`sign-in.ended.${reason}`)} />
    </CardPage>
  )
}

interface Faults {
  readonly account?: string | undefined
  readonly password?: string | undefined
}

function SignInForm({ notice }: { readonly notice: string | undefined }) {
  const texts = useTexts()
  const [account, setAccount] = useState('')
  const [password, setPassword] = useState('')
  const [isTouched, setTouched] = useState(false)
  const { submit, isBusy, failure } = useSignIn()
  const accountRef = useRef<HTMLInputElement>(null)
  const passwordRef = useRef<HTMLInputElement>(null)
  const faults: Faults = isTouched ? faultsOf(account, password, texts) : {}
  const send = (): void => {
    setTouched(true)
    const missing = faultsOf(account, password, texts)
    if (missing.account !== undefined) accountRef.current?.focus()
    else if (missing.password !== undefined) passwordRef.current?.focus()
    else void submit(account.trim(), password).then((isIn) => !isIn && passwordRef.current?.select())
  }
  return (
    <Form onSubmit={send}>
      {failure !== undefined ? (
        <Notice kind="error">{texts.failure(failure)}</Notice>
      ) : (
        notice !== undefined && <Notice kind="info">{notice}</Notice>
      )}
      <TextField
        ref={accountRef}
        label={texts('sign-in.account')}
        required
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={account}
        onChange={(event) => setAccount(event.target.value)}
        error={faults.account}
      />
      <PasswordField
        ref={passwordRef}
        label={texts('sign-in.password')}
        showLabel={texts('sign-in.show-password')}
        hideLabel={texts('sign-in.hide-password')}
        required
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={faults.password}
      />
      <Button kind="solid" size="large" type="submit" disabled={isBusy}>
        {texts(isBusy ? 'sign-in.submitting' : 'sign-in.submit')}
      </Button>
    </Form>
  )
}

function faultsOf(account: string, password: string, texts: Texts): Faults {
  return {
    account: account.trim() === '' ? texts('sign-in.account-required') : undefined,
    password: password === '' ? texts('sign-in.password-required') : undefined,
  }
}

/** One sign-in at a time: the first press acts at once, further ones are ignored until it is answered. */
function useSignIn() {
  const { api, session, clock } = useServices()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const submit = async (account: string, password: string): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    setFailure(undefined)
    try {
      const route = { method: 'POST', path: '/api/user/login' } as const
      const body = { account, password: encodePassword(password) }
      session.set(signedIn(await api.call<typeof authRoutes.login>(route, body, { token: '' }), clock))
      return true
    } catch (error) {
      setFailure(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { submit, isBusy, failure }
}
