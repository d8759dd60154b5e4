import type { ParkedEventRow } from '@godwit/contract'
import { routes } from '@godwit/contract/table'
import { CircleCheck, RotateCcw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { EVENTS, eventsSource } from './operations-source.ts'
import { useAgain } from './use-again.ts'

const SHAPE = consoleShape({ filters: [] })

/** Events that a part of the server could not handle. */
export function ParkedEventsPage() {
  return useTextBundle('dashboard') ? <ParkedEvents /> : null
}

function ParkedEvents() {
  const texts = useTexts()
  const { api } = useServices()
  const refresh = useRefresh(EVENTS)
  const [asked, setAsked] = useState<ParkedEventRow>()
  const columns = useMemo(() => columnsOf(texts), [texts])
  const again = useAgain({
    name: 'retry-events',
    texts: 'parked-events',
    send: async (ids) => (await api.call(routes.dashboard.retryEvents, { body: { events: ids.map(eventOf) } })).retried,
  })
  return (
    <>
      <ListPage
        name="parked-events"
        title={texts('parked-events.title')}
        help={texts('parked-events.help')}
        back={{ to: '/admin/jobs', label: texts('failed-jobs.title') }}
        source={eventsSource}
        shape={SHAPE}
        filters={[]}
        columns={columns}
        idOf={idOf}
        nameOf={({ type, subscriber }) => `${type} ${subscriber}`}
        rowActions={[
          { name: 'retry-event', label: 'parked-events.again', group: 'general', icon: RotateCcw, run: setAsked },
        ]}
        bulk={[again]}
        isByIds
        empty={{
          icon: <CircleCheck size={28} />,
          title: texts('parked-events.empty.title'),
          text: texts('parked-events.empty.text'),
        }}
      />
      {asked !== undefined && (
        <BulkDialog
          action={again}
          choose={() => ({ ids: [idOf(asked)] })}
          count={1}
          onDone={() => void refresh()}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Names of subscribers have no slash. */
function idOf({ subscriber, position }: ParkedEventRow): string {
  return `${position}/${subscriber}`
}

function eventOf(id: string): { readonly subscriber: string; readonly position: number } {
  const at = id.indexOf('/')
  return { position: Number(id.slice(0, at)), subscriber: id.slice(at + 1) }
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<ParkedEventRow>> {
  const parkedAt = (event: ParkedEventRow): string => formatTime(event.parkedAt / 1000)
  return [
    {
      id: 'type',
      header: texts('parked-events.type'),
      narrow: 'title',
      width: 'minmax(140px, 1fr)',
      text: ({ type }) => type,
      cell: ({ type }) => <span translate="no">{type}</span>,
    },
    {
      id: 'subscriber',
      header: texts('parked-events.subscriber'),
      width: 'minmax(160px, 1fr)',
      text: ({ subscriber }) => subscriber,
      cell: ({ subscriber }) => <span translate="no">{subscriber}</span>,
    },
    {
      id: 'reason',
      header: texts('failed-jobs.reason'),
      width: 'minmax(220px, 3fr)',
      text: ({ reason }) => reason,
      cell: ({ reason }) => (
        <span translate="no" title={reason}>
          {reason}
        </span>
      ),
    },
    {
      id: 'attempts',
      header: texts('failed-jobs.attempts'),
      isNumeric: true,
      width: '90px',
      text: ({ attempts }) => String(attempts),
      cell: ({ attempts }) => attempts,
    },
    { id: 'parked', header: texts('parked-events.at'), width: TIME_WIDTH, text: parkedAt, cell: parkedAt },
  ]
}
