import type { securityRoutes } from '@godwit/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useServices } from '../../../../lib/services.tsx'

const KEY = ['api-tokens']

export function useApiTokens() {
  const { api } = useServices()
  const route = { method: 'GET', path: '/api/user/api-tokens' } as const
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await api.call<typeof securityRoutes.apiTokens>(route, undefined, { signal })).tokens,
  })
}

export function useApiTokensRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: KEY })
}
