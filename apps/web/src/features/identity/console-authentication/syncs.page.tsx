import type { DirectorySync } from '@godwit/contract'
import { Link } from '@tanstack/react-router'
import { RefreshCw } from 'lucide-react'
import { useMemo } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { syncsSource } from './providers-source.ts'
import { outcomeText } from './sync-texts.ts'

const SHAPE = consoleShape({ sort: { by: 'started', order: 'desc' }, sortable: [], filters: [] })

/** Synchronizations and previews, the newest first. */
export function SyncsPage() {
  return useTextBundle('authentication') ? <Syncs /> : null
}

function Syncs() {
  const texts = useTexts()
  const columns = useMemo(() => columnsOf(texts), [texts])
  return (
    <ListPage
      name="directory-syncs"
      title={texts('authentication.syncs')}
      help={texts('authentication.syncs.help')}
      back={{ to: '/admin/authentication', label: texts('authentication.title') }}
      source={syncsSource}
      shape={SHAPE}
      filters={[]}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ providerName }) => providerName}
      empty={{
        icon: <RefreshCw size={28} />,
        title: texts('authentication.syncs.empty.title'),
        text: texts('authentication.syncs.empty.text'),
      }}
    />
  )
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<DirectorySync>> {
  const timeOf = ({ startedAt }: DirectorySync): string => formatTime(startedAt / 1000)
  const kindOf = ({ dryRun }: DirectorySync): string =>
    texts(dryRun ? 'authentication.sync.preview' : 'authentication.sync.real')
  const byOf = ({ by }: DirectorySync): string => (by === '' ? texts('authentication.sync.schedule') : by)
  return [
    {
      id: 'provider',
      header: texts('authentication.name'),
      narrow: 'title',
      width: 'minmax(140px, 1fr)',
      text: ({ providerName }) => providerName,
      cell: ({ id, providerName }) => (
        <Link to={`/admin/authentication/syncs/${id}`} translate="no">
          {providerName}
        </Link>
      ),
    },
    { id: 'started', header: texts('authentication.sync.started'), width: TIME_WIDTH, text: timeOf, cell: timeOf },
    { id: 'kind', header: texts('authentication.sync.kind'), width: '130px', text: kindOf, cell: kindOf },
    { id: 'by', header: texts('authentication.sync.by'), width: '130px', text: byOf, cell: byOf },
    {
      id: 'outcome',
      header: texts('authentication.sync.outcome'),
      width: 'minmax(240px, 2fr)',
      text: (sync) => outcomeText(texts, sync),
      cell: (sync) => outcomeText(texts, sync),
    },
  ]
}
