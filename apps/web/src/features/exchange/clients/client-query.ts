import { routes } from '@godwit/contract/table'
import type { ClientView } from '@godwit/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Api } from '../../../lib/http.ts'
import { useServices } from '../../../lib/services.tsx'
import { useFilesServices } from '../../content/files/index.ts'
import { useAccount } from '../../identity/auth/index.ts'

const KEY = ['client']
/** While the file socket is away nothing is pushed. */
const POLL_MS = 30_000

/** The account's desktop client as the server sees it; undefined until it reported it, and where only the browser transfers. */
export function useClient(): ClientView | undefined {
  const { api } = useServices()
  const { socket } = useFilesServices()
  const { service } = useAccount()
  const client = useQueryClient()
  useEffect(() => socket.on('client.changed', (event) => client.setQueryData(KEY, event.client)), [socket, client])
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

/** @returns whether the client says that it works in this space now */
export async function setClientSpace(api: Api, spaceId: number): Promise<boolean> {
  return (await api.call(routes.clients.setSpace, { body: { spaceId } })).success
}

/** Tells the client to update itself; also one that is too old for anything else obeys. */
export async function updateClient(api: Api): Promise<void> {
  await api.call(routes.clients.upgrade, { body: {} })
}
