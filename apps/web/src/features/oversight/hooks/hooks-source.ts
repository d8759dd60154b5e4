import { routes } from '@godwit/contract/table'
import type { Hook, HookDelivery } from '@godwit/contract'
import { HOOK_DELIVERY_STATES } from '@godwit/contract/oversight/hook-limits'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the key of every query about webhooks. */
export const HOOKS = 'hooks'

/** Calls happen without anybody at this page. */
const REFRESH_MS = 5_000

export const hooksSource: ListSource<Hook> = {
  key: HOOKS,
  async load(api, { page, pageSize }, signal) {
    const { rows, total } = await api.call(
      routes.hooks.list,
      {},
      { quiet: true, ...(signal === undefined ? {} : { signal }) },
    )
    return { rows: rows.slice((page - 1) * pageSize, page * pageSize), total }
  },
  refreshMs: REFRESH_MS,
}

export function deliveriesSource(hookId: string): ListSource<HookDelivery> {
  return {
    key: `${HOOKS}-${hookId}`,
    load(api, { page, pageSize, filters }, signal) {
      const state = HOOK_DELIVERY_STATES.find((each) => each === filters['state'])
      const query = { page, size: pageSize, ...(state === undefined ? {} : { state }) }
      return api.call(
        routes.hooks.deliveries,
        { params: { hookId }, query },
        { quiet: true, ...(signal === undefined ? {} : { signal }) },
      )
    },
    refreshMs: REFRESH_MS,
  }
}

/** @returns null for one that is not there */
export function useHook(id: string) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', HOOKS, 'one', id],
    queryFn: async ({ signal }): Promise<Hook | null> =>
      (await api.call(routes.hooks.list, {}, { signal })).rows.find((hook) => hook.id === id) ?? null,
  })
}

/** The programs that may be run; undefined until they are known, null where there is no folder for them. */
export function usePrograms(): readonly string[] | null | undefined {
  const { api } = useServices()
  const { data } = useQuery({
    queryKey: ['console', HOOKS, 'programs'],
    queryFn: async ({ signal }) => (await api.call(routes.hooks.list, {}, { signal })).programs,
  })
  return data
}
