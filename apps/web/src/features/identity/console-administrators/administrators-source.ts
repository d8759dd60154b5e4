import { routes } from '@godwit/contract/table'
import type { Administrator, AdminRole, AdminSession } from '@godwit/contract'
import { errorSpec } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'
import { useQuery } from '@tanstack/react-query'
import type { Api } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import type { SelectChoice } from '../../../ui/select-field.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

export const ADMINISTRATORS = 'administrators'
export const ROLES = 'roles'
export const SESSIONS = 'sessions'

/** Sessions come and go by themselves. */
const REFRESH_MS = 20_000
/** As the contract bounds a page. */
const PAGE = 50

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

/** Every role, by name. */
async function allRoles(api: Api, signal?: AbortSignal): Promise<readonly AdminRole[]> {
  const found: AdminRole[] = []
  for (let page = 1; ; page += 1) {
    const query = { page, size: PAGE }
    const { rows, total } = await api.call(routes.adminRoles.list, { query }, signal === undefined ? {} : { signal })
    found.push(...rows)
    if (rows.length === 0 || found.length >= total) return found
  }
}

/** Roles to choose from, by name. */
export function useRoleChoices(): readonly SelectChoice[] {
  const { api } = useServices()
  const { data = [] } = useQuery({
    queryKey: ['console', ROLES, 'choices'],
    queryFn: ({ signal }) => allRoles(api, signal),
  })
  return data.map(({ id, name }) => ({ value: String(id), label: name }))
}

/** One role; the wire has no call for one. @throws ApiError ROLE_NOT_FOUND */
export async function loadRole(api: Api, id: number, signal?: AbortSignal): Promise<AdminRole> {
  const role = (await allRoles(api, signal)).find((each) => each.id === id)
  if (role === undefined) throw new ApiError({ code: errorSpec('ROLE_NOT_FOUND').wire, message: '' })
  return role
}

/** A form begins with what the role is now, so nothing of before is kept. */
export function useRole(id: number) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', ROLES, 'one', id],
    gcTime: 0,
    queryFn: ({ signal }) => loadRole(api, id, signal),
  })
}
