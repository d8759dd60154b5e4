import type { Dashboard, NodeSample } from '@godwit/contract'
import { SAMPLES_KEPT } from '@godwit/contract/oversight/dashboard-limits'
import { routes } from '@godwit/contract/table'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Following, followTopic } from '../../../lib/follow-topic.ts'
import { useServices } from '../../../lib/services.tsx'

const DASHBOARD = ['console', 'dashboard'] as const

/** How the server is. Only the samples that are new are fetched. @param node undefined: the first one */
export function useDashboard(node: string | undefined) {
  const { api } = useServices()
  const client = useQueryClient()
  const queryKey = [...DASHBOARD, node ?? '']
  return useQuery({
    queryKey,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<Dashboard> => {
      const held = client.getQueryData<Dashboard>(queryKey)
      const since = held?.samples.at(-1)?.at ?? 0
      const query = { since, ...(node === undefined ? {} : { node }) }
      // It comes by itself, so it is no activity of the person.
      const found = await api.call(routes.dashboard.now, { query }, { signal, quiet: true })
      return { ...found, samples: joined(held?.samples ?? [], found.samples) }
    },
  })
}

function joined(held: readonly NodeSample[], found: readonly NodeSample[]): NodeSample[] {
  const newest = held.at(-1)?.at ?? 0
  return [...held, ...found.filter(({ at }) => at > newest)].slice(-SAMPLES_KEPT)
}

/** Asks again with each sample of the server while the page is in sight. @returns whether the page is notified of them */
export function useLiveDashboard(): boolean {
  const { session } = useServices()
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    let following: Following | undefined
    const refresh = (): void => void client.invalidateQueries({ queryKey: DASHBOARD })
    const stop = (): void => {
      following?.stop()
      following = undefined
      setLive(false)
    }
    const begin = (): void => {
      if (document.visibilityState === 'hidden') return stop()
      if (following !== undefined) return
      const fresh = followTopic(session, 'dashboard', refresh)
      fresh.online.subscribe(() => following === fresh && setLive(fresh.online.get()))
      following = fresh
    }
    begin()
    document.addEventListener('visibilitychange', begin)
    return () => {
      document.removeEventListener('visibilitychange', begin)
      stop()
    }
  }, [session, client])
  return isLive
}
