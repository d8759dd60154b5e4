import { routes } from '@godwit/contract/table'
import type { AuthProvider } from '@godwit/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowUp, ChevronDown, KeyRound, Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormDialog } from '../../../ui/form/index.ts'
import { MenuButton, MenuEntries } from '../../../ui/menu.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import styles from './authentication.module.css'
import { PROVIDERS, providersSource, useStartSync } from './providers-source.ts'

const SHAPE = consoleShape({ sort: { by: 'order', order: 'asc' }, sortable: [], filters: [] })

/** What is no directory. */
const OTHERS = [
  {
    id: 'add-sign-on',
    label: 'authentication.add-sign-on',
    hint: 'authentication.type.oidc',
    to: '/admin/authentication/new-provider',
  },
  {
    id: 'add-saml',
    label: 'authentication.add-saml',
    hint: 'authentication.type.saml',
    to: '/admin/authentication/new-saml',
  },
  {
    id: 'add-http',
    label: 'authentication.add-http',
    hint: 'authentication.add-http.hint',
    to: '/admin/authentication/new-http',
  },
  {
    id: 'add-email',
    label: 'authentication.add-email',
    hint: 'authentication.add-email.hint',
    to: '/admin/authentication/new-email',
  },
  {
    id: 'add-unix',
    label: 'authentication.add-unix',
    hint: 'authentication.add-unix.hint',
    to: '/admin/authentication/new-unix',
  },
] as const

/** Where passwords are checked besides the server itself, in their order. */
export function ProvidersPage() {
  return useTextBundle('authentication') ? <Providers /> : null
}

