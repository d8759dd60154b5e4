import { routes } from '@godwit/contract/table'
import type { RemovedUser } from '@godwit/contract'
import { Archive, FolderInput } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { formatSize, formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { Facts } from '../../console-kit/facts.tsx'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { type ListSource, useRefresh } from '../../console-kit/list-source.ts'
import { useRight } from '../administration/index.ts'
import { accountColumns } from '../member-lists/index.ts'
import { fateOf, filesQuestion } from './files-question.ts'
import { resultOf } from './user-actions.ts'
import styles from './users.module.css'

const REMOVED = 'removed-users'
const SHAPE = consoleShape({ filters: ['text'] })
/** Jobs are at work behind the list. */
const REFRESH_MS = 5_000

const source: ListSource<RemovedUser> = {
  key: REMOVED,
  refreshMs: REFRESH_MS,
  load: (api, { page, pageSize, filters }, signal) =>
    api.call(
      routes.adminRemovedUsers.list,
      { query: { page, size: pageSize, ...(filters['text'] ? { text: filters['text'] } : {}) } },
      { quiet: true, ...(signal === undefined ? {} : { signal }) },
    ),
}

/** People who were removed, and what became of their files. */
export function RemovedUsersPage() {
  const texts = useTexts()
  const canSettle = useRight('users.remove')
  const refresh = useRefresh(REMOVED)
  const [asked, setAsked] = useState<RemovedUser>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const settle = useSettle(asked?.account)
  const rowActions: ReadonlyArray<Action<RemovedUser>> = [
    {
      name: 'settle-files',
      label: 'removed-users.settle',
      group: 'general',
      icon: FolderInput,
      when: ({ state }) => canSettle && (state === 'kept' || state === 'failed'),
      run: setAsked,
    },
  ]
  return (
    <>
      <ListPage
        name="removed-users"
        title={texts('removed-users.title')}
        help={texts('removed-users.help')}
        back={{ to: '/admin/users', label: texts('users.title') }}
        source={source}
        shape={SHAPE}
        filters={[{ kind: 'search', name: 'text', label: texts('removed-users.filter') }]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ account }) => account}
        rowActions={rowActions}
        bulk={canSettle ? [settle] : []}
        isByIds
        renderDetail={(user) => <Where user={user} />}
        empty={{
          icon: <Archive size={28} />,
          title: texts('removed-users.empty.title'),
          text: texts('removed-users.empty.text'),
        }}
      />
      {asked !== undefined && (
        <BulkDialog
          action={settle}
          choose={() => ({ ids: [asked.id] })}
          count={1}
          onDone={() => void refresh()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** As the contract bounds them. */
const REMOVED_PER_CALL = 1000

function useSettle(account = ''): BulkAction {
  const texts = useTexts()
  const { api } = useServices()
  return {
    name: 'settle-files',
    label: 'removed-users.settle',
    icon: FolderInput,
    title: (count) => texts('removed-users.settle.title', { count, account }),
    text: () => texts('removed-users.settle.text'),
    verb: texts('removed-users.settle.verb'),
    tone: 'danger',
    done: (count) => texts('removed-users.settle.done', { count }),
    ask: filesQuestion(texts, ['hand-over', 'delete']),
    async run(chosen, values) {
      const { files, ...to } = fateOf(values)
      const ids = 'ids' in chosen ? [...chosen.ids] : []
      const all = { changed: 0, failed: [] as Array<{ account: string; message: string }> }
      for (let at = 0; at < ids.length; at += REMOVED_PER_CALL) {
        const body = { ids: ids.slice(at, at + REMOVED_PER_CALL), files: files === 'keep' ? 'delete' : files, ...to }
        const { changed, failed } = await api.call(routes.adminRemovedUsers.settle, { body })
        all.changed += changed
        all.failed.push(...failed)
      }
      return resultOf(all)
    },
  }
}

/** Where the files are now. */
function Where({ user: { places, folders, to, error } }: { readonly user: RemovedUser }) {
  const texts = useTexts()
  const entries = (lines: readonly string[]) => (
    <span className={styles['entries']} translate="no">
      {lines.join('\n')}
    </span>
  )
  return (
    <Facts
      title={texts('users.remove.files')}
      facts={[
        ...(error === '' ? [] : [{ label: texts('removed-users.error'), value: error }]),
        ...(folders.length === 0
          ? []
          : [{ label: texts('removed-users.received', { account: to }), value: entries(folders) }]),
        ...(places.length === 0
          ? []
          : [
              {
                label: texts('removed-users.places'),
                value: entries(places.map(({ storage, folder }) => `${storage}: ${folder}`)),
              },
            ]),
        ...(places.length + folders.length === 0
          ? [{ label: texts('removed-users.places'), value: texts('removed-users.nowhere') }]
          : []),
      ]}
    />
  )
}

const TONES = { kept: 'plain', working: 'plain', done: 'good', failed: 'bad' } as const

function stateOf({ state, files, to }: RemovedUser, texts: Texts): string {
  if (state === 'kept') return texts('removed-users.kept')
  if (state === 'failed') return texts('removed-users.failed')
  if (files === 'keep') return texts('removed-users.kept')
  return texts(`removed-users.${files}.${state}`, { account: to })
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<RemovedUser>> {
  const { account, name } = accountColumns(texts)
  return [
    account,
    name,
    {
      id: 'state',
      header: texts('users.remove.files'),
      width: 'minmax(170px, 1.2fr)',
      text: (user) => stateOf(user, texts),
      cell: (user) => <Tag tone={TONES[user.state]}>{stateOf(user, texts)}</Tag>,
    },
    {
      id: 'bytes',
      header: texts('users.usage'),
      width: '110px',
      text: ({ bytes }) => String(bytes),
      cell: ({ bytes }) => formatSize(bytes, texts.locale),
    },
    {
      id: 'by',
      header: texts('removed-users.by'),
      width: 'minmax(100px, 0.8fr)',
      text: ({ removedBy }) => removedBy,
      cell: ({ removedBy }) => <span translate="no">{removedBy === '' ? '-' : removedBy}</span>,
    },
    {
      id: 'removedAt',
      header: texts('removed-users.at'),
      width: TIME_WIDTH,
      text: ({ removedAt }) => formatTime(removedAt / 1000),
      cell: ({ removedAt }) => formatTime(removedAt / 1000),
    },
  ]
}
