import { routes } from '@godwit/contract/table'
import type { ScimConnection } from '@godwit/contract'
import { SCIM_NEW_ACCOUNTS, SCIM_PATH } from '@godwit/contract/identity/provider-types'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { useRunAlone } from '../../../lib/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmAction } from '../../../ui/confirm-action.tsx'
import { ON, type FormSchema } from '../../../ui/form/index.ts'
import { SecretShown } from '../../../ui/secret-shown.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { Facts } from '../../console-kit/facts.tsx'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { PageForm } from '../../console-kit/page-form.tsx'
import { PageFrame } from '../../console-kit/page-frame.tsx'
import { permissionField } from './provider-fields.tsx'
import { Address } from './sign-on-addresses.tsx'

const KEY = ['console', 'scim']

/** The connection by which another system keeps accounts and groups: its switch, its token, and what new accounts are like. */
export function ScimPage() {
  return useTextBundle('authentication') ? <Scim /> : null
}

function Scim() {
  const texts = useTexts()
  const { api } = useServices()
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.call(routes.adminScim.detail, {}, { signal }),
  })
  const back = { to: '/admin/authentication', label: texts('authentication.title') }
  return (
    <LoadedPage title={texts('authentication.scim')} back={back} query={query}>
      {(connection) => (
        <PageFrame title={texts('authentication.scim')} help={texts('authentication.scim.help')} back={back} isNarrow>
          <Connection connection={connection} />
        </PageFrame>
      )}
    </LoadedPage>
  )
}

function Connection({ connection }: { readonly connection: ScimConnection }) {
  const revision = useRef(connection.revision)
  const client = useQueryClient()
  const keep = (now: ScimConnection): void => {
    revision.current = now.revision
    client.setQueryData(KEY, now)
  }
  return (
    <>
      <TokenFacts connection={connection} onChange={keep} />
      <ConnectionForm connection={connection} revision={() => revision.current} onChange={keep} />
    </>
  )
}

interface ChangingProps {
  readonly connection: ScimConnection
  readonly onChange: (now: ScimConnection) => void
}

/** The token of this visit, and what makes one. */
function useToken(onChange: ChangingProps['onChange']) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [token, setToken] = useState<string>()
  const { isBusy, runAlone } = useRunAlone()
  const make = async (): Promise<void> => {
    try {
      const { token: made, ...now } = await api.call(routes.adminScim.createToken, {})
      onChange(now)
      setToken(made)
    } catch (error) {
      messages.fail(error, texts)
    }
  }
  return { token, isBusy, create: () => void runAlone(make), forget: () => setToken(undefined) }
}

function TokenFacts({ connection, onChange }: ChangingProps) {
  const texts = useTexts()
  const { token, isBusy, create, forget } = useToken(onChange)
  const [isAsking, setAsking] = useState(false)
  const { hasToken, createdAt, createdBy, usedAt, accounts } = connection
  const made = { time: formatTime((createdAt ?? 0) / 1000), account: createdBy }
  return (
    <SectionCard
      title={texts('authentication.scim.connection')}
      action={
        <Button
          kind={hasToken ? 'outline' : 'solid'}
          disabled={isBusy}
          onClick={() => (hasToken ? setAsking(true) : create())}
        >
          {texts(hasToken ? 'authentication.scim.token.replace' : 'authentication.scim.token.create')}
        </Button>
      }
    >
      <Facts
        facts={[
          { label: texts('authentication.scim.address'), value: <Address text={location.origin + SCIM_PATH} /> },
          {
            label: texts('authentication.scim.token'),
            value: texts(hasToken ? 'authentication.scim.token.made' : 'authentication.scim.token.none', made),
          },
          {
            label: texts('authentication.scim.used'),
            value: usedAt === null ? texts('authentication.scim.used.never') : formatTime(usedAt / 1000),
          },
          { label: texts('authentication.scim.accounts'), value: accounts },
        ]}
      />
      {isAsking && (
        <ConfirmAction
          title={texts('authentication.scim.token.replace.title')}
          text={texts('authentication.scim.token.replace.text')}
          submitLabel={texts('authentication.scim.token.replace')}
          onConfirm={create}
          onClose={() => setAsking(false)}
        />
      )}
      {token !== undefined && (
        <SecretShown
          title={texts('authentication.scim.token')}
          text={texts('authentication.scim.token.once')}
          label={texts('authentication.scim.token')}
          secret={token}
          onClose={forget}
        />
      )}
    </SectionCard>
  )
}

type ConnectionField = 'enabled' | 'newAccounts' | 'permission'
type ConnectionValues = Readonly<Record<ConnectionField, string>>

interface ConnectionFormProps extends ChangingProps {
  readonly revision: () => number
}

function ConnectionForm({ connection, revision, onChange }: ConnectionFormProps) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [round, setRound] = useState(0)
  return (
    <PageForm<ConnectionField>
      key={round}
      schema={schemaOf(texts)}
      initial={valuesOf(connection)}
      submitLabel={texts('common.save')}
      onSend={async (values, base) => {
        const body = { revision: revision(), ...changeOf(values, base) }
        onChange(await api.call(routes.adminScim.edit, { body }))
      }}
      onConflict={async () => {
        const now = await api.call(routes.adminScim.detail, {})
        onChange(now)
        return valuesOf(now)
      }}
      onSaved={() => messages.notify('success', texts('authentication.scim.done'))}
      onCancel={() => setRound(round + 1)}
    />
  )
}

function schemaOf(texts: Texts): FormSchema<ConnectionField> {
  return {
    enabled: {
      kind: 'switch',
      label: texts('authentication.scim.enabled'),
      hint: texts('authentication.scim.enabled.hint'),
    },
    newAccounts: {
      kind: 'select',
      label: texts('authentication.scim.new'),
      hint: texts('authentication.scim.new.hint'),
      choices: SCIM_NEW_ACCOUNTS.map((value) => ({ value, label: texts(`authentication.scim.new.${value}`) })),
    },
    permission: permissionField(texts),
  }
}

function valuesOf({ enabled, newAccounts, permission }: ScimConnection): ConnectionValues {
  return { enabled: enabled ? ON : '', newAccounts, permission: String(permission) }
}

function changeOf(values: ConnectionValues, base: ConnectionValues) {
  const newAccounts = SCIM_NEW_ACCOUNTS.find((kind) => kind === values.newAccounts)
  return {
    ...(values.enabled === base.enabled ? {} : { enabled: values.enabled === ON }),
    ...(values.newAccounts === base.newAccounts || newAccounts === undefined ? {} : { newAccounts }),
    ...(values.permission === base.permission ? {} : { permission: Number(values.permission) }),
  }
}