function Providers() {
  const texts = useTexts()
  const navigate = useNavigate()
  const [removed, setRemoved] = useState<AuthProvider>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  return (
    <>
      <ListPage
        name="authentication"
        title={texts('authentication.title')}
        help={texts('authentication.help')}
        actions={
          <>
            <Button onClick={() => void navigate({ to: '/admin/authentication/scim' })}>
              {texts('authentication.scim')}
            </Button>
            <Button onClick={() => void navigate({ to: '/admin/authentication/syncs' })}>
              {texts('authentication.syncs')}
            </Button>
            <AddButtons />
          </>
        }
        source={providersSource}
        shape={SHAPE}
        filters={[]}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        rowActions={useRowActions(setRemoved)}
        empty={{
          icon: <KeyRound size={28} />,
          title: texts('authentication.empty.title'),
          text: texts('authentication.empty.text'),
          action: (
            <div className={styles['actions']}>
              <AddButtons />
            </div>
          ),
        }}
      />
      {removed !== undefined && <RemoveDialog provider={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

/** A directory, or what is none. */
function AddButtons() {
  const texts = useTexts()
  const navigate = useNavigate()
  return (
    <>
      <MenuButton
        align="end"
        trigger={
          <Button>
            {texts('authentication.add-other')}
            <ChevronDown size={16} aria-hidden="true" />
          </Button>
        }
      >
        <MenuEntries
          entries={OTHERS.map(({ id, label, hint, to }) => ({
            ...{ id, label: texts(label), hint: texts(hint), run: () => void navigate({ to }) },
          }))}
        />
      </MenuButton>
      <Button kind="solid" onClick={() => void navigate({ to: '/admin/authentication/new' })}>
        {texts('authentication.add')}
      </Button>
    </>
  )
}

function useRowActions(remove: (provider: AuthProvider) => void): ReadonlyArray<Action<AuthProvider>> {
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const refresh = useRefresh(PROVIDERS)
  const startSync = useStartSync()
  const moveUp = async ({ id }: AuthProvider): Promise<void> => {
    const { providers } = await api.call(routes.adminAuthentication.list, {})
    const ids = providers.map((provider) => provider.id)
    const at = ids.indexOf(id)
    if (at > 0) ids.splice(at - 1, 2, id, ids[at - 1] ?? id)
    await api.call(routes.adminAuthentication.order, { body: { providerIds: ids } })
    await refresh()
  }
  return [
    {
      name: 'sync-provider',
      label: 'authentication.sync',
      group: 'general',
      icon: RefreshCw,
      // An identity provider gives no list of its people.
      when: ({ source }) => source.kind === 'ldap',
      run: ({ id }) => void startSync(id, { dryRun: true }),
    },
    {
      name: 'edit-provider',
      label: 'authentication.edit',
      group: 'general',
      icon: Pencil,
      run: ({ id }) => void navigate({ to: `/admin/authentication/${id}` }),
    },
    {
      name: 'raise-provider',
      label: 'authentication.up',
      group: 'general',
      icon: ArrowUp,
      run: (provider) => void moveUp(provider).catch((error: unknown) => messages.fail(error, texts)),
    },
    { name: 'remove-provider', label: 'authentication.remove', group: 'general', icon: Trash2, run: remove },
  ]
}

function RemoveDialog({ provider: { id, name, accounts }, onClose }: { provider: AuthProvider; onClose: () => void }) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(PROVIDERS)
  return (
    <FormDialog
      title={texts('authentication.remove.title', { name })}
      text={texts('authentication.remove.text', { count: accounts })}
      submitLabel={texts('authentication.remove')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.adminAuthentication.remove, { body: { providerId: id } })
        void refresh()
        messages.notify('success', texts('authentication.remove.done', { name }))
      }}
    />
  )
}

/** Where a provider is asked. */
function placeOf({ kind, settings }: AuthProvider['source']): string {
  switch (kind) {
    case 'ldap':
    case 'email':
      return settings.host
    case 'oidc':
      return new URL(settings.issuer).host
    case 'saml':
      // Metadata that was pasted has no address.
      return settings.metadataUrl === '' ? '' : new URL(settings.metadataUrl).host
    case 'http':
      return new URL(settings.url).host
    case 'unix':
      return `PAM: ${settings.service}`
  }
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AuthProvider>> {
  const kindOf = ({ source: { kind, settings } }: AuthProvider) =>
    texts(kind === 'ldap' ? `authentication.type.${settings.serverType}` : `authentication.type.${kind}`)
  const hostOf = ({ source }: AuthProvider) => placeOf(source)
  const scheduleOf = ({ source: { kind, settings } }: AuthProvider) => {
    // Nothing else gives a list of its people.
    if (kind !== 'ldap') return ''
    return settings.syncMinutes === 0
      ? texts('authentication.schedule.0')
      : texts('authentication.schedule.minutes', { minutes: settings.syncMinutes })
  }
  return [
    {
      id: 'name',
      header: texts('authentication.name'),
      narrow: 'title',
      width: 'minmax(150px, 1fr)',
      text: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to={`/admin/authentication/${id}`} translate="no">
          {name}
        </Link>
      ),
    },
    {
      id: 'state',
      header: texts('authentication.state'),
      width: '110px',
      text: ({ enabled }) => texts(enabled ? 'authentication.on' : 'authentication.off'),
      cell: ({ enabled }) => (
        <Tag tone={enabled ? 'good' : 'plain'}>{texts(enabled ? 'authentication.on' : 'authentication.off')}</Tag>
      ),
    },
    { id: 'type', header: texts('authentication.type'), width: '170px', text: kindOf, cell: kindOf },
    {
      id: 'host',
      header: texts('authentication.host'),
      width: 'minmax(160px, 1fr)',
      text: hostOf,
      cell: (provider) => <span translate="no">{hostOf(provider)}</span>,
    },
    { id: 'schedule', header: texts('authentication.schedule'), width: '190px', text: scheduleOf, cell: scheduleOf },
    {
      id: 'accounts',
      header: texts('authentication.accounts'),
      isNumeric: true,
      width: '110px',
      text: ({ accounts }) => String(accounts),
      cell: ({ accounts }) => accounts,
    },
  ]
}
