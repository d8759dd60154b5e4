import type { AdminRecycleItem } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { Trash2, Undo2 } from 'lucide-react'
import { useMemo } from 'react'
import { formatMinute, formatSize } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import type { BulkAction, BulkResult, Chosen } from '../../console-kit/bulk.ts'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRight } from '../../identity/administration/index.ts'
import { recycleSource } from './recycle-source.ts'

const SHAPE = consoleShape({ filters: ['text', 'type'] })

/** What everybody has deleted and may still come back. */
export function RecycleAllPage() {
  return useTextBundle('recycle') ? <RecycleAll /> : null
}

function RecycleAll() {
  const texts = useTexts()
  const columns = useMemo(() => columnsOf(texts), [texts])
  return (
    <ListPage
      name="recycle"
      title={texts('recycle.title')}
      help={texts('recycle.all.help')}
      source={recycleSource}
      shape={SHAPE}
      filters={[
        { kind: 'search', name: 'text', label: texts('recycle.all.filter') },
        {
          kind: 'choice',
          name: 'type',
          label: texts('recycle.all.type'),
          choices: [
            { value: 'File', label: texts('recycle.all.file') },
            { value: 'Folder', label: texts('recycle.all.folder') },
          ],
        },
      ]}
      columns={columns}
      idOf={({ recycleId }) => recycleId}
      nameOf={({ name }) => name}
      bulk={useBulk()}
      isByIds
      empty={{
        icon: <Trash2 size={28} />,
        title: texts('recycle.none.title'),
        text: texts('recycle.all.none'),
      }}
    />
  )
}

/** As the contract bounds them. */
const PER_CALL = 1000

function useBulk(): readonly BulkAction[] {
  const texts = useTexts()
  const { api } = useServices()
  const mayRestore = useRight('recycle.restore')
  const mayClear = useRight('recycle.clear')
  const restore: BulkAction = {
    name: 'restore',
    label: 'recycle.restore',
    icon: Undo2,
    title: (count) => texts('recycle.all.restore.title', { count }),
    text: () => texts('recycle.all.restore.text'),
    verb: texts('recycle.restore'),
    done: (count) => texts('recycle.all.restored', { count }),
    run: (chosen) => inParts(chosen, (recycleIds) => api.call(routes.adminRecycle.restore, { body: { recycleIds } })),
  }
  const clear: BulkAction = {
    name: 'clear',
    label: 'recycle.purge',
    icon: Trash2,
    tone: 'danger',
    title: (count) => texts('recycle.all.purge.title', { count }),
    text: () => texts('recycle.purge.text'),
    verb: texts('recycle.purge'),
    done: (count) => texts('recycle.purged', { count }),
    run: (chosen) => inParts(chosen, (recycleIds) => api.call(routes.adminRecycle.clear, { body: { recycleIds } })),
  }
  return [...(mayRestore ? [restore] : []), ...(mayClear ? [clear] : [])]
}

interface Answer {
  readonly changed: number
  readonly failed: ReadonlyArray<{ readonly name: string; readonly message: string }>
}

async function inParts(chosen: Chosen, send: (ids: string[]) => Promise<Answer>): Promise<BulkResult> {
  const ids = 'ids' in chosen ? chosen.ids : []
  let changed = 0
  const failed: Array<BulkResult['failed'][number]> = []
  for (let at = 0; at < ids.length; at += PER_CALL) {
    const answer = await send(ids.slice(at, at + PER_CALL))
    changed += answer.changed
    failed.push(...answer.failed.map(({ name, message: reason }) => ({ name, reason })))
  }
  return { changed, failed }
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<AdminRecycleItem>> {
  const place = ({ groupName, spaceId, spaceName, path }: AdminRecycleItem): string =>
    [groupName === '' ? nameOfSpace({ id: spaceId, name: spaceName }, texts) : groupName, path]
      .filter((part) => part !== '')
      .join(' · ')
  const type = (item: AdminRecycleItem): string =>
    texts(item.file_type === 'Folder' ? 'recycle.all.folder' : 'recycle.all.file')
  const deleted = ({ deletedAt }: AdminRecycleItem): string => formatMinute(deletedAt)
  return [
    {
      id: 'name',
      header: texts('files.column.name'),
      narrow: 'title',
      width: 'minmax(160px, 2fr)',
      text: ({ name }) => name,
      cell: ({ name }) => (
        <span translate="no" title={name}>
          {name}
        </span>
      ),
    },
    {
      id: 'from',
      header: texts('recycle.column.from'),
      width: 'minmax(180px, 3fr)',
      text: place,
      cell: (item) => (
        <span translate="no" title={place(item)}>
          {place(item)}
        </span>
      ),
    },
    {
      id: 'account',
      header: texts('recycle.all.by'),
      width: 'minmax(110px, 1fr)',
      text: ({ account }) => account,
      cell: ({ account }) => <span translate="no">{account}</span>,
    },
    { id: 'type', header: texts('recycle.all.type'), width: '90px', text: type, cell: type },
    {
      id: 'size',
      header: texts('files.column.size'),
      isNumeric: true,
      width: '104px',
      text: ({ size }) => String(size),
      cell: ({ size }) => formatSize(size, texts.locale),
    },
    { id: 'deleted', header: texts('recycle.column.deleted'), width: TIME_WIDTH, text: deleted, cell: deleted },
  ]
}
