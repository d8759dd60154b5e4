import { routes } from '@godwit/contract/table'
import type { AdminGroup, AdminGroupMember } from '@godwit/contract'
import { DEFAULT_PERMISSION, PERMISSION, storedPermission } from '@godwit/contract/permissions'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type Field, FormDialog, ON } from '../../../ui/form/index.ts'
import { useRefresh } from '../../console-kit/list-source.ts'
import { accountsField, accountsOf } from '../member-lists/index.ts'
import { PermissionMatrix } from '../permission-matrix/index.ts'
import { GROUPS, membersKey } from './groups-source.ts'

type MemberQuestion = { readonly kind: 'add' } | { readonly kind: 'edit'; readonly member: AdminGroupMember }

export interface MemberDialogProps {
  readonly group: AdminGroup
  readonly question: MemberQuestion
  readonly onClose: () => void
}

/** What most members of a library need. */
const FIRST_PERMISSION = DEFAULT_PERMISSION | PERMISSION.upload | PERMISSION.mkdir

/** Makes accounts members, or changes what one may do in the group; it takes effect at once. */
export function MemberDialog({ group, question, onClose }: MemberDialogProps) {
  const save = useSave(group)
  const texts = useTexts()
  const flags = { permission: permissionField(texts), admin: adminField(texts) }
  if (question.kind === 'edit') {
    const { id, account, permission, isAdmin } = question.member
    return (
      <FormDialog<'permission' | 'admin'>
        title={texts('console-groups.member.edit.title', { account, group: group.name })}
        submitLabel={texts('common.save')}
        schema={flags}
        initial={{ permission: String(storedPermission(permission)), admin: isAdmin ? ON : '' }}
        onClose={onClose}
        onSend={(values) => save({ userIds: [id] }, values)}
      />
    )
  }
  return (
    <FormDialog<'accounts' | 'permission' | 'admin'>
      title={texts('console-groups.member.add.title', { group: group.name })}
      submitLabel={texts('console-groups.member.add')}
      schema={{
        accounts: accountsField(texts, ['ACCOUNT_NOT_FOUND', 'NO_SPACE']),
        ...flags,
      }}
      initial={{ accounts: '', permission: String(FIRST_PERMISSION), admin: '' }}
      onClose={onClose}
      onSend={({ accounts, ...values }) => save({ accounts: accountsOf(accounts) }, values)}
    />
  )
}

type Who = { readonly userIds: string[] } | { readonly accounts: string[] }

function useSave(group: AdminGroup) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [refreshMembers, refreshGroups] = [useRefresh(membersKey(group.id)), useRefresh(GROUPS)]
  return async (who: Who, { permission, admin }: Readonly<Record<'permission' | 'admin', string>>): Promise<void> => {
    const body = { ...who, permission: Number(permission), isAdmin: admin === ON }
    const { members } = await api.call(routes.adminGroups.setMembers, { params: { groupId: group.id }, body })
    void refreshMembers()
    void refreshGroups()
    messages.notify('success', texts('console-groups.member.saved', { count: members }))
  }
}

function permissionField(texts: Texts): Field<'permission' | 'admin'> & Field<'accounts' | 'permission' | 'admin'> {
  return {
    kind: 'custom',
    label: texts('users.permissions'),
    errors: ['PERMISSION_DENIED'],
    wire: 'permission',
    render: (form, error) => (
      <PermissionMatrix
        value={form.values.permission}
        error={error}
        onChange={(permission) => form.set({ permission })}
      />
    ),
  }
}

function adminField(texts: Texts): { readonly kind: 'switch'; readonly label: string; readonly hint: string } {
  return {
    kind: 'switch',
    label: texts('console-groups.member.make-admin'),
    hint: texts('console-groups.member.make-admin.hint'),
  }
}
