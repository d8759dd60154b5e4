import { visits } from '@godwit/contract/table/visits'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ListSort } from '../../../lib/list-address.ts'
import { isFailure } from '../../../lib/http.ts'
import { useStore } from '../../../lib/store.ts'
import type { Visit } from './visit.ts'

const PAGE = 500

const ORDERS = ['name', 'size', 'time'] as const

/** The entries of a shared folder, page by page. */
export function useVisitFolder({ api, linkId, session, listed }: Visit, folder: string, sort: ListSort) {
  const hasBegun = useStore(session) !== undefined
  const orderBy = ORDERS.find((each) => each === sort.by) ?? 'name'
  const query = useInfiniteQuery({
    queryKey: ['visit', linkId, folder, orderBy, sort.order],
    // The visit may be only beginning.
    enabled: hasBegun,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      api.call(
        visits.list,
        { body: { folder, limit: PAGE, orderBy, order: sort.order, ...(pageParam && { cursor: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ next }) => next ?? undefined,
    // Another order of the same folder keeps the rows on the screen until the new one is there, and so does what came with the page.
    placeholderData: (previous, before) => {
      if (before?.queryKey[2] === folder) return keepPreviousData(previous)
      return folder === '/' && listed !== undefined ? { pages: [listed], pageParams: [undefined] } : undefined
    },
    // What changed in between makes the rest of the old pages worthless: then from the start.
    retry: (count, error) => count < 1 && isFailure(error, 'CURSOR_INVALID'),
  })
  const pages = query.data?.pages
  return { ...query, rows: pages?.flatMap(({ items }) => items), total: pages?.[0]?.total ?? 0 }
}

/** An arrival is counted a moment after the file is there, so what is missing is looked at again until nothing is. */
const LOOK_AGAIN_MS = 2_000

/** What the owner asks for, and what of it has come. */
export function useVisitRequest({ api, linkId }: Visit) {
  return useQuery({
    queryKey: ['visit', linkId, 'request'],
    queryFn: ({ signal }) => api.call(visits.request, {}, { signal, quiet: true }),
    refetchInterval: ({ state: { data } }) => (data?.state?.isComplete === false ? LOOK_AGAIN_MS : false),
  })
}
