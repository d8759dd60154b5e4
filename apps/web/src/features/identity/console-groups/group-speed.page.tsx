import { routes } from '@godwit/contract/table'
import type { AdminGroup } from '@godwit/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import { FormPage } from '../../console-kit/form-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { speedFields, speedOf, type SpeedValues, speedValuesOf, weightOf } from '../transfer-limits/index.ts'
import { GROUPS, useGroup } from './groups-source.ts'

const LIST = '/admin/groups'

/** How fast all transfers of a group's library are, and what part of it each member has. */
export function GroupSpeedPage() {
  const texts = useTexts()
  const { groupId }: { readonly groupId?: string } = useParams({ strict: false })
  const query = useGroup(Number(groupId))
  const back = { to: LIST, label: texts('console-groups.title') }
  return (
    <LoadedPage title={texts('console-groups.speed')} back={back} query={query}>
      {(group) => <SpeedForm key={group.id} group={group} back={back} />}
    </LoadedPage>
  )
}

interface SpeedFormProps {
  readonly group: AdminGroup
  readonly back: { readonly to: string; readonly label: string }
}

function SpeedForm({ group, back }: SpeedFormProps) {
  const { id, name, revision: first } = group
  const texts = useTexts()
  const navigate = useNavigate()
  const { api, messages } = useServices()
  const refresh = useRefresh(GROUPS)
  const revision = useRef(first)
  const params = { groupId: id }
  return (
    <FormPage<keyof SpeedValues>
      title={texts('console-groups.speed.title', { name })}
      help={texts('console-groups.speed.help')}
      back={back}
      schema={speedFields({
        ...{ texts, hint: texts('console-groups.speed.hint'), weightHint: texts('console-groups.weight.hint') },
      })}
      initial={speedValuesOf(group)}
      submitLabel={texts('common.save')}
      onSend={async (values) => {
        const body = { revision: revision.current, speed: speedOf(values), weight: weightOf(values) }
        await api.call(routes.adminGroups.edit, { params, body })
      }}
      onConflict={async () => {
        const { group: now } = await api.call(routes.adminGroups.get, { params })
        revision.current = now.revision
        return speedValuesOf(now)
      }}
      onSaved={() => {
        void refresh()
        messages.notify('success', texts('console-groups.speed.done', { name }))
        void navigate({ to: LIST })
      }}
      onCancel={() => void navigate({ to: LIST })}
    />
  )
}
