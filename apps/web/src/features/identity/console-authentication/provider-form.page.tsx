import { routes } from '@godwit/contract/table'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { failedStep, type ProofOutcome, ProofResult } from './proof-result.tsx'
import { providerSchema, providerTabs } from './provider-schema.tsx'
import {
  type DirectoryProvider,
  isDirectory,
  NEW_PROVIDER,
  newProviderOf,
  providerChangeOf,
  triedProviderOf,
  type ProviderValues,
  valuesOf,
} from './provider-values.ts'
import { PROVIDERS, useProvider } from './providers-source.ts'
import { useTargets } from './use-targets.ts'

const LIST = '/admin/authentication'

/** Adds a directory. */
export function NewProviderPage() {
  return useTextBundle('authentication') ? <NewProviderForm /> : null
}

function NewProviderForm() {
  const texts = useTexts()
  const { api } = useServices()
  const test = useTest(undefined)
  const name = useRef('')
  const leave = useLeave('authentication.add.done')
  return (
    <FormPage
      title={texts('authentication.add')}
      help={texts('authentication.add.help')}
      back={useBack()}
      schema={providerSchema({ texts, hasSecret: false, targets: useTargets() })}
      tabs={providerTabs(texts)}
      initial={NEW_PROVIDER}
      submitLabel={texts('authentication.add')}
      other={test.other}
      onSend={async (values) => {
        name.current = (await api.call(routes.adminAuthentication.add, { body: newProviderOf(values) })).provider.name
      }}
      onSaved={() => leave(name.current)}
      onCancel={() => leave()}
    >
      {test.outcome !== undefined && <ProofResult outcome={test.outcome} />}
    </FormPage>
  )
}

/** Changes a directory. */
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
        return isDirectory(provider) ? <EditProviderForm key={provider.id} provider={provider} /> : <ByApi />
      }}
    </LoadedPage>
  )
}

/** Somebody removed it meanwhile. */
function Gone() {
  const texts = useTexts()
  return <p role="alert">{texts('authentication.gone')}</p>
}

function ByApi() {
  return <p>{useTexts()('authentication.by-api')}</p>
}

function EditProviderForm({ provider }: { readonly provider: DirectoryProvider }) {
  const texts = useTexts()
  const { api } = useServices()
  const params = { providerId: provider.id }
  const revision = useRef(provider.revision)
  const test = useTest(provider.id)
  const name = useRef('')
  const leave = useLeave('authentication.edit.done')
  return (
    <FormPage
      title={texts('authentication.edit.of', { name: provider.name })}
      back={useBack()}
      schema={providerSchema({ texts, hasSecret: provider.hasSecret, targets: useTargets() })}
      tabs={providerTabs(texts)}
      initial={valuesOf(provider)}
      submitLabel={texts('common.save')}
      other={test.other}
      onSend={async (values, base) => {
        const body = providerChangeOf(values, base, revision.current)
        name.current = (await api.call(routes.adminAuthentication.edit, { params, body })).provider.name
      }}
      onConflict={async () => {
        const { providers } = await api.call(routes.adminAuthentication.list, {})
        const now = providers.filter(isDirectory).find(({ id }) => id === provider.id) ?? provider
        revision.current = now.revision
        return valuesOf(now)
      }}
      onSaved={() => leave(name.current)}
      onCancel={() => leave()}
    >
      {test.outcome !== undefined && <ProofResult outcome={test.outcome} />}
    </FormPage>
  )
}

/** Tests what the form holds, with the sign-in of somebody when an account is typed. */
function useTest(providerId: number | undefined) {
  const texts = useTexts()
  const { api } = useServices()
  const [outcome, setOutcome] = useState<ProofOutcome>()
  const run = async (values: ProviderValues): Promise<void> => {
    setOutcome(undefined)
    try {
      const body = triedProviderOf(values, providerId)
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
