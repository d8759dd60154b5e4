import { routes } from '@godwit/contract/table'
import type { AdminSpace, AdminSpaceMember } from '@godwit/contract'
import { DEFAULT_PERMISSION, storedPermission } from '@godwit/contract/permissions'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { type FormSchema, FormDialog, ON } from '../../../ui/form/index.ts'
import { useRefresh } from '../../console-kit/list-source.ts'
import { accountsField, accountsOf } from '../member-lists/index.ts'
import { PermissionMatrix } from '../permission-matrix/index.ts'
import { filterFields, type FilterField, filtersFrom, filterValuesOf, NO_FILTERS } from '../transfer-limits/index.ts'
import { spaceMembersKey, SPACES } from './spaces-source.ts'

type SpaceMemberQuestion = { readonly kind: 'add' } | { readonly kind: 'edit'; readonly member: AdminSpaceMember }

export interface SpaceMemberDialogProps {
  readonly space: AdminSpace
  readonly question: SpaceMemberQuestion
  readonly onClose: () => void
}

type MemberField = 'accounts' | 'admin' | 'permissionKind' | 'permission' | FilterField
type MemberValues = Readonly<Record<MemberField, string>>

const NEW_MEMBER: MemberValues = {
  ...{ accounts: '', admin: '', permissionKind: '', permission: String(DEFAULT_PERMISSION) },
  ...NO_FILTERS,
}

/** Makes accounts members of a space, and says what each is in it; it takes effect at once. */
export function SpaceMemberDialog({ space, question, onClose }: SpaceMemberDialogProps) {
  const texts = useTexts()
  const save = useSave(space)
  const name = nameOfSpace(space, texts)
  if (question.kind === 'edit') {
    const { id, account } = question.member
    return (
      <FormDialog<MemberField>
        title={texts('console-spaces.member.edit.title', { account, space: name })}
        submitLabel={texts('common.save')}
        schema={memberSchema(texts, false)}
        initial={valuesOf(question.member)}
        onClose={onClose}
        onSend={(values) => save({ userIds: [id] }, values)}
      />
    )
  }
  return (
    <FormDialog<MemberField>
      title={texts('console-spaces.member.add.title', { space: name })}
      submitLabel={texts('console-spaces.member.add')}
      schema={memberSchema(texts, true)}
      initial={NEW_MEMBER}
      onClose={onClose}
      onSend={(values) => save({ accounts: accountsOf(values.accounts) }, values)}
    />
  )
}

function memberSchema(texts: Texts, isNew: boolean): FormSchema<MemberField> {
  const { ways, ...filters } = filterFields<MemberField>({ texts, own: texts('console-spaces.member.own') })
  return {
    accounts: { ...accountsField(texts, ['ACCOUNT_NOT_FOUND']), isHidden: () => !isNew },
    admin: {
      kind: 'switch',
      label: texts('console-spaces.member.make-admin'),
      hint: texts('console-spaces.member.make-admin.hint'),
    },
    permissionKind: {
      kind: 'select',
      label: texts('users.permissions'),
      hint: texts('console-spaces.member.permission.hint'),
      choices: [
        { value: '', label: texts('console-spaces.member.permission.account') },
        { value: 'own', label: texts('console-spaces.member.permission.own') },
      ],
    },
    permission: {
      kind: 'custom',
      label: texts('users.permissions'),
      isHidden: ({ permissionKind }) => permissionKind !== 'own',
      errors: ['PERMISSION_DENIED'],
      wire: 'permission',
      render: (form, error) => (
        <PermissionMatrix
          value={form.values.permission}
          error={error}
          onChange={(permission) => form.set({ permission })}
        />
      ),
    },
    ways,
    ...filters,
  }
}

function valuesOf({ isAdmin, permission, transfer }: AdminSpaceMember): MemberValues {
  return {
    accounts: '',
    admin: isAdmin ? ON : '',
    permissionKind: permission === null ? '' : 'own',
    permission: String(permission === null ? DEFAULT_PERMISSION : storedPermission(permission)),
    ...filterValuesOf(transfer),
  }
}

type Who = { readonly userIds: string[] } | { readonly accounts: string[] }

function useSave({ id: spaceId }: AdminSpace) {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [refreshMembers, refreshSpaces] = [useRefresh(spaceMembersKey(spaceId)), useRefresh(SPACES)]
  return async (who: Who, values: MemberValues): Promise<void> => {
    const { admin, permissionKind, permission } = values
    const body = {
      ...{ ...who, isAdmin: admin === ON, transfer: filtersFrom(values) },
      permission: permissionKind === 'own' ? Number(permission) : null,
    }
    const { members } = await api.call(routes.adminSpaces.setMembers, { params: { spaceId }, body })
    void refreshMembers()
    void refreshSpaces()
    messages.notify('success', texts('console-spaces.member.saved', { count: members }))
  }
}
