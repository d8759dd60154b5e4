import { routes } from '@godwit/contract/table'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useServices } from '../../../../lib/services.tsx'

const KEY = ['api-tokens']

export function useApiTokens() {
  const { api } = useServices()
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api.call(routes.security.apiTokens, {}, { signal })).tokens,
  })
}

export function useApiTokensRefresh(): () => Promise<void> {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: KEY })
}
