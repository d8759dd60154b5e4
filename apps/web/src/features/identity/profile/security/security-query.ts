import { routes } from '@godwit/contract/table'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useServices } from '../../../../lib/services.tsx'

export const SIGN_INS_PAGE = 10

const keys = {
  sessions: ['security', 'sessions'],
  factor: ['security', 'factor'],
  passkeys: ['security', 'passkeys'],
  signIns: ['security', 'sign-ins'],
} as const

export function useSessions() {
  const { api } = useServices()
  return useQuery({
    queryKey: keys.sessions,
    queryFn: async ({ signal }) => (await api.call(routes.security.sessions, {}, { signal })).sessions,
  })
}

export function useSecondFactor() {
  const { api } = useServices()
  return useQuery({
    queryKey: keys.factor,
    queryFn: ({ signal }) => api.call(routes.security.secondFactor, {}, { signal }),
  })
}

export function usePasskeys() {
  const { api } = useServices()
  return useQuery({
    queryKey: keys.passkeys,
    queryFn: async ({ signal }) => (await api.call(routes.security.passkeys, {}, { signal })).passkeys,
  })
}

export interface SignInsView {
  readonly page: number
  readonly pageSize: number
}

export function useSignIns({ page, pageSize }: SignInsView) {
  const { api } = useServices()
  return useQuery({
    queryKey: [...keys.signIns, page, pageSize],
    queryFn: ({ signal }) => api.call(routes.security.signIns, { query: { pageNum: page, pageSize } }, { signal }),
    // The next page takes the place of this one without an empty moment in between.
    placeholderData: keepPreviousData,
  })
}

export function useSecurityRefresh(): (what: keyof typeof keys) => Promise<void> {
  const client = useQueryClient()
  return (what) => client.invalidateQueries({ queryKey: keys[what] })
}
