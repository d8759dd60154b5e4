import type { DatabaseCopyView, DatabaseTarget } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { useState } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type FormSchema, portRule, SchemaForm } from '../../../ui/form/index.ts'
import { Notice } from '../../../ui/notice.tsx'
import { SectionCard } from '../../../ui/section-card.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { DATABASE_KEY } from './database-key.ts'

type TargetField = keyof DatabaseTarget
type TargetValues = Readonly<Record<TargetField, string>>

const DEFAULT_PORT = '3306'

/** Where the database shall move to: tested field by field, and then copied to. */
export function TargetCard({ copy }: { readonly copy: DatabaseCopyView | null }) {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(DATABASE_KEY)
  const [found, setFound] = useState('')
  const known = copy?.target
  const initial = {
    ...{ address: known?.address ?? '', port: String(known?.port ?? DEFAULT_PORT), name: known?.name ?? 'godwit' },
    ...{ account: known?.account ?? '', password: '' },
  }
  return (
    <SectionCard title={texts('database.target')} lead={texts('database.target.lead')}>
      <SchemaForm
        schema={targetSchema(texts)}
        initial={initial}
        submitLabel={texts('database.copy')}
        busyLabel={texts('database.copy.beginning')}
        other={{
          label: texts('database.try'),
          busyLabel: texts('database.try.busy'),
          run: async (values) => {
            setFound('')
            const { engine, version } = await api.call(routes.database.try, { body: targetOf(values) })
            setFound(`${engine} ${version}`)
          },
        }}
        onSend={async (values) => {
          setFound('')
          await api.call(routes.database.copy, { body: targetOf(values) })
          await refresh()
        }}
      >
        {found !== '' && <Notice kind="success">{texts('database.try.good', { server: found })}</Notice>}
      </SchemaForm>
    </SectionCard>
  )
}

function targetOf({ port, password, ...texts }: TargetValues): DatabaseTarget {
  const { address, name, account } = texts
  return { address: address.trim(), port: Number(port), name: name.trim(), account: account.trim(), password }
}

function targetSchema(texts: Texts): FormSchema<TargetField> {
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, translate: 'no' } as const
  return {
    address: {
      ...{ kind: 'text', label: texts('database.address'), isRequired: true, wire: 'address', maxLength: 255 },
      ...plain,
      hint: texts('database.address.hint'),
      errors: ['MYSQL_UNSUPPORTED'],
    },
    port: {
      ...{ kind: 'text', label: texts('database.port'), isRequired: true, wire: 'port', inputMode: 'numeric' },
      ...{ isBeside: true, rule: portRule(texts), autoComplete: 'off' },
    },
    name: {
      ...{ kind: 'text', label: texts('database.name'), isRequired: true, wire: 'name', maxLength: 64 },
      ...plain,
      errors: ['DATABASE_MISSING', 'DATABASE_NOT_EMPTY'],
    },
    account: {
      ...{ kind: 'text', label: texts('database.account'), isRequired: true, wire: 'account', maxLength: 80 },
      ...plain,
      errors: ['DATABASE_RIGHTS_MISSING'],
    },
    password: {
      ...{ kind: 'password', label: texts('database.password'), wire: 'password', maxLength: 255 },
      autoComplete: 'new-password',
      errors: ['DATABASE_PASSWORD_WRONG'],
    },
  }
}
