import { routes } from '@godwit/contract/table'
import type { AdminSpace, AdminSpaceMember } from '@godwit/contract'
import { useParams } from '@tanstack/react-router'
import { UserCog, UserMinus, UsersRound } from 'lucide-react'
import { useMemo } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { grantableOf } from '../../../lib/permission-sets.ts'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { StatePanel } from '../../../ui/state-panel.tsx'
import { Tag } from '../../../ui/tag.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import type { ListColumn } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { useRight } from '../administration/index.ts'
import { accountColumns, inCalls, MembersList, type MemberQuestion } from '../member-lists/index.ts'
import { SpaceMemberDialog } from './space-member.dialogs.tsx'
import { spaceMembersKey, spaceMembersSource, useSpace } from './spaces-source.ts'

/** Who may work in a space, and who keeps its members. */
export function SpaceMembersPage() {
  const texts = useTexts()
  const hasTexts = useTextBundle('places')
  const { spaceId }: { readonly spaceId?: string } = useParams({ strict: false })
  const query = useSpace(Number(spaceId))
  const back = { to: '/admin/spaces', label: texts('console-spaces.title') }
  if (!hasTexts) return null
  return (
    <LoadedPage title={texts('console-spaces.members')} back={back} query={query}>
      {(space) =>
        space === null ? (
          <StatePanel icon={<UsersRound size={28} />} title={texts('console-spaces.gone')} />
        ) : (
          <Members key={space.id} space={space} back={back} />
        )
      }
    </LoadedPage>
  )
}

interface MembersProps {
  readonly space: AdminSpace
  readonly back: { readonly to: string; readonly label: string }
}

function Members({ space, back }: MembersProps) {
  const texts = useTexts()
  const refresh = useRefresh(spaceMembersKey(space.id))
  const columns = useMemo(() => columnsOf(texts), [texts])
  const source = useMemo(() => spaceMembersSource(space.id), [space.id])
  return (
    <MembersList
      name="space-members"
      title={nameOfSpace(space, texts)}
      help={texts('console-spaces.members.help')}
      back={back}
      source={source}
      columns={columns}
      canEdit={useRight('spaces.members')}
      addLabel={texts('console-spaces.member.add')}
      empty={{ title: texts('console-spaces.member.empty.title'), text: texts('console-spaces.member.empty.text') }}
      rowActions={rowActionsOf}
      removal={useRemoval(space)}
      onRemoved={() => void refresh()}
      renderDialog={(question, close) => <SpaceMemberDialog space={space} question={question} onClose={close} />}
    />
  )
}

/** Ends memberships. The answer names nobody, because of a call either all of them end or none. */
function useRemoval(space: AdminSpace): (account: string) => BulkAction {
  const texts = useTexts()
  const { api } = useServices()
  const params = { spaceId: space.id }
  return (account) => ({
    name: 'remove-space-members',
    label: 'console-spaces.member.remove',
    icon: UserMinus,
    tone: 'danger',
    title: (count) => texts('console-spaces.member.remove.title', { count, account, space: nameOfSpace(space, texts) }),
    text: () => texts('console-spaces.member.remove.text'),
    verb: texts('console-spaces.member.remove'),
    done: (count) => texts('console-spaces.member.remove.done', { count }),
    async run(chosen) {
      const changed = await inCalls('ids' in chosen ? chosen.ids : [], (userIds) =>
        api.call(routes.adminSpaces.removeMembers, { params, body: { userIds } }),
      )
      return { changed, failed: [] }
    },
  })
}

function rowActionsOf(
  ask: (question: MemberQuestion<AdminSpaceMember>) => void,
): ReadonlyArray<Action<AdminSpaceMember>> {
  return [
    {
      name: 'edit-space-member',
      label: 'console-spaces.member.edit',
      group: 'general',
      icon: UserCog,
      run: (member) => ask({ kind: 'edit', member }),
    },
    {
      name: 'remove-space-member',
      label: 'console-spaces.member.remove',
      group: 'general',
      icon: UserMinus,
      run: (member) => ask({ kind: 'remove', member }),
    },
  ]
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AdminSpaceMember>> {
  const role = ({ isAdmin }: AdminSpaceMember): string =>
    texts(isAdmin ? 'console-spaces.member.admin' : 'console-groups.member.plain')
  const permission = (member: AdminSpaceMember): string =>
    member.permission === null
      ? texts('console-spaces.member.permission.account')
      : texts('console-spaces.member.permission.count', { count: grantableOf(member.permission).length })
  const ways = ({ transfer }: AdminSpaceMember): string =>
    transfer.ways === null ? texts('users.as-site') : texts(`users.ways.${transfer.ways}`)
  const { account, name, email } = accountColumns(texts)
  return [
    account,
    name,
    email,
    {
      id: 'role',
      header: texts('console-spaces.member.role'),
      width: '140px',
      text: role,
      cell: (member) => (member.isAdmin ? <Tag tone="good">{role(member)}</Tag> : role(member)),
    },
    { id: 'permission', header: texts('users.permissions'), width: '180px', text: permission, cell: permission },
    { id: 'ways', header: texts('users.ways'), width: '150px', text: ways, cell: ways },
  ]
}
