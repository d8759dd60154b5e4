import { routes } from '@godwit/contract/table'
import type { AdminGroup } from '@godwit/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import type { FormSchema } from '../../../ui/form/index.ts'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import {
  type FilterField,
  filterFields,
  filtersFrom,
  filterValuesOf,
  speedFields,
  speedOf,
  type SpeedValues,
  speedValuesOf,
  weightOf,
} from '../transfer-limits/index.ts'
import { GROUPS, useGroup } from './groups-source.ts'

const LIST = '/admin/groups'

/** How fast all transfers of a group's library are, what part of it each member has, and what members do not send. */
export function GroupTransferPage() {
  const texts = useTexts()
  const { groupId }: { readonly groupId?: string } = useParams({ strict: false })
  const query = useGroup(Number(groupId))
  const back = { to: LIST, label: texts('console-groups.title') }
  return (
    <LoadedPage title={texts('console-groups.transfer')} back={back} query={query}>
      {(group) => <TransferForm key={group.id} group={group} back={back} />}
    </LoadedPage>
  )
}

interface TransferFormProps {
  readonly group: AdminGroup
  readonly back: { readonly to: string; readonly label: string }
}

function TransferForm({ group, back }: TransferFormProps) {
  const { id, name, revision: first } = group
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const refresh = useRefresh(GROUPS)
  const revision = useRef(first)
  const params = { groupId: id }
  return (
    <FormPage<TransferField>
      title={texts('console-groups.transfer.title', { name })}
      help={texts('console-groups.transfer.help')}
      back={back}
      schema={schemaOf(texts)}
      initial={valuesOf(group)}
      submitLabel={texts('common.save')}
      onSend={async (values) => {
        const { ways: _, ...transfer } = filtersFrom(values)
        const body = { revision: revision.current, speed: speedOf(values), weight: weightOf(values), transfer }
        await api.call(routes.adminGroups.edit, { params, body })
      }}
      onConflict={async () => {
        const { group: now } = await api.call(routes.adminGroups.get, { params })
        revision.current = now.revision
        return valuesOf(now)
      }}
      onSaved={() => {
        void refresh()
        messages.notify('success', texts('console-groups.transfer.done', { name }))
        void navigate({ to: LIST })
      }}
      onCancel={() => void navigate({ to: LIST })}
    />
  )
}

type TransferField = keyof SpeedValues | FilterField

function schemaOf(texts: Texts): FormSchema<TransferField> {
  const { ways, ...filters } = filterFields<TransferField>({ texts, own: texts('console-groups.filters.own') })
  const hints = { hint: texts('console-groups.speed.hint'), weightHint: texts('console-groups.weight.hint') }
  // By browser or client is up to each member.
  return { ...speedFields<TransferField>({ texts, ...hints }), ...filters, ways: { ...ways, isHidden: () => true } }
}

function valuesOf(group: AdminGroup): Readonly<Record<TransferField, string>> {
  return { ...speedValuesOf(group), ...filterValuesOf({ ...group.transfer, ways: null }) }
}
