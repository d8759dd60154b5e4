import { routes } from '@godwit/contract/table'
import type { AdminUser, AdminUserFilter, ChosenUsers } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import type { Chosen } from '../../console-kit/bulk.ts'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the key of every query about accounts. */
export const USERS = 'users'

/** By what the list may be sorted and narrowed; the page carries no schema to read it from. */
export const USER_SORTS = ['account', 'name', 'email', 'created', 'lastSignIn'] as const
export const USER_STATES = ['online', 'locked', 'active'] as const

/** Who is online changes by itself. */
const REFRESH_MS = 20_000

export const usersSource: ListSource<AdminUser> = {
  key: USERS,
  refreshMs: REFRESH_MS,
  load: (api, { page, pageSize, sort, filters }, signal) =>
    api.call(
      routes.adminUsers.list,
      {
        query: {
          page,
          size: pageSize,
          ...filterOf(filters),
          sort: USER_SORTS.find((each) => each === sort?.by) ?? 'account',
          order: sort?.order ?? 'asc',
        },
      },
      // A list that renews itself is no activity of the person.
      { quiet: true, ...(signal === undefined ? {} : { signal }) },
    ),
}

/** The filters of the address as the wire has them. */
function filterOf(filters: Readonly<Record<string, string>>): AdminUserFilter {
  const { text, type, departmentId, groupId } = filters
  const state = USER_STATES.find((each) => each === filters['state'])
  return {
    ...(text === undefined || text === '' ? {} : { text }),
    ...(state === undefined ? {} : { state }),
    ...(type === undefined ? {} : { type: Number(type) as NonNullable<AdminUserFilter['type']> }),
    ...(departmentId === undefined ? {} : { departmentId: Number(departmentId) }),
    ...(groupId === undefined ? {} : { groupId: Number(groupId) }),
  }
}

/** A selection of the list as the calls about accounts take it. */
export function chosenUsers(chosen: Chosen): ChosenUsers {
  return 'ids' in chosen ? { ids: [...chosen.ids] } : { filter: filterOf(chosen.filter), except: [...chosen.except] }
}

export function useUser(id: string | undefined) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', USERS, 'one', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) =>
      (await api.call(routes.adminUsers.get, { params: { userId: id ?? '' } }, { signal })).user,
  })
}
