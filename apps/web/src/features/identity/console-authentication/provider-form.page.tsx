import { routes } from '@godwit/contract/table'
import type { AuthProvider } from '@godwit/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { failedStep, type ProofOutcome, ProofResult } from './proof-result.tsx'
import {
  DIRECTORY_FORM,
  HTTP_FORM,
  MAIL_LOGIN_FORM,
  type ProviderForm,
  SAML_FORM,
  SIGN_ON_FORM,
  UNIX_FORM,
} from './provider-kinds.ts'
import { PROVIDERS, useProvider } from './providers-source.ts'
import { SignOnAddresses } from './sign-on-addresses.tsx'
import { useTargets } from './use-targets.ts'

const LIST = '/admin/authentication'

/** Adds a directory. */
export function NewProviderPage() {
  return useTextBundle('authentication') ? <NewForm form={DIRECTORY_FORM} /> : null
}

/** Adds an identity provider. */
export function NewSignOnPage() {
  return useTextBundle('authentication') ? <NewForm form={SIGN_ON_FORM} /> : null
}

/** Adds an identity provider that speaks SAML. */
export function NewSamlPage() {
  return useTextBundle('authentication') ? <NewForm form={SAML_FORM} /> : null
}

/** Adds an external service. */
export function NewHttpPage() {
  return useTextBundle('authentication') ? <NewForm form={HTTP_FORM} /> : null
}

/** Adds a mail server. */
export function NewMailLoginPage() {
  return useTextBundle('authentication') ? <NewForm form={MAIL_LOGIN_FORM} /> : null
}

/** Adds the accounts of the operating system. */
export function NewUnixPage() {
  return useTextBundle('authentication') ? <NewForm form={UNIX_FORM} /> : null
}

function NewForm<Name extends string>({ form }: { readonly form: ProviderForm<Name> }) {
  const texts = useTexts()
  const { api } = useServices()
  const test = useTest(form, undefined)
  const name = useRef('')
  const leave = useLeave('authentication.add.done')
  return (
    <FormPage
      title={texts(form.add)}
      help={texts('authentication.add.help')}
      back={useBack()}
      schema={form.schema({ texts, hasSecret: false, targets: useTargets() })}
      tabs={form.tabs(texts)}
      initial={form.fresh}
      submitLabel={texts(form.add)}
      other={test.other}
      onSend={async (values) => {
        name.current = (await api.call(routes.adminAuthentication.add, { body: form.newOf(values) })).provider.name
      }}
      onSaved={() => leave(name.current)}
      onCancel={() => leave()}
    >
      <SignOnAddresses addresses={form.addresses} />
      {test.outcome !== undefined && <ProofResult outcome={test.outcome} />}
    </FormPage>
  )
}

/** Changes a provider. */
export function EditProviderPage() {
  const texts = useTexts()
  const hasTexts = useTextBundle('authentication')
  const { providerId }: { readonly providerId?: string } = useParams({ strict: false })
  const query = useProvider(providerId === undefined ? undefined : Number(providerId))
  const back = useBack()
  if (!hasTexts) return null
  return (
    <LoadedPage title={texts('authentication.edit')} back={back} query={query}>
      {(provider) => {
        if (provider === null) return <Gone />
        switch (provider.source.kind) {
          case 'ldap':
            return <EditForm key={provider.id} form={DIRECTORY_FORM} provider={provider} />
          case 'oidc':
            return <EditForm key={provider.id} form={SIGN_ON_FORM} provider={provider} />
          case 'saml':
            return <EditForm key={provider.id} form={SAML_FORM} provider={provider} />
          case 'http':
            return <EditForm key={provider.id} form={HTTP_FORM} provider={provider} />
          case 'email':
            return <EditForm key={provider.id} form={MAIL_LOGIN_FORM} provider={provider} />
          case 'unix':
            return <EditForm key={provider.id} form={UNIX_FORM} provider={provider} />
        }
      }}
    </LoadedPage>
  )
}

/** Somebody removed it meanwhile. */
function Gone() {
  const texts = useTexts()
  return <p role="alert">{texts('authentication.gone')}</p>
}

interface EditFormProps<Name extends string> {
  readonly form: ProviderForm<Name>
  readonly provider: AuthProvider
}

function EditForm<Name extends string>({ form, provider }: EditFormProps<Name>) {
  const texts = useTexts()
  const { api } = useServices()
  const params = { providerId: provider.id }
  const revision = useRef(provider.revision)
  const test = useTest(form, provider.id)
  const name = useRef('')
  const leave = useLeave('authentication.edit.done')
  const initial = form.valuesOf(provider) ?? form.fresh
  return (
    <FormPage
      title={texts('authentication.edit.of', { name: provider.name })}
      back={useBack()}
      schema={form.schema({ texts, hasSecret: provider.hasSecret, targets: useTargets() })}
      tabs={form.tabs(texts)}
      initial={initial}
      submitLabel={texts('common.save')}
      other={test.other}
      onSend={async (values, base) => {
        const body = form.changeOf(values, base, revision.current)
        name.current = (await api.call(routes.adminAuthentication.edit, { params, body })).provider.name
      }}
      onConflict={async () => {
        const { providers } = await api.call(routes.adminAuthentication.list, {})
        const now = providers.find(({ id }) => id === provider.id) ?? provider
        revision.current = now.revision
        return form.valuesOf(now) ?? initial
      }}
      onSaved={() => leave(name.current)}
      onCancel={() => leave()}
    >
      <SignOnAddresses addresses={form.addresses} />
      {test.outcome !== undefined && <ProofResult outcome={test.outcome} />}
    </FormPage>
  )
}

/** Tests what the form holds, with the sign-in of somebody when an account is typed. */
function useTest<Name extends string>(form: ProviderForm<Name>, providerId: number | undefined) {
  const texts = useTexts()
  const { api } = useServices()
  const [outcome, setOutcome] = useState<ProofOutcome>()
  const run = async (values: Readonly<Record<Name, string>>): Promise<void> => {
    setOutcome(undefined)
    try {
      const body = form.triedOf(values, providerId)
      setOutcome({ proof: await api.call(routes.adminAuthentication.tryOut, { body }) })
    } catch (error) {
      setOutcome({ failed: failedStep(error) })
      throw error
    }
  }
  return { outcome, other: { label: texts('authentication.test'), busyLabel: texts('authentication.test.busy'), run } }
}

/** Back to the list; with the name of what was saved, that is said there. */
function useLeave(text: 'authentication.add.done' | 'authentication.edit.done') {
  const texts = useTexts()
  const navigate = useNavigate()
  const { messages } = useServices()
  const refresh = useRefresh(PROVIDERS)
  return (name?: string): void => {
    if (name !== undefined) {
      void refresh()
      messages.notify('success', texts(text, { name }))
    }
    void navigate({ to: LIST })
  }
}

function useBack(): { readonly to: string; readonly label: string } {
  return { to: LIST, label: useTexts()('authentication.title') }
}
