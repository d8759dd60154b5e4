import { routes } from '@godwit/contract/table'
import type { AdminGroup, AdminGroupMember } from '@godwit/contract'
import { useParams } from '@tanstack/react-router'
import { Pencil, UserMinus } from 'lucide-react'
import { useMemo } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { grantableOf } from '../../../lib/permission-sets.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import type { ListColumn } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { useRight } from '../administration/index.ts'
import { accountColumns, inCalls, MembersList, type MemberQuestion } from '../member-lists/index.ts'
import { membersKey, membersSource, useGroup } from './groups-source.ts'
import { MemberDialog } from './member.dialogs.tsx'

/** Who is in a group and what each may do there. */
export function MembersPage() {
  const texts = useTexts()
  const { groupId }: { readonly groupId?: string } = useParams({ strict: false })
  const query = useGroup(Number(groupId))
  const back = { to: '/admin/groups', label: texts('console-groups.title') }
  return (
    <LoadedPage title={texts('console-groups.members')} back={back} query={query}>
      {(group) => <Members key={group.id} group={group} back={back} />}
    </LoadedPage>
  )
}

interface MembersProps {
  readonly group: AdminGroup
  readonly back: { readonly to: string; readonly label: string }
}

function Members({ group, back }: MembersProps) {
  const texts = useTexts()
  const refresh = useRefresh(membersKey(group.id))
  const columns = useMemo(() => columnsOf(texts), [texts])
  const source = useMemo(() => membersSource(group.id), [group.id])
  return (
    <MembersList
      name="group-members"
      title={group.name}
      help={texts('console-groups.members.help')}
      back={back}
      source={source}
      columns={columns}
      canEdit={useRight('groups.members')}
      addLabel={texts('console-groups.member.add')}
      empty={{ title: texts('console-groups.member.empty.title'), text: texts('console-groups.member.empty.text') }}
      rowActions={rowActionsOf}
      removal={useRemoval(group)}
      onRemoved={() => void refresh()}
      renderDialog={(question, close) => <MemberDialog group={group} question={question} onClose={close} />}
    />
  )
}

/** Ends memberships. The answer names nobody, because of a call either all of them end or none. */
function useRemoval({ id: groupId, name: group }: AdminGroup): (account: string) => BulkAction {
  const texts = useTexts()
  const { api } = useServices()
  return (account) => ({
    name: 'remove-members',
    label: 'console-groups.member.remove',
    icon: UserMinus,
    tone: 'danger',
    title: (count) => texts('console-groups.member.remove.title', { count, account, group }),
    text: () => texts('console-groups.member.remove.text'),
    verb: texts('console-groups.member.remove'),
    done: (count) => texts('console-groups.member.remove.done', { count }),
    async run(chosen) {
      const changed = await inCalls('ids' in chosen ? chosen.ids : [], (userIds) =>
        api.call(routes.adminGroups.removeMembers, { params: { groupId }, body: { userIds } }),
      )
      return { changed, failed: [] }
    },
  })
}

function rowActionsOf(
  ask: (question: MemberQuestion<AdminGroupMember>) => void,
): ReadonlyArray<Action<AdminGroupMember>> {
  return [
    {
      name: 'edit-member',
      label: 'console-groups.member.edit',
      group: 'general',
      icon: Pencil,
      run: (member) => ask({ kind: 'edit', member }),
    },
    {
      name: 'remove-member',
      label: 'console-groups.member.remove',
      group: 'general',
      icon: UserMinus,
      run: (member) => ask({ kind: 'remove', member }),
    },
  ]
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AdminGroupMember>> {
  const permissions = ({ permission }: AdminGroupMember): readonly string[] =>
    grantableOf(permission).map((each) => texts(`permission.${each}`))
  const { account, name, email } = accountColumns(texts)
  return [
    account,
    name,
    {
      id: 'role',
      header: texts('console-groups.member.role'),
      width: '140px',
      text: ({ isAdmin }) => texts(isAdmin ? 'console-groups.member.admin' : 'console-groups.member.plain'),
      cell: ({ isAdmin }) =>
        isAdmin ? <Tag tone="good">{texts('console-groups.member.admin')}</Tag> : texts('console-groups.member.plain'),
    },
    {
      id: 'permissions',
      header: texts('users.permissions'),
      width: 'minmax(240px, 2.4fr)',
      text: (member) => permissions(member).join('; '),
      cell: (member) =>
        member.permission === 0
          ? texts('users.permissions.none')
          : new Intl.ListFormat(texts.locale).format(permissions(member)),
    },
    { ...email, isExtra: true },
  ]
}
