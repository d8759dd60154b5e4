import { routes } from '@godwit/contract/table'
import type { Notice } from '@godwit/contract'
import { LIMITS } from '@godwit/contract/limits'
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Api } from '../../../lib/http.ts'
import { followPushed } from '../../../lib/pushed-query.ts'
import { useServices } from '../../../lib/services.tsx'
import { useFilesServices } from '../../content/files/index.ts'

/** One page of notices, and how many of all are unread. */
export interface NoticePage {
  readonly notices: readonly Notice[]
  readonly total: number
  readonly unread: number
}

const LISTS = ['notices', 'list']
const UNREAD = ['notices', 'unread']
/** While the file socket is away nothing is pushed. */
const POLL_MS = 60_000

export async function loadPage(api: Api, { page, pageSize, signal }: Wanted): Promise<NoticePage> {
  const query = { pageNum: page, pageSize }
  const answer = await api.call(routes.notices.list, { query }, { signal, quiet: true })
  return { notices: answer.notic_list, total: answer.total, unread: answer.unread }
}

interface Wanted {
  readonly page: number
  readonly pageSize: number
  readonly signal: AbortSignal
}

export function useNotices(page: number, pageSize: number) {
  const { api } = useServices()
  return useQuery({
    queryKey: [...LISTS, page, pageSize],
    queryFn: ({ signal }) => loadPage(api, { page, pageSize, signal }),
    placeholderData: keepPreviousData,
  })
}

/** Unread notices: pushed over the file socket, and counted in a list of 50 when the page opens or the socket is away. */
export function useUnread(): number {
  const { api } = useServices()
  const { socket } = useFilesServices()
  const client = useQueryClient()
  useEffect(
    () => followPushed(client, socket, { event: 'notice.changed', queryKey: UNREAD, take: ({ unread }) => unread }),
    [socket, client],
  )
  useEffect(
    () => socket.on('notice.changed', () => void client.invalidateQueries({ queryKey: LISTS })),
    [socket, client],
  )
  const { data } = useQuery({
    queryKey: UNREAD,
    queryFn: async ({ signal }) =>
      (await loadPage(api, { page: 1, pageSize: LIMITS.noticeUnreadFetch, signal })).unread,
    staleTime: POLL_MS,
    refetchInterval: () => (socket.online.get() ? false : POLL_MS),
  })
  return data ?? 0
}

/** Marks notices read, on the screen at once; when the server refuses, they are unread again. */
export async function markRead(api: Api, client: QueryClient, notices: readonly Notice[]): Promise<void> {
  const unread = notices.filter(({ isShowed }) => isShowed === 0)
  if (unread.length === 0) return
  const ids = new Set(unread.map(({ id }) => id))
  client.setQueryData<number>(UNREAD, (count = ids.size) => Math.max(0, count - ids.size))
  client.setQueriesData<NoticePage>({ queryKey: LISTS }, (page) => page && withRead(page, ids))
  try {
    const answer = await api.call(routes.notices.markRead, { body: { noticeIds: [...ids] } })
    client.setQueryData(UNREAD, answer.unread)
  } catch (error) {
    await client.invalidateQueries({ queryKey: ['notices'] })
    throw error
  }
}

function withRead(page: NoticePage, ids: ReadonlySet<string>): NoticePage {
  return { ...page, notices: page.notices.map((each) => (ids.has(each.id) ? { ...each, isShowed: 1 } : each)) }
}
