import type { OperationReply } from '@godwit/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { RECYCLE_KEYS, useFilesServices } from '../files/index.ts'

export type RecycledItem = OperationReply<'recycled'>['items'][number]

const PAGE_SIZE = 200

/** What is in the bin of the place that is shown, newest first, page after page. */
export function useRecycled(keyword: string) {
  const { operate, place } = useFilesServices()
  return useInfiniteQuery({
    queryKey: [...RECYCLE_KEYS, 'items', place, keyword],
    queryFn: ({ signal, pageParam: cursor }) =>
      operate('recycled', { ...place, cursor, keyword, limit: PAGE_SIZE }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

/** What the bytes of the place are used for. */
export function usePlaceUsage() {
  const { operate, place } = useFilesServices()
  return useQuery({
    queryKey: [...RECYCLE_KEYS, 'usage', place],
    queryFn: ({ signal }) => operate('usage', { ...place }, signal),
  })
}
