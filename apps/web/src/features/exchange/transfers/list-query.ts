import type { TransferView } from '@godwit/contract'
import { type TransferGroup, TRANSFER_GROUPS } from '@godwit/contract/exchange/transfer-states'
import { routes } from '@godwit/contract/table'
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useServices } from '../../../lib/services.tsx'
import { useFilesServices } from '../../content/files/index.ts'

const KEY = ['transfer-list']
const FETCHED = 200
/** While the file socket is away nothing is pushed. */
const POLL_MS = 5_000
/** News of transfers that are not in the list come in bursts. */
const REFETCH_MS = 1_000

export interface ListFilter {
  readonly group: TransferGroup | undefined
  readonly direction: 'upload' | 'download' | undefined
  readonly text: string
}

/** Reads the filters of an address; what makes no sense counts as not given. */
export function filterOf(filters: Readonly<Record<string, string>>): ListFilter {
  const { q = '', state, direction } = filters
  return {
    text: q,
    group: TRANSFER_GROUPS.find((group) => group === state),
    direction: direction === 'upload' || direction === 'download' ? direction : undefined,
  }
}

type Page = { readonly items: readonly TransferView[]; readonly next: string }

/** Transfers of the account by every way; what changes is followed, what is new comes by itself. */
export function useTransferList({ group, direction, text }: ListFilter) {
  const { api } = useServices()
  const { socket } = useFilesServices()
  const client = useQueryClient()
  const key = [...KEY, group ?? '', direction ?? '', text]
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const stop = socket.on('transfer.changed', ({ transfer }) => {
      let isKnown = false
      client.setQueriesData<InfiniteData<Page>>({ queryKey: KEY }, (data) => {
        if (data === undefined) return data
        return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replaced) })) }
      })
      function replaced(item: TransferView): TransferView {
        if (item.transferId !== transfer.transferId) return item
        isKnown ||= item.state === transfer.state
        return item.updatedAt > transfer.updatedAt ? item : transfer
      }
      // A new one, or one that another filter may show now.
      if (isKnown || timer.current !== undefined) return
      timer.current = setTimeout(() => {
        timer.current = undefined
        void client.invalidateQueries({ queryKey: KEY })
      }, REFETCH_MS)
    })
    return () => {
      clearTimeout(timer.current)
      timer.current = undefined
      stop()
    }
  }, [socket, client])
  return useInfiniteQuery({
    queryKey: key,
    initialPageParam: '',
    queryFn: ({ signal, pageParam }): Promise<Page> => {
      const query = {
        limit: FETCHED,
        ...(pageParam === '' ? {} : { after: pageParam }),
        ...(group === undefined ? {} : { group }),
        ...(direction === undefined ? {} : { direction }),
        ...(text === '' ? {} : { text }),
      }
      return api.call(routes.transfers.list, { query }, { signal, quiet: true })
    },
    getNextPageParam: ({ next }) => (next === '' ? undefined : next),
    placeholderData: (before) => before,
    refetchInterval: () => (socket.online.get() ? false : POLL_MS),
  })
}
