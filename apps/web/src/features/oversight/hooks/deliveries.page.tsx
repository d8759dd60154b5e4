import { routes } from '@godwit/contract/table'
import type { HookDelivery } from '@godwit/contract'
import { HOOK_DELIVERY_STATES, HOOK_EVENTS } from '@godwit/contract/oversight/hook-limits'
import { useParams } from '@tanstack/react-router'
import { RotateCcw, Send } from 'lucide-react'
import { useMemo } from 'react'
import { formatTime } from '../../../lib/formats.ts'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTexts } from '../../../lib/texts.tsx'
import { Button } from '../../../ui/button.tsx'
import { TIME_WIDTH } from '../../../ui/data-table/index.ts'
import { Tag } from '../../../ui/tag.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { type ListColumn, ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { outcomeText } from './hook-outcome.ts'
import styles from './hooks.module.css'
import { deliveriesSource, HOOKS, useHook } from './hooks-source.ts'

const SHAPE = consoleShape({ filters: ['state'] })

/** Calls of one webhook: which wait, which went through, which were given up. */
export function DeliveriesPage() {
  const texts = useTexts()
  const { hookId = '' }: { readonly hookId?: string } = useParams({ strict: false })
  const source = useMemo(() => deliveriesSource(hookId), [hookId])
  const columns = useMemo(() => columnsOf(texts), [texts])
  const { data: hook } = useHook(hookId)
  const replay = useReplay(hookId, source.key)
  return (
    <ListPage
      name="hook-deliveries"
      title={texts('hooks.deliveries.of', { name: hook?.name ?? '' })}
      help={texts('hooks.deliveries.help')}
      back={{ to: '/admin/hooks', label: texts('hooks.title') }}
      actions={<Button onClick={() => replay()}>{texts('hooks.replay.failed')}</Button>}
      source={source}
      shape={SHAPE}
      filters={[
        {
          kind: 'choice',
          name: 'state',
          label: texts('hooks.state'),
          choices: HOOK_DELIVERY_STATES.map((value) => ({ value, label: texts(`hooks.delivery.${value}`) })),
        },
      ]}
      columns={columns}
      idOf={({ id }) => id}
      nameOf={({ event, id }) => `${event} ${id}`}
      rowActions={[
        {
          name: 'replay-delivery',
          label: 'hooks.replay',
          group: 'general',
          icon: RotateCcw,
          when: ({ state }) => state !== 'waiting',
          run: ({ id }) => replay([id]),
        },
      ]}
      renderDetail={(delivery) => <Detail {...delivery} />}
      empty={{
        icon: <Send size={28} />,
        title: texts('hooks.deliveries.empty.title'),
        text: texts('hooks.deliveries.empty.text'),
      }}
    />
  )
}

/** In words, with the name that the receiver gets. */
function EventName({ event }: Pick<HookDelivery, 'event'>) {
  const texts = useTexts()
  const known = HOOK_EVENTS.find((each) => each === event)
  return (
    <span>
      {known !== undefined && `${texts(`hooks.event.${known}`)} `}
      <span className={styles['event']} translate="no">
        {event}
      </span>
    </span>
  )
}

function useReplay(hookId: string, key: string): (deliveryIds?: readonly string[]) => void {
  const texts = useTexts()
  const { api, messages } = useServices()
  const [refreshLog, refreshHooks] = [useRefresh(key), useRefresh(HOOKS)]
  const send = async (deliveryIds?: readonly string[]): Promise<void> => {
    const body = deliveryIds === undefined ? {} : { deliveryIds: [...deliveryIds] }
    const { count } = await api.call(routes.hooks.replay, { params: { hookId }, body })
    messages.notify('success', texts('hooks.replay.done', { count }))
    await Promise.all([refreshLog(), refreshHooks()])
  }
  return (deliveryIds) => void send(deliveryIds).catch((error: unknown) => messages.fail(error, texts))
}

function Detail({ id, body, answer, nextAt }: HookDelivery) {
  const texts = useTexts()
  return (
    <div className={styles['delivery']}>
      <div>
        <h3>{texts('hooks.id')}</h3>
        <pre translate="no">{id}</pre>
      </div>
      <div>
        <h3>{texts('hooks.body')}</h3>
        <pre translate="no">{body}</pre>
      </div>
      {answer !== '' && (
        <div>
          <h3>{texts('hooks.answer')}</h3>
          <pre translate="no">{answer}</pre>
        </div>
      )}
      {nextAt !== null && <p>{texts('hooks.next', { time: formatTime(nextAt / 1000) })}</p>}
    </div>
  )
}

function columnsOf(texts: Texts): ReadonlyArray<ListColumn<HookDelivery>> {
  const stateText = ({ state }: HookDelivery): string => texts(`hooks.delivery.${state}`)
  const outcome = (delivery: HookDelivery): string => outcomeText(delivery, texts)
  const created = ({ createdAt }: HookDelivery): string => formatTime(createdAt / 1000)
  const tried = ({ triedAt }: HookDelivery): string => (triedAt === null ? '-' : formatTime(triedAt / 1000))
  return [
    {
      id: 'event',
      header: texts('hooks.event'),
      narrow: 'title',
      width: 'minmax(150px, 1fr)',
      text: ({ event }) => event,
      cell: ({ event }) => <EventName event={event} />,
    },
    {
      id: 'state',
      header: texts('hooks.state'),
      width: '120px',
      text: stateText,
      cell: (delivery) => (
        <Tag tone={delivery.state === 'delivered' ? 'good' : delivery.state === 'failed' ? 'bad' : 'plain'}>
          {stateText(delivery)}
        </Tag>
      ),
    },
    { id: 'outcome', header: texts('hooks.outcome'), width: 'minmax(150px, 1fr)', text: outcome, cell: outcome },
    {
      id: 'attempts',
      header: texts('hooks.attempts'),
      isNumeric: true,
      width: '80px',
      text: ({ attempts }) => String(attempts),
      cell: ({ attempts }) => attempts,
    },
    { id: 'created', header: texts('hooks.created'), width: TIME_WIDTH, text: created, cell: created },
    { id: 'tried', header: texts('hooks.tried'), width: TIME_WIDTH, text: tried, cell: tried },
  ]
}
