import type { AdminTransfer } from '@godwit/contract'
import { canPause } from '@godwit/contract/exchange/transfer-states'
import { ArrowLeftRight, Gauge, Pause, Play, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Action } from '../../../lib/actions.tsx'
import { useServices } from '../../../lib/services.tsx'
import { type Texts, useTextBundle, useTexts } from '../../../lib/texts.tsx'
import type { Filter } from '../../../ui/filter-bar.tsx'
import type { BulkAction } from '../../console-kit/bulk.ts'
import { BulkDialog } from '../../console-kit/bulk-dialog.tsx'
import { consoleShape } from '../../console-kit/console-shape.ts'
import { ListPage } from '../../console-kit/list-page.tsx'
import { useRefresh } from '../../console-kit/list-source.ts'
import { useRight } from '../../identity/administration/index.ts'
import { LimitDialog } from './limit.dialog.tsx'
import { columnsOf } from './transfer-columns.tsx'
import { TransferDrawer } from './transfer-drawer.tsx'
import {
  controlTransfers,
  DIRECTIONS,
  LIVE_STATES,
  PAST_STATES,
  SOURCES,
  TRANSFERS,
  type TransferAction,
  type TransferListName,
} from './transfers-source.ts'

const SHAPE = consoleShape({ filters: ['text', 'state', 'direction', 'from', 'to'] })

/** Transfers of everybody that wait, run or can go on. */
export function LiveTransfersPage() {
  return <TransferList list="live" />
}

/** Those that are over. */
export function TransferLogPage() {
  return <TransferList list="past" />
}

function TransferList({ list }: { readonly list: TransferListName }) {
  const hasWords = useTextBundle('transfers')
  const hasTexts = useTextBundle('places')
  return hasWords && hasTexts ? <Transfers key={list} list={list} /> : null
}

type Question =
  | { readonly kind: 'limit'; readonly transfer: AdminTransfer }
  | { readonly kind: 'cancel'; readonly transfer: AdminTransfer }

function Transfers({ list }: { readonly list: TransferListName }) {
  const texts = useTexts()
  const canControl = useRight('transfers.control')
  const refresh = useRefresh(TRANSFERS)
  const [question, setQuestion] = useState<Question>()
  const columns = useMemo(() => columnsOf(texts, list), [texts, list])
  const [pause, resume, cancel] = [useControl('pause'), useControl('resume'), useControl('cancel')]
  const close = (): void => setQuestion(undefined)
  const rowActions = useRowActions(setQuestion)
  const isControlled = canControl && list === 'live'
  return (
    <>
      <ListPage
        name={`transfers-${list}`}
        title={texts(list === 'live' ? 'console-transfers.live' : 'console-transfers.log')}
        help={texts(`console-transfers.${list}.help`)}
        source={SOURCES[list]}
        shape={SHAPE}
        filters={filtersOf(texts, list)}
        columns={columns}
        idOf={({ transferId }) => transferId}
        nameOf={({ name }) => name}
        {...(isControlled ? { rowActions, bulk: [pause, resume, cancel], isByIds: true } : {})}
        empty={{
          icon: <ArrowLeftRight size={28} />,
          title: texts(`console-transfers.${list}.empty`),
          text: texts('console-transfers.empty.text'),
        }}
        renderDrawer={(id, onClose) => (
          <TransferDrawer
            id={id}
            canControl={canControl}
            onLimit={(transfer) => setQuestion({ kind: 'limit', transfer })}
            onClose={onClose}
          />
        )}
      />
      {question?.kind === 'limit' && (
        <LimitDialog transfer={question.transfer} onDone={() => void refresh()} onClose={close} />
      )}
      {question?.kind === 'cancel' && (
        <BulkDialog
          action={cancel}
          choose={() => ({ ids: [question.transfer.transferId] })}
          count={1}
          onDone={() => void refresh()}
          onClose={close}
        />
      )}
    </>
  )
}

function useRowActions(ask: (question: Question) => void): ReadonlyArray<Action<AdminTransfer>> {
  const texts = useTexts()
  const { api, messages } = useServices()
  const refresh = useRefresh(TRANSFERS)
  const control = async ({ transferId }: AdminTransfer, action: TransferAction): Promise<void> => {
    try {
      await controlTransfers(api, [transferId], action)
    } catch (error) {
      messages.fail(error, texts)
    }
    await refresh()
  }
  return [
    {
      name: 'pause-transfer',
      label: 'console-transfers.pause',
      group: 'general',
      icon: Pause,
      when: (transfer) => transfer.state === 'running' && canPause(transfer),
      run: (transfer) => void control(transfer, 'pause'),
    },
    {
      name: 'resume-transfer',
      label: 'console-transfers.resume',
      group: 'general',
      icon: Play,
      when: (transfer) => transfer.state === 'paused' && canPause(transfer),
      run: (transfer) => void control(transfer, 'resume'),
    },
    {
      name: 'limit-transfer',
      label: 'console-transfers.limit',
      group: 'general',
      icon: Gauge,
      when: ({ door }) => door === 'transfer',
      run: (transfer) => ask({ kind: 'limit', transfer }),
    },
    {
      name: 'cancel-transfer',
      label: 'console-transfers.cancel',
      group: 'general',
      icon: X,
      run: (transfer) => ask({ kind: 'cancel', transfer }),
    },
  ]
}

const ICONS = { pause: Pause, resume: Play, cancel: X } as const
/** As the contract bounds them. */
const TRANSFERS_PER_CALL = 1000

function useControl(action: TransferAction): BulkAction {
  const texts = useTexts()
  const { api } = useServices()
  return {
    name: `${action}-transfers`,
    label: `console-transfers.${action}`,
    icon: ICONS[action],
    ...(action === 'cancel' ? { tone: 'danger' } : {}),
    title: (count) => texts(`console-transfers.${action}.title`, { count }),
    text: () => texts(`console-transfers.${action}.text`),
    verb: texts(`console-transfers.${action}`),
    done: (count) => texts('console-transfers.done', { count }),
    async run(chosen) {
      const ids = 'ids' in chosen ? chosen.ids : []
      let changed = 0
      for (let at = 0; at < ids.length; at += TRANSFERS_PER_CALL) {
        changed += await controlTransfers(api, ids.slice(at, at + TRANSFERS_PER_CALL), action)
      }
      return { changed, failed: [] }
    },
  }
}

function filtersOf(texts: Texts, list: TransferListName): readonly Filter[] {
  const states = list === 'live' ? LIVE_STATES : PAST_STATES
  return [
    { kind: 'search', name: 'text', label: texts('console-transfers.filter') },
    {
      kind: 'choice',
      name: 'state',
      label: texts('console-transfers.state'),
      choices: states.map((value) => ({ value, label: texts(`transfers.state.${value}`) })),
    },
    {
      kind: 'choice',
      name: 'direction',
      label: texts('console-transfers.direction'),
      choices: DIRECTIONS.map((value) => ({ value, label: texts(`transfers.${value}`) })),
    },
    { kind: 'day', name: 'from', label: texts('log.from') },
    { kind: 'day', name: 'to', label: texts('log.to') },
  ]
}
