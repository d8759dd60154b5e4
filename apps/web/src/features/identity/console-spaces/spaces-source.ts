import { routes } from '@godwit/contract/table'
import type { AdminSpace, AdminSpaceMember, AdminSpaceUsage } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import { nameOfSpace } from '../../../lib/space-name.ts'
import type { Texts } from '../../../lib/texts.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the key of every query about spaces. */
export const SPACES = 'spaces'

/** Spaces are few: the server sends all of them, and the page narrows them. */
export function spacesSource(texts: Texts): ListSource<AdminSpace> {
  return {
    key: SPACES,
    async load(api, { page, pageSize, sort, filters }, signal) {
      const { spaces } = await api.call(routes.adminSpaces.list, {}, signal === undefined ? {} : { signal })
      const text = (filters['text'] ?? '').toLowerCase()
      const direction = sort?.order === 'desc' ? -1 : 1
      const rows = spaces
        .filter((space) => nameOfSpace(space, texts).toLowerCase().includes(text))
        .toSorted((a, b) => nameOfSpace(a, texts).localeCompare(nameOfSpace(b, texts), texts.locale) * direction)
      return { rows: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length }
    },
  }
}

/**
 * One space out of the list, which holds all that is known of it. A form begins with what it has now, so nothing of before is kept.
 */
export function useSpace(spaceId: number) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', SPACES, 'one', spaceId],
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const { spaces } = await api.call(routes.adminSpaces.list, {}, { signal })
      return spaces.find(({ id }) => id === spaceId) ?? null
    },
  })
}

const NO_USAGE: ReadonlyMap<number, number> = new Map()

/** Bytes of visible files by space; it comes after the list, because counting takes a moment. */
export function useSpacesUsage(): ReadonlyMap<number, number> {
  const { api } = useServices()
  const { data } = useQuery({
    queryKey: ['console', SPACES, 'usage'],
    queryFn: ({ signal }) => api.call(routes.adminSpaces.usage, {}, { signal }),
    select: usageBySpace,
  })
  return data ?? NO_USAGE
}

function usageBySpace({ usage }: { readonly usage: readonly AdminSpaceUsage[] }): ReadonlyMap<number, number> {
  return new Map(usage.map(({ spaceId, bytes }) => [spaceId, bytes]))
}

/** First part of the key of every query about the members of a space. */
export function spaceMembersKey(spaceId: number): string {
  return `members of space ${spaceId}`
}

export function spaceMembersSource(spaceId: number): ListSource<AdminSpaceMember> {
  return {
    key: spaceMembersKey(spaceId),
    load: (api, { page, pageSize, filters }, signal) =>
      api.call(
        routes.adminSpaces.members,
        { params: { spaceId }, query: { page, size: pageSize, text: filters['text'] } },
        signal === undefined ? {} : { signal },
      ),
  }
}
