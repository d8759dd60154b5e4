import type { AdminUser } from '@godwit/contract'
import { ACCOUNT_TYPE } from '@godwit/contract/identity/account-types'
import { LIMITS } from '@godwit/contract/limits'
import { useNavigate } from '@tanstack/react-router'
import { Archive, FileUp, Lock, LockOpen, Pencil, Trash2, UserPlus, Users } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import type { ListShape } from '../../../lib/list-address.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Filter } from '../../../ui/filter-bar.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { VIEW_NAMES } from '../../console-kit/list-view.ts'
import { useDepartmentChoices } from '../console-departments/index.ts'
import { useGroupChoices } from '../console-groups/index.ts'
import { useAdministrator, useRight } from '../administration/index.ts'
import { type UserActionName, userActions } from './user-actions.ts'
import { userColumns } from './user-columns.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { USER_SORTS, USER_STATES, USERS, usersSource } from './users-source.ts'

const SHAPE: ListShape = {
  pageSizes: LIMITS.pageSizes,
  pageSize: LIMITS.pageSizeDefault,
  sort: { by: 'account', order: 'asc' },
  sortable: USER_SORTS,
  filters: ['text', 'state', 'type', 'departmentId', 'groupId'],
  view: VIEW_NAMES,
}

interface Question {
  readonly action: UserActionName
  readonly user: Pick<AdminUser, 'id' | 'account'>
}

/** Every account of the site. */
export function UsersPage() {
  const texts = useTexts()
  const { api } = useServices()
  const navigate = useNavigate()
  const refresh = useRefresh(USERS)
  const [question, setQuestion] = useState<Question>()
  const [canEdit, canRemove] = [useRight('users.edit'), useRight('users.remove')]
  const canImport = useRight('users.import')
  const columns = useMemo(() => userColumns(texts), [texts])
  const all = userActions(api, texts)
  const add = canEdit && (
    <Button kind="solid" onClick={() => void navigate({ to: '/admin/users/new' })}>
      <UserPlus size={18} aria-hidden="true" />
      {texts('users.add')}
    </Button>
  )
  const ask = (action: UserActionName, user: Question['user']): void => setQuestion({ action, user })
  return (
    <>
      <ListPage
        name="users"
        title={texts('users.title')}
        help={texts('users.help')}
        actions={
          <>
            <Button onClick={() => void navigate({ to: '/admin/users/removed' })}>
              <Archive size={18} aria-hidden="true" />
              {texts('removed-users.title')}
            </Button>
            {canImport && (
              <Button onClick={() => void navigate({ to: '/admin/users/import' })}>
                <FileUp size={18} aria-hidden="true" />
                {texts('users.import')}
              </Button>
            )}
            {add}
          </>
        }
        source={usersSource}
        shape={SHAPE}
        filters={filtersOf(texts, useDepartmentChoices(), useGroupChoices())}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ account }) => account}
        rowActions={useRowActions(ask)}
        bulk={[
          ...(canEdit ? [all['lock-users'], all['unlock-users'], all['invite-users']] : []),
          ...(canRemove ? [all['remove-users']] : []),
        ]}
        takesExcept
        empty={{
          icon: <Users size={28} />,
          title: texts('users.empty.title'),
          text: texts('users.empty.text'),
          action: add,
        }}
        renderDrawer={(id, close) => <UserDrawer id={id} onAsk={ask} onClose={close} />}
      />
      {question !== undefined && (
        <BulkDialog
          action={userActions(api, texts, question.user.account)[question.action]}
          choose={() => ({ ids: [question.user.id] })}
          count={1}
          onDone={() => void refresh()}
          onClose={() => setQuestion(undefined)}
        />
      )}
    </>
  )
}

/** What a row offers: nobody locks or removes themselves or the super administrator. */
function useRowActions(ask: (action: UserActionName, user: AdminUser) => void): ReadonlyArray<Action<AdminUser>> {
  const navigate = useNavigate()
  const me = useAdministrator()
  const [canEdit, canRemove] = [useRight('users.edit'), useRight('users.remove')]
  const isOther = ({ id, standing }: AdminUser): boolean => id !== me.id && standing !== 'super'
  return [
    {
      name: 'edit-user',
      label: 'users.edit',
      group: 'general',
      icon: Pencil,
      when: () => canEdit,
      run: ({ id }) => void navigate({ to: `/admin/users/${id}` }),
    },
    {
      name: 'lock-user',
      label: 'users.lock',
      group: 'general',
      icon: Lock,
      when: (user) => canEdit && isOther(user) && !user.locked,
      run: (user) => ask('lock-users', user),
    },
    {
      name: 'unlock-user',
      label: 'users.unlock',
      group: 'general',
      icon: LockOpen,
      when: (user) => canEdit && isOther(user) && user.locked,
      run: (user) => ask('unlock-users', user),
    },
    {
      name: 'remove-user',
      label: 'users.remove',
      group: 'general',
      icon: Trash2,
      when: (user) => canRemove && isOther(user),
      run: (user) => ask('remove-users', user),
    },
  ]
}

/** @param departments none: this administrator may not see them, or there are none */
function filtersOf(
  texts: Texts,
  departments: readonly SelectChoice[],
  groups: readonly SelectChoice[],
): readonly Filter[] {
  return [
    { kind: 'search', name: 'text', label: texts('users.filter.text') },
    {
      kind: 'choice',
      name: 'state',
      label: texts('users.state'),
      choices: USER_STATES.map((value) => ({
        value,
        label: texts(`users.filter.${value}`),
      })),
    },
    {
      kind: 'choice',
      name: 'type',
      label: texts('users.type'),
      choices: Object.values(ACCOUNT_TYPE).map((type) => ({ value: String(type), label: texts(`users.type.${type}`) })),
    },
    ...(groups.length === 0
      ? []
      : [{ kind: 'choice' as const, name: 'groupId', label: texts('users.groups'), choices: groups }]),
    ...(departments.length === 0
      ? []
      : [
          {
            kind: 'choice' as const,
            name: 'departmentId',
            label: texts('users.department'),
            choices: departments,
          },
        ]),
  ]
}
