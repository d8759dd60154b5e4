import type { authRoutes, serviceInfo, siteRoutes, UserInfo } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { z } from 'zod'
import { useServices } from '../../../lib/services.tsx'

export type ServiceInfo = z.infer<typeof serviceInfo>

export interface Account {
  readonly user: UserInfo
  readonly service: ServiceInfo
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

export function useAccountQuery() {
  const { api } = useServices()
  return useQuery({
    queryKey: ACCOUNT_KEY,
    queryFn: async ({ signal }): Promise<Account> => {
      const user = { method: 'GET', path: '/api/user/info' } as const
      const service = { method: 'GET', path: '/api/service/info' } as const
      const [info, facts] = await Promise.all([
        api.call<typeof authRoutes.info>(user, undefined, { signal }),
        api.call<typeof siteRoutes.service>(service, undefined, { signal }),
      ])
      return { user: info.user, service: facts }
    },
  })
}
