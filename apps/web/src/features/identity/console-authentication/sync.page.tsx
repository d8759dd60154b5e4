import { routes } from '@godwit/contract/table'
import type { DirectorySync, DirectorySyncChange } from '@godwit/contract'
import { DIRECTORY_CHANGES, type DirectoryChange } from '@godwit/contract/identity/provider-types'
import { useParams } from '@tanstack/react-router'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { useMemo } from 'react'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Ring } from '../../../ui/ring.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'
import { LoadedPage } from '../../console-kit/loaded-page.tsx'
import { isUnderWay, SYNCS, useStartSync, useSync } from './providers-source.ts'
import { outcomeText } from './sync-texts.ts'

const SHAPE = consoleShape({ sort: { by: 'account', order: 'asc' }, sortable: [], filters: ['change'] })

/** One synchronization, while it goes on and after: what it changes, account by account. */
export function SyncPage() {
  const texts = useTexts()
  const hasTexts = useTextBundle('authentication')
  const { syncId }: { readonly syncId?: string } = useParams({ strict: false })
  const query = useSync(syncId)
  const back = { to: '/admin/authentication/syncs', label: texts('authentication.syncs') }
  if (!hasTexts) return null
  return (
    <LoadedPage title={texts('authentication.syncs')} back={back} query={query}>
      {(sync) => <Sync key={sync.id} sync={sync} back={back} />}
    </LoadedPage>
  )
}

function Sync({ sync, back }: { readonly sync: DirectorySync; readonly back: { to: string; label: string } }) {
  const texts = useTexts()
  const source = useMemo(() => changesOf(sync.id, sync.state), [sync.id, sync.state])
  const columns = useMemo(() => columnsOf(texts), [texts])
  const kind = sync.dryRun ? 'authentication.sync.preview-of' : 'authentication.sync.real-of'
  return (
    <ListPage
      name="directory-changes"
      title={texts(kind, { name: sync.providerName })}
      help={outcomeText(texts, sync)}
      back={back}
      actions={<Next sync={sync} />}
      source={source}
      shape={SHAPE}
      filters={[
        {
          kind: 'choice',
          name: 'change',
          label: texts('authentication.change'),
          choices: DIRECTORY_CHANGES.map((value) => ({ value, label: texts(`authentication.change.${value}`) })),
        },
      ]}
      columns={columns}
      idOf={({ account, change }) => `${change} ${account}`}
      nameOf={({ account }) => account}
      empty={emptyOf(texts, sync)}
    />
  )
}

/** What stands in place of the changes; why there are none says the text below the title. */
function emptyOf(texts: Texts, sync: DirectorySync) {
  if (isUnderWay(sync)) return { icon: <Ring />, title: texts('authentication.sync.wait') }
  if (sync.state === 'failed')
    return { icon: <TriangleAlert size={28} />, title: texts('authentication.sync.failed.title') }
  return { icon: <CircleCheck size={28} />, title: texts('authentication.sync.none') }
}

/** What follows from a preview: doing exactly that much. */
function Next({ sync }: { readonly sync: DirectorySync }) {
  const texts = useTexts()
  const startSync = useStartSync()
  if (isUnderWay(sync)) return <Ring />
  const { counts, dryRun, state, providerId } = sync
  const isUseful = counts.add + counts.change + counts.lock + counts.unlock > 0
  if (!dryRun || state !== 'done' || !isUseful)
    return (
      <Button onClick={() => void startSync(providerId, { dryRun: true })}>{texts('authentication.sync.again')}</Button>
    )
  return (
    <Button kind="solid" onClick={() => void startSync(providerId, { dryRun: false, locksMax: counts.lock })}>
      {texts('authentication.sync.apply')}
    </Button>
  )
}

/** The list is asked for anew when the state is another one. */
function changesOf(syncId: string, state: string): ListSource<DirectorySyncChange> {
  return {
    key: `${SYNCS}-${syncId}-${state}`,
    load: (api, { page, pageSize: size, filters }, signal) => {
      const change = filters['change'] ?? ''
      const query = { page, size, ...(change === '' ? {} : { change: change as DirectoryChange }) }
      const options = signal === undefined ? {} : { signal }
      return api.call(routes.adminAuthentication.syncChanges, { params: { syncId }, query }, options)
    },
  }
}

const FIELDS = ['name', 'email', 'phone', 'department', 'groups', 'login', 'source'] as const
const REASONS = ['account-invalid', 'account-taken', 'disabled'] as const

/** Fields that change, or why somebody has no account. */
function detailText(texts: Texts, { detail }: DirectorySyncChange): string {
  const reason = REASONS.find((each) => each === detail)
  if (reason !== undefined) return texts(`authentication.skip.${reason}`)
  const fields = FIELDS.filter((field) => detail.split(' ').includes(field))
  return new Intl.ListFormat(texts.locale).format(fields.map((field) => texts(`authentication.field.${field}`)))
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<DirectorySyncChange>> {
  const tones = { add: 'good', unlock: 'good', lock: 'bad', change: 'plain', skip: 'plain' } as const
  return [
    {
      id: 'account',
      header: texts('users.account'),
      narrow: 'title',
      width: 'minmax(160px, 1fr)',
      text: ({ account }) => account,
      cell: ({ account }) => <span translate="no">{account}</span>,
    },
    {
      id: 'change',
      header: texts('authentication.change'),
      width: '140px',
      text: ({ change }) => texts(`authentication.change.${change}`),
      cell: ({ change }) => <Tag tone={tones[change]}>{texts(`authentication.change.${change}`)}</Tag>,
    },
    {
      id: 'detail',
      header: texts('authentication.detail'),
      width: 'minmax(200px, 2fr)',
      text: (row) => detailText(texts, row),
      cell: (row) => detailText(texts, row) || '-',
    },
  ]
}
