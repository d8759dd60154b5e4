import { routes } from '@godwit/contract/table'
import { isAccount, isEmail } from '@godwit/contract/field-rules'
import { encodePassword } from '@godwit/contract/passwords'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { useForm } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CardPage } from '../../../ui/card-page.tsx'
import { FailureNotice } from '../../../ui/failure-notice.tsx'
import { Form } from '../../../ui/form.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { LanguageSwitch, pageBackground, productName, useSite, useTabTitle } from '../../foundation/site/index.ts'
import { signedIn } from '../auth/index.ts'
import { NewPasswordFields, newPasswordFaults } from '../passwords/index.ts'
import { tokenInFragment } from './token-in-fragment.ts'

/** Shown until the first administrator exists; works with the one-time token that the start prints. */
export function SetupPage({ onDone }: { readonly onDone: () => void }) {
  const texts = useTexts()
  const site = useSite()
  const title = texts('setup.title', { product: productName(site, texts) })
  useTabTitle(title)
  return (
    <CardPage title={title} lead={texts('setup.lead')} background={pageBackground(site)} foot={<LanguageSwitch />}>
      <SetupForm onDone={onDone} />
    </CardPage>
  )
}

function SetupForm({ onDone }: { readonly onDone: () => void }) {
  const texts = useTexts()
  const { api, session, clock } = useServices()
  const { passwordPreset: preset } = useSite()
  const form = useForm({
    initial: { token: tokenInFragment(location.hash) ?? '', account: 'admin', email: '', password: '', repeat: '' },
    faultsOf: ({ token, account, email, ...fresh }) => ({
      token: token.trim() === '' ? texts('common.required') : undefined,
      account: isAccount(account) ? undefined : texts('setup.account-hint'),
      email: isEmail(email.trim()) ? undefined : texts('email.invalid'),
      ...newPasswordFaults(fresh, { account, preset }, texts),
    }),
    async send({ token, account, email, password }) {
      const body = { token: token.trim(), account, email: email.trim(), password: encodePassword(password) }
      session.set(signedIn(await api.call(routes.setup.create, { body }, { token: null }), clock))
      onDone()
    },
  })
  const code = { autoCapitalize: 'none', spellCheck: false, autoComplete: 'off', required: true } as const
  return (
    <Form onSubmit={form.submit}>
      <FailureNotice failure={form.failure} />
      <TextField {...form.field('token')} {...code} label={texts('setup.token')} hint={texts('setup.token-hint')} />
      <TextField
        {...form.field('account')}
        {...code}
        autoComplete="username"
        label={texts('setup.account')}
        hint={texts('setup.account-hint')}
      />
      <TextField {...form.field('email')} type="email" autoComplete="email" label={texts('email.label')} required />
      <NewPasswordFields form={form} rule={{ account: form.values.account, preset }} />
      <Button kind="solid" size="large" type="submit" disabled={form.isBusy}>
        {texts(form.isBusy ? 'setup.submitting' : 'setup.submit')}
      </Button>
    </Form>
  )
}
