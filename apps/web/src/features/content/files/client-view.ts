import { routes } from '@godwit/contract/table'
import type { ClientView } from '@godwit/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followPushed } from '../../../lib/pushed-query.ts'
import { useServices } from '../../../lib/services.tsx'
import { useAccount } from '../../identity/auth/index.ts'
import { useFilesServices } from './files-services.tsx'

const KEY = ['client']
/** While the file socket is away nothing is pushed. */
const POLL_MS = 30_000

/** The account's desktop client as the server sees it; undefined until it reported it, and where only the browser transfers. */
export function useClient(): ClientView | undefined {
  const { api } = useServices()
  const { socket } = useFilesServices()
  const { service } = useAccount()
  const client = useQueryClient()
  useEffect(
    () => followPushed(client, socket, { event: 'client.changed', queryKey: KEY, take: (event) => event.client }),
    [socket, client],
  )
  const { data } = useQuery({
    queryKey: KEY,
    enabled: service.transferType !== 2,
    queryFn: async ({ signal }) => {
      return (await api.call(routes.clients.mine, {}, { signal, quiet: true })).client
    },
    staleTime: Infinity,
    refetchInterval: () => (socket.online.get() ? false : POLL_MS),
  })
  return data
}
