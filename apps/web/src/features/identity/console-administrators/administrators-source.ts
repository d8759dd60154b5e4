import { routes } from '@godwit/contract/table'
import type { Administrator, AdminRole, AdminSession } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

export const ADMINISTRATORS = 'administrators'
export const ROLES = 'roles'
export const SESSIONS = 'sessions'

/** Sessions come and go by themselves. */
const REFRESH_MS = 20_000
/** Roles that a choice offers. */
const CHOICES_MAX = 50

export const administratorsSource: ListSource<Administrator> = {
  key: ADMINISTRATORS,
  load: (api, { page, pageSize, filters }, signal) =>
    api.call(
      routes.administrators.list,
      { query: { page, size: pageSize, text: filters['text'] } },
      signal === undefined ? {} : { signal },
    ),
}

export const rolesSource: ListSource<AdminRole> = {
  key: ROLES,
  load: (api, { page, pageSize, filters }, signal) =>
    api.call(
      routes.adminRoles.list,
      { query: { page, size: pageSize, text: filters['text'] } },
      signal === undefined ? {} : { signal },
    ),
}

export const sessionsSource: ListSource<AdminSession> = {
  key: SESSIONS,
  refreshMs: REFRESH_MS,
  load: (api, { page, pageSize, filters }, signal) =>
    api.call(
      routes.adminSessions.list,
      { query: { page, size: pageSize, text: filters['text'] } },
      { quiet: true, ...(signal === undefined ? {} : { signal }) },
    ),
}

function useRoles() {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', ROLES, 'choices'],
    queryFn: async ({ signal }) =>
      (await api.call(routes.adminRoles.list, { query: { size: CHOICES_MAX } }, { signal })).rows,
  })
}

/** Roles to choose from, by name. */
export function useRoleChoices(): readonly SelectChoice[] {
  return (useRoles().data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
}

/** One role. The wire has no call for one, and there are few of them. */
export function useRole(id: number) {
  const { data, ...query } = useRoles()
  return { ...query, data: data?.find((role) => role.id === id) }
}
