import { routes } from '@godwit/contract/table'
import type { AdminTransfer, TransferState } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import type { Api } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { endOfDay, startOfDay } from '../../console-kit/days.ts'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the key of every query about transfers. */
export const TRANSFERS = 'transfers'

export const LIVE_STATES = ['running', 'paused', 'interrupted', 'waiting'] as const satisfies readonly TransferState[]
export const PAST_STATES = [
  'completed',
  'partial',
  'failed',
  'cancelled',
  'expired',
] as const satisfies readonly TransferState[]
export const DIRECTIONS = ['upload', 'download'] as const

export type TransferListName = 'live' | 'past'

/** A running transfer says how far it is about once a second. */
const REFRESH_MS = 1_000

function load(view: TransferListName, states: readonly TransferState[]): ListSource<AdminTransfer>['load'] {
  return (api, { page, pageSize, filters: { text, state, direction, from, to } }, signal) =>
    api.call(
      routes.adminTransfers.list,
      {
        query: {
          ...{ view, page, size: pageSize, text },
          state: states.find((each) => each === state),
          direction: DIRECTIONS.find((each) => each === direction),
          from: startOfDay(from),
          to: endOfDay(to),
        },
      },
      // That transfers move on is no activity of the person who looks at them.
      { quiet: view === 'live', ...(signal === undefined ? {} : { signal }) },
    )
}

export const SOURCES: Readonly<Record<TransferListName, ListSource<AdminTransfer>>> = {
  live: { key: TRANSFERS, load: load('live', LIVE_STATES), refreshMs: REFRESH_MS },
  past: { key: TRANSFERS, load: load('past', PAST_STATES) },
}

/** One transfer with its failed files; asked for again while it moves. */
export function useTransfer(transferId: string) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', TRANSFERS, 'one', transferId],
    queryFn: ({ signal }) => api.call(routes.adminTransfers.get, { params: { transferId } }, { quiet: true, signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || isLive(data.transfer) ? REFRESH_MS : false),
  })
}

export function isLive({ state }: Pick<AdminTransfer, 'state'>): boolean {
  return LIVE_STATES.some((each) => each === state)
}

export type TransferAction = 'pause' | 'resume' | 'cancel'

export async function controlTransfers(api: Api, ids: readonly string[], action: TransferAction): Promise<number> {
  return (await api.call(routes.adminTransfers.control, { body: { transferIds: [...ids], action } })).changed
}
