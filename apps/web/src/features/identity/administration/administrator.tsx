import { routes } from '@godwit/contract/table'
import type { ConsoleMe } from '@godwit/contract'
import { type ConsoleRight, GROUP_ADMIN_RIGHTS, SPACE_ADMIN_RIGHTS } from '@godwit/contract/identity/console-rights'
import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { useServices } from '../../../lib/services.tsx'

const AdministratorContext = createContext<ConsoleMe | undefined>(undefined)

export const AdministratorProvider = AdministratorContext

/** The signed-in administrator. */
export function useAdministrator(): ConsoleMe {
  const me = use(AdministratorContext)
  if (me === undefined) throw new Error('no administrator around this component')
  return me
}

/** Asks for the signed-in administrator; PERMISSION_DENIED for everybody else. */
export function useAdministratorQuery() {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', 'me'],
    queryFn: ({ signal }) => api.call(routes.admin.me, {}, { signal }),
  })
}

/** What decides what somebody may do in the console. */
export type RightsOf = Pick<ConsoleMe, 'rights' | 'groupIds' | 'spaceIds'>

/** Whether this administrator has a right over the whole site, or, without a role, over some of its groups or spaces. */
export function hasRight({ rights, groupIds, spaceIds }: RightsOf, right: ConsoleRight): boolean {
  const held: readonly ConsoleRight[] = [
    ...rights,
    ...(groupIds.length > 0 ? GROUP_ADMIN_RIGHTS : []),
    ...(spaceIds.length > 0 ? SPACE_ADMIN_RIGHTS : []),
  ]
  return right === 'console.open' || held.includes(right)
}

/** Whether the signed-in administrator may do this; what a page offers follows it, and the server decides. */
export function useRight(right: ConsoleRight): boolean {
  return hasRight(useAdministrator(), right)
}
