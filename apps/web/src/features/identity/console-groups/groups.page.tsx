import type { AdminGroup } from '@godwit/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { Gauge, Pencil, Trash2, UserCog, UsersRound } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRight } from '../administration/index.ts'
import { GroupDialog, type GroupQuestion } from './group.dialogs.tsx'
import styles from './groups.module.css'
import { groupsSource } from './groups-source.ts'

const SHAPE = consoleShape({
  sort: { by: 'name', order: 'asc' },
  sortable: ['name', 'created'],
  filters: ['text'],
})

/** Every group with its library. */
export function GroupsPage() {
  const texts = useTexts()
  const navigate = useNavigate()
  const canEdit = useRight('groups.edit')
  const [question, setQuestion] = useState<GroupQuestion>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const add = canEdit && (
    <Button kind="solid" onClick={() => setQuestion({ kind: 'add' })}>
      {texts('console-groups.add')}
    </Button>
  )
  const rowActions: ReadonlyArray<Action<AdminGroup>> = [
    {
      name: 'group-members',
      label: 'console-groups.members',
      group: 'general',
      icon: UserCog,
      run: ({ id }) => void navigate({ to: `/admin/groups/${id}` }),
    },
    {
      name: 'edit-group',
      label: 'console-groups.edit',
      group: 'general',
      icon: Pencil,
      when: () => canEdit,
      run: (group) => setQuestion({ kind: 'edit', group }),
    },
    {
      name: 'group-transfer',
      label: 'console-groups.transfer',
      group: 'general',
      icon: Gauge,
      when: () => canEdit,
      run: ({ id }) => void navigate({ to: `/admin/groups/${id}/transfers` }),
    },
    {
      name: 'remove-group',
      label: 'console-groups.remove',
      group: 'general',
      icon: Trash2,
      when: () => canEdit,
      run: (group) => setQuestion({ kind: 'remove', group }),
    },
  ]
  return (
    <>
      <ListPage
        name="groups"
        title={texts('console-groups.title')}
        help={texts('console-groups.help')}
        actions={add}
        source={groupsSource}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('console-groups.filter') }]}
        columns={columns}
        idOf={({ id }) => String(id)}
        nameOf={({ name }) => name}
        rowActions={rowActions}
        empty={{
          icon: <UsersRound size={28} />,
          title: texts('console-groups.empty.title'),
          text: texts('console-groups.empty.text'),
          action: add,
        }}
      />
      {question !== undefined && <GroupDialog question={question} onClose={() => setQuestion(undefined)} />}
    </>
  )
}

/** One entry a column: a list, and nothing to split. */
function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AdminGroup>> {
  const { locale } = texts
  const usage = ({ usedBytes, quotaBytes }: AdminGroup): string =>
    quotaBytes === 0
      ? formatSize(usedBytes, locale)
      : texts('users.usage.of', { used: formatSize(usedBytes, locale), quota: formatSize(quotaBytes, locale) })
  const administrators = (group: AdminGroup): string =>
    new Intl.ListFormat(locale).format(group.administrators.map(({ account }) => account))
  return [
    {
      id: 'name',
      header: texts('console-groups.name'),
      isSortable: true,
      narrow: 'title',
      width: 'minmax(180px, 1.4fr)',
      text: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link className={styles['name']} to={`/admin/groups/${id}`} translate="no">
          {name}
        </Link>
      ),
    },
    {
      id: 'members',
      header: texts('console-groups.members'),
      isNumeric: true,
      width: '100px',
      text: ({ members }) => String(members),
      cell: ({ members }) => members,
    },
    {
      id: 'administrators',
      header: texts('console-groups.administrators'),
      width: 'minmax(140px, 1fr)',
      text: administrators,
      cell: (group) => <span translate="no">{group.administrators.length === 0 ? '-' : administrators(group)}</span>,
    },
    {
      id: 'space',
      header: texts('console-groups.space'),
      width: 'minmax(110px, 1fr)',
      text: ({ space }) => nameOfSpace(space, texts),
      cell: ({ space }) => <span translate="no">{nameOfSpace(space, texts)}</span>,
    },
    {
      id: 'usage',
      header: texts('users.usage'),
      width: '160px',
      text: usage,
      cell: usage,
    },
    {
      id: 'created',
      header: texts('users.created'),
      isSortable: true,
      width: TIME_WIDTH,
      text: ({ createdAt }) => formatTime(createdAt / 1000),
      cell: ({ createdAt }) => formatTime(createdAt / 1000),
    },
  ]
}
