import { routes } from '@godwit/contract/table'
import type { ServiceInfo, UserInfo } from '@godwit/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, use, useCallback } from 'react'
import { useServices } from '../../../lib/services.tsx'

export interface Account {
  readonly user: UserInfo
  /** As it is for this person. */
  readonly service: ServiceInfo
  /** The space whose permissions these are; undefined is the current one. */
  readonly requestedSpaceId: number | undefined
}

const AccountContext = createContext<Account | undefined>(undefined)

export const AccountProvider = AccountContext

/** The signed-in person and what this server lets them do. */
export function useAccount(): Account {
  const account = use(AccountContext)
  if (account === undefined) throw new Error('no account around this component')
  return account
}

const ACCOUNT_KEY = ['account']

/** @param spaceId whose permissions are meant; undefined asks for the current space. While another is asked for, the last answer stays. */
export function useAccountQuery(spaceId?: number) {
  const { api } = useServices()
  return useQuery({
    queryKey: [...ACCOUNT_KEY, spaceId],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Account> => {
      const [info, facts] = await Promise.all([
        api.call(routes.auth.info, { query: spaceId === undefined ? {} : { spaceId } }, { signal }),
        api.call(routes.site.service, {}, { signal }),
      ])
      return { user: info.user, service: { ...facts, transferType: info.user.transferType }, requestedSpaceId: spaceId }
    },
  })
}

/** Reads the account anew, after something of it changed. */
export function useAccountRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries({ queryKey: ACCOUNT_KEY }), [client])
}
