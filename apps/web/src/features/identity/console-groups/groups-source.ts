import { routes } from '@godwit/contract/table'
import type { AdminGroup, AdminGroupMember } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the key of every query about groups. */
export const GROUPS = 'groups'

export const groupsSource: ListSource<AdminGroup> = {
  key: GROUPS,
  load: (api, { page, pageSize, sort, filters }, signal) =>
    api.call(
      routes.adminGroups.list,
      {
        query: {
          page,
          size: pageSize,
          text: filters['text'],
          sort: sort?.by === 'created' ? 'created' : 'name',
          order: sort?.order ?? 'asc',
        },
      },
      signal === undefined ? {} : { signal },
    ),
}

export function membersSource(groupId: number): ListSource<AdminGroupMember> {
  return {
    key: membersKey(groupId),
    load: (api, { page, pageSize, filters }, signal) =>
      api.call(
        routes.adminGroups.members,
        { params: { groupId }, query: { page, size: pageSize, text: filters['text'] } },
        signal === undefined ? {} : { signal },
      ),
  }
}

/** First part of the key of every query about the members of a group. */
export function membersKey(groupId: number): string {
  return `members of ${groupId}`
}

/** A form begins with what it has now, so nothing of before is kept. */
export function useGroup(groupId: number) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', GROUPS, 'one', groupId],
    gcTime: 0,
    queryFn: async ({ signal }) => (await api.call(routes.adminGroups.get, { params: { groupId } }, { signal })).group,
  })
}
