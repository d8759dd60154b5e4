import type { OperationLogEntry } from '@godwit/contract'
import { OPERATION_KINDS } from '@godwit/contract/oversight/operation-names'
import { ClipboardList } from 'lucide-react'
import { useMemo } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import type { Filter } from '../../../ui/filter-bar.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRight } from '../administration/index.ts'
import { ExportLog } from './export-log.tsx'
import { OPERATION_RESULTS, operationsSource } from './log-source.ts'
import { operationText } from './operation-text.ts'
import { OperationDetail } from './operation-detail.tsx'

const SHAPE = consoleShape({ filters: ['text', 'kind', 'result', 'from', 'to'] })

/** Everything that was changed: by whom, from where, what before and what after. */
export function OperationsPage() {
  const texts = useTexts()
  const canExport = useRight('log.export')
  const columns = useMemo(() => columnsOf(texts), [texts])
  return (
    <ListPage
      name="operations"
      title={texts('log.operations')}
      help={texts('log.operations.help')}
      actions={canExport && <ExportLog />}
      source={operationsSource}
      shape={SHAPE}
      filters={filtersOf(texts)}
      columns={columns}
      idOf={({ seq }) => String(seq)}
      nameOf={({ operation, target }) => `${operationText(operation, texts)} ${target}`}
      renderDetail={(entry) => <OperationDetail entry={entry} />}
      empty={{
        icon: <ClipboardList size={28} />,
        title: texts('log.operations.empty.title'),
        text: texts('log.operations.empty.text'),
      }}
    />
  )
}

function filtersOf(texts: Texts): readonly Filter[] {
  return [
    { kind: 'search', name: 'text', label: texts('log.filter.text') },
    {
      kind: 'choice',
      name: 'kind',
      label: texts('log.target-kind'),
      choices: OPERATION_KINDS.map((value) => ({ value, label: texts(`operation-kind.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'result',
      label: texts('log.result'),
      choices: OPERATION_RESULTS.map((value) => ({ value, label: texts(`log.result.${value}`) })),
    },
    { kind: 'day', name: 'from', label: texts('log.from') },
    { kind: 'day', name: 'to', label: texts('log.to') },
  ]
}

/** One entry a column: a list, and nothing to split. */
function columnsOf(texts: Texts): ReadonlyArray<ListColumn<OperationLogEntry>> {
  const actor = (entry: OperationLogEntry): string => (entry.actor === '' ? texts('log.actor.server') : entry.actor)
  return [
    {
      id: 'time',
      header: texts('log.time'),
      narrow: 'title',
      width: '200px',
      text: ({ at }) => formatTime(at / 1000),
      cell: ({ at }) => formatTime(at / 1000),
    },
    {
      id: 'actor',
      header: texts('log.actor'),
      width: 'minmax(120px, 1fr)',
      text: actor,
      cell: (entry) => <span translate="no">{actor(entry)}</span>,
    },
    {
      id: 'operation',
      header: texts('log.operation'),
      width: 'minmax(150px, 1.2fr)',
      text: ({ operation }) => operationText(operation, texts),
      cell: ({ operation }) => operationText(operation, texts),
    },
    {
      id: 'target',
      header: texts('log.target'),
      width: 'minmax(140px, 1.2fr)',
      text: ({ target }) => target,
      cell: ({ target }) => <span translate="no">{target === '' ? '-' : target}</span>,
    },
    {
      id: 'result',
      header: texts('log.result'),
      width: '150px',
      text: ({ result }) => result,
      cell: ({ result }) =>
        result === 'ok' ? texts('log.result.ok') : <Tag tone="bad">{texts('log.result.failed')}</Tag>,
    },
    {
      id: 'address',
      header: texts('console-sessions.address'),
      width: '150px',
      text: ({ address }) => address,
      cell: ({ address }) => <span translate="no">{address === '' ? '-' : address}</span>,
    },
    {
      id: 'door',
      header: texts('log.door'),
      isExtra: true,
      width: '110px',
      text: ({ door }) => door,
      cell: ({ door }) => <span translate="no">{door}</span>,
    },
    {
      id: 'at',
      header: texts('log.sequence'),
      isExtra: true,
      isNumeric: true,
      width: TIME_WIDTH,
      text: ({ seq }) => String(seq),
      cell: ({ seq }) => seq,
    },
  ]
}
