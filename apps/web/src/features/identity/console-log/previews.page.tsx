import type { PreviewLogEntry } from '@godwit/contract'
import { Eye } from 'lucide-react'
import { useMemo } from 'react'
import { formatDuration, formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import type { Filter } from '../../../ui/filter-bar.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { previewsSource } from './log-source.ts'

const SHAPE = consoleShape({ filters: ['text', 'from', 'to'] })

/** Who looked at which file in the last 90 days, and for how long. */
export function PreviewsPage() {
  const texts = useTexts()
  const columns = useMemo(() => columnsOf(texts), [texts])
  return (
    <ListPage
      name="previews"
      title={texts('log.previews')}
      help={texts('log.previews.help')}
      source={previewsSource}
      shape={SHAPE}
      filters={filtersOf(texts)}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ path, at }) => `${nameOf(path)} ${formatTime(at / 1000)}`}
      empty={{
        icon: <Eye size={28} />,
        title: texts('log.previews.empty.title'),
        text: texts('log.previews.empty.text'),
      }}
    />
  )
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function filtersOf(texts: Texts): readonly Filter[] {
  return [
    { kind: 'search', name: 'text', label: texts('log.previews.filter') },
    { kind: 'day', name: 'from', label: texts('log.from') },
    { kind: 'day', name: 'to', label: texts('log.to') },
  ]
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<PreviewLogEntry>> {
  const viewerOf = ({ viewer, link }: PreviewLogEntry): string =>
    link === '' ? viewer : texts('log.previews.guest', { viewer: viewer === '' ? '-' : viewer, link })
  const duration = ({ durationMs }: PreviewLogEntry): string =>
    formatDuration(Math.ceil(durationMs / 1000), texts.locale)
  return [
    {
      id: 'time',
      header: texts('log.previews.start'),
      width: '180px',
      text: ({ at }) => formatTime(at / 1000),
      cell: ({ at }) => formatTime(at / 1000),
    },
    {
      id: 'file',
      header: texts('log.previews.file'),
      narrow: 'title',
      width: 'minmax(180px, 2fr)',
      text: ({ path }) => path,
      cell: ({ path }) => (
        <span translate="no" title={path}>
          {nameOf(path)}
        </span>
      ),
    },
    {
      id: 'viewer',
      header: texts('log.previews.viewer'),
      narrow: 'line',
      width: 'minmax(140px, 1.4fr)',
      text: viewerOf,
      cell: (row) => <span translate="no">{viewerOf(row)}</span>,
    },
    {
      id: 'duration',
      header: texts('log.previews.duration'),
      width: '150px',
      text: duration,
      cell: (row) => (row.isOpen ? <Tag tone="good">{texts('log.previews.open')}</Tag> : duration(row)),
    },
    {
      id: 'address',
      header: texts('console-sessions.address'),
      width: '150px',
      text: ({ address }) => address,
      cell: ({ address }) => <span translate="no">{address}</span>,
    },
  ]
}
