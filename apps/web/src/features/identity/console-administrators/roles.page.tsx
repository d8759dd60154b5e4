import { routes } from '@godwit/contract/table'
import type { AdminRole } from '@godwit/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { KeyRound, Pencil, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { FormDialog } from '../../../ui/form/index.ts'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { ROLES, rolesSource } from './administrators-source.ts'

const SHAPE = consoleShape({ filters: ['text'] })

/** The roles that administrators can have. */
export function RolesPage() {
  const texts = useTexts()
  const navigate = useNavigate()
  const [gone, setGone] = useState<AdminRole>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const add = (
    <Button kind="solid" onClick={() => void navigate({ to: '/admin/roles/new' })}>
      {texts('roles.add')}
    </Button>
  )
  const rowActions: ReadonlyArray<Action<AdminRole>> = [
    {
      name: 'edit-role',
      label: 'roles.edit',
      group: 'general',
      icon: Pencil,
      run: ({ id }) => void navigate({ to: `/admin/roles/${id}` }),
    },
    { name: 'remove-role', label: 'roles.remove', group: 'general', icon: Trash2, run: setGone },
  ]
  return (
    <>
      <ListPage
        name="roles"
        title={texts('roles.title')}
        help={texts('roles.help')}
        actions={add}
        source={rolesSource}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('roles.name') }]}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        rowActions={rowActions}
        empty={{
          icon: <KeyRound size={28} />,
          title: texts('roles.empty.title'),
          text: texts('roles.empty.text'),
          action: add,
        }}
      />
      {gone !== undefined && <RemoveDialog role={gone} onClose={() => setGone(undefined)} />}
    </>
  )
}

function RemoveDialog({ role: { id, name }, onClose }: { readonly role: AdminRole; readonly onClose: () => void }) {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(ROLES)
  return (
    <FormDialog
      title={texts('roles.remove.title', { name })}
      text={texts('roles.remove.text')}
      submitLabel={texts('roles.remove')}
      isDangerous
      schema={{}}
      initial={{}}
      onClose={onClose}
      onSend={async () => {
        await api.call(routes.adminRoles.remove, { body: { roleId: id } })
        void refresh()
      }}
    />
  )
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AdminRole>> {
  return [
    {
      id: 'name',
      header: texts('roles.name'),
      narrow: 'title',
      width: 'minmax(160px, 1.4fr)',
      text: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link to={`/admin/roles/${id}`} translate="no">
          {name}
        </Link>
      ),
    },
    {
      id: 'rights',
      header: texts('roles.rights'),
      isNumeric: true,
      width: '110px',
      text: ({ rights }) => rights.join(' '),
      cell: ({ rights }) => rights.length,
    },
    {
      id: 'administrators',
      header: texts('administrators.title'),
      isNumeric: true,
      width: '150px',
      text: ({ administrators }) => String(administrators),
      cell: ({ administrators }) => administrators,
    },
    {
      id: 'audit',
      header: texts('roles.audit-scope'),
      width: 'minmax(120px, 1fr)',
      text: ({ auditScope }) => texts(`roles.scope.${auditScope}`),
      cell: ({ auditScope }) => texts(`roles.scope.${auditScope}`),
    },
    {
      id: 'folders',
      header: texts('roles.folder-scope'),
      width: 'minmax(120px, 1fr)',
      text: ({ folderScope }) => texts(`roles.scope.${folderScope}`),
      cell: ({ folderScope }) => texts(`roles.scope.${folderScope}`),
    },
    {
      id: 'updated',
      header: texts('roles.updated'),
      width: TIME_WIDTH,
      text: ({ updatedAt }) => formatTime(updatedAt / 1000),
      cell: ({ updatedAt }) => formatTime(updatedAt / 1000),
    },
  ]
}
