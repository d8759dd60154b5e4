import type { Administrator } from '@godwit/contract'
import { Crown, Pencil, ShieldUser, UserMinus } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { accountColumns } from '../member-lists/index.ts'
import { AdministratorDialog, type AdministratorQuestion } from './administrator.dialogs.tsx'
import { administratorsSource } from './administrators-source.ts'

const SHAPE = consoleShape({ filters: ['text'] })

/** Who administers this site, and as what. */
export function AdministratorsPage() {
  const texts = useTexts()
  const [question, setQuestion] = useState<AdministratorQuestion>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  return (
    <>
      <ListPage
        name="administrators"
        title={texts('administrators.title')}
        help={texts('administrators.help')}
        actions={
          <>
            <Button onClick={() => setQuestion({ kind: 'transfer' })}>
              <Crown size={18} aria-hidden="true" />
              {texts('administrators.transfer')}
            </Button>
            <Button kind="solid" onClick={() => setQuestion({ kind: 'appoint' })}>
              {texts('administrators.add')}
            </Button>
          </>
        }
        source={administratorsSource}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('users.filter.text') }]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ account }) => account}
        rowActions={rowActionsOf(setQuestion)}
        empty={{
          icon: <ShieldUser size={28} />,
          title: texts('administrators.title'),
          text: texts('administrators.help'),
        }}
      />
      {question !== undefined && <AdministratorDialog question={question} onClose={() => setQuestion(undefined)} />}
    </>
  )
}

function rowActionsOf(ask: (question: AdministratorQuestion) => void): ReadonlyArray<Action<Administrator>> {
  const hasRole = ({ standing }: Administrator): boolean => standing === 'role'
  return [
    {
      name: 'change-role',
      label: 'administrators.edit',
      group: 'general',
      icon: Pencil,
      when: hasRole,
      run: (administrator) => ask({ kind: 'edit', administrator }),
    },
    {
      name: 'remove-administrator',
      label: 'administrators.remove',
      group: 'general',
      icon: UserMinus,
      when: hasRole,
      run: (administrator) => ask({ kind: 'remove', administrator }),
    },
  ]
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<Administrator>> {
  const role = ({ role: held }: Administrator): string => held?.name ?? texts('users.standing.super')
  const state = ({ locked, online }: Administrator): string =>
    texts(locked ? 'users.state.locked' : online ? 'users.state.online' : 'users.state.offline')
  const { account, name, email } = accountColumns(texts)
  return [
    account,
    name,
    {
      id: 'role',
      header: texts('administrators.role'),
      width: 'minmax(164px, 1.2fr)',
      text: role,
      cell: (row) => (row.role === null ? <Tag tone="good">{role(row)}</Tag> : <span translate="no">{role(row)}</span>),
    },
    { id: 'state', header: texts('users.state'), width: '86px', text: state, cell: state },
    email,
    {
      id: 'createdBy',
      header: texts('administrators.created-by'),
      width: 'minmax(110px, 1fr)',
      text: ({ createdBy }) => createdBy,
      cell: ({ createdBy }) => <span translate="no">{createdBy === '' ? '-' : createdBy}</span>,
    },
    {
      id: 'created',
      header: texts('administrators.since'),
      width: TIME_WIDTH,
      text: ({ createdAt }) => formatTime(createdAt / 1000),
      cell: ({ createdAt }) => formatTime(createdAt / 1000),
    },
    {
      id: 'updated',
      header: texts('roles.updated'),
      isExtra: true,
      width: TIME_WIDTH,
      text: ({ updatedAt }) => formatTime(updatedAt / 1000),
      cell: ({ updatedAt }) => formatTime(updatedAt / 1000),
    },
  ]
}
