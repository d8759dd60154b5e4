import type { OperationReply } from '@godwit/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { MARK_KEYS, useFilesServices } from '../files/index.ts'

export type MarkKind = 'favorites' | 'recent'
export type MarkedItem = OperationReply<'favorites'>['items'][number]

const PAGE_SIZE = 100

/** Favorites of the space that is shown, or what was worked with lately in it, page after page. */
export function useMarked(kind: MarkKind) {
  const { operate, place } = useFilesServices()
  const { spaceId } = place
  return useInfiniteQuery({
    queryKey: [...MARK_KEYS, kind, spaceId],
    queryFn: ({ signal, pageParam: cursor }) => operate(kind, { spaceId, cursor, limit: PAGE_SIZE }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}
