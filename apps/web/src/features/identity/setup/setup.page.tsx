import type { setupRoutes } from '@godwit/contract'
import { encodePassword, passwordFaults } from '@godwit/contract/passwords'
import { useEffect, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import { Form } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PasswordField } from '../../../ui/password-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { productName, useSite } from '../../foundation/site/index.ts'
import { LanguageSwitch, pageBackground, signedIn } from '../auth/index.ts'
import { tokenInFragment } from './token-in-fragment.ts'

interface Fields {
  readonly token: string
  readonly account: string
  readonly email: string
  readonly password: string
  readonly repeat: string
}

type Faults = Readonly<Partial<Record<keyof Fields, string>>>

/** Shown until the first administrator exists; works with the one-time token that the start prints. */
export function SetupPage({ onDone }: { readonly onDone: () => void }) {
  const texts = useTexts()
  const site = useSite()
  const title = texts('setup.title', { product: productName(site, texts) })
  useEffect(() => {
    document.title = title
  }, [title])
  return (
    <CardPage
      title={title}
      lead={texts('setup.lead')}
      position={5}
      background={pageBackground(site)}
      foot={<LanguageSwitch />}
    >
      <SetupForm onDone={onDone} />
    </CardPage>
  )
}

function SetupForm({ onDone }: { readonly onDone: () => void }) {
  const texts = useTexts()
  const [fields, setFields] = useState<Fields>(() => ({
    token: tokenInFragment(location.hash) ?? '',
    account: 'admin',
    email: '',
    password: '',
    repeat: '',
  }))
  const [touched, setTouched] = useState<ReadonlySet<keyof Fields>>(new Set())
  const { create, isBusy, failure } = useCreate(onDone)
  const faults = faultsOf(fields, texts)
  const bind = (name: keyof Fields) => ({
    name,
    required: true,
    value: fields[name],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setFields({ ...fields, [name]: event.target.value }),
    onBlur: () => setTouched(new Set([...touched, name])),
    error: touched.has(name) ? faults[name] : undefined,
  })
  const send = (): void => {
    setTouched(new Set<keyof Fields>(['token', 'account', 'email', 'password', 'repeat']))
    const [first] = Object.keys(faults)
    if (first === undefined) void create(fields)
    else document.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus()
  }
  const eye = { showLabel: texts('sign-in.show-password'), hideLabel: texts('sign-in.hide-password') }
  const code = { autoCapitalize: 'none', spellCheck: false, autoComplete: 'off' } as const
  return (
    <Form onSubmit={send}>
      {failure !== undefined && <Notice kind="error">{texts.failure(failure)}</Notice>}
      <TextField {...bind('token')} {...code} label={texts('setup.token')} hint={texts('setup.token-hint')} />
      <TextField
        {...bind('account')}
        {...code}
        autoComplete="username"
        label={texts('setup.account')}
        hint={texts('setup.account-hint')}
      />
      <TextField {...bind('email')} type="email" autoComplete="email" label={texts('setup.email')} />
      <PasswordField
        {...bind('password')}
        {...eye}
        autoComplete="new-password"
        label={texts('setup.password')}
        hint={texts('setup.password-hint')}
      />
      <PasswordField {...bind('repeat')} {...eye} autoComplete="new-password" label={texts('setup.repeat')} />
      <Button kind="solid" size="large" type="submit" disabled={isBusy}>
        {texts(isBusy ? 'setup.submitting' : 'setup.submit')}
      </Button>
    </Form>
  )
}

const EMAIL = /^[\w.-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i

function faultsOf(fields: Fields, texts: Texts): Faults {
  const weak = passwordFaults(fields.password, fields.account)[0]
  const faults: Array<readonly [keyof Fields, string | undefined]> = [
    ['token', fields.token.trim() === '' ? texts('common.required') : undefined],
    ['account', /^\w{3,30}$/.test(fields.account) ? undefined : texts('setup.account-hint')],
    ['email', EMAIL.test(fields.email.trim()) ? undefined : texts('setup.email-invalid')],
    ['password', weak === undefined ? undefined : texts.passwordFault(weak)],
    ['repeat', fields.repeat === fields.password ? undefined : texts('setup.repeat-different')],
  ]
  return Object.fromEntries(faults.filter(([, fault]) => fault !== undefined))
}

function useCreate(onDone: () => void) {
  const { api, session, clock } = useServices()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const create = async ({ token, account, email, password }: Fields): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    try {
      const route = { method: 'POST', path: '/api/setup' } as const
      const body = { token: token.trim(), account, email: email.trim(), password: encodePassword(password) }
      session.set(signedIn(await api.call<typeof setupRoutes.create>(route, body, { token: '' }), clock))
      onDone()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { create, isBusy, failure }
}
