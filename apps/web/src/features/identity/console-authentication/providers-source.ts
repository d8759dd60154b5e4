import { routes } from '@godwit/contract/table'
import type { AuthProvider, DirectorySync } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useServices } from '../../../lib/services.tsx'
import { useTexts } from '../../../lib/texts.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the key of every query about providers. */
export const PROVIDERS = 'providers'
export const SYNCS = 'directory-syncs'
const LOOK_EVERY_MS = 1000

/** Providers are few, and their order matters: all of them come at once. */
export const providersSource: ListSource<AuthProvider> = {
  key: PROVIDERS,
  async load(api, { page, pageSize }, signal) {
    const { providers } = await api.call(routes.adminAuthentication.list, {}, signal === undefined ? {} : { signal })
    return { rows: providers.slice((page - 1) * pageSize, page * pageSize), total: providers.length }
  },
}

export const syncsSource: ListSource<DirectorySync> = {
  key: SYNCS,
  load: (api, { page, pageSize: size }, signal) =>
    api.call(routes.adminAuthentication.syncs, { query: { page, size } }, { quiet: true, ...(signal && { signal }) }),
  refreshMs: 5000,
}

export function useProvider(id: number | undefined) {
  const { api } = useServices()
  return useQuery({
    queryKey: ['console', PROVIDERS, 'one', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const { providers } = await api.call(routes.adminAuthentication.list, {}, { signal })
      return providers.find((provider) => provider.id === id) ?? null
    },
  })
}

export function isUnderWay({ state }: Pick<DirectorySync, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** One synchronization, followed until it has ended. */
export function useSync(id: string | undefined) {
  const { api } = useServices()
  return useQuery<DirectorySync>({
    queryKey: ['console', SYNCS, 'one', id],
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data === undefined || isUnderWay(data) ? LOOK_EVERY_MS : false),
    queryFn: async ({ signal }) => {
      const params = { syncId: id ?? '' }
      return (await api.call(routes.adminAuthentication.syncDetail, { params }, { quiet: true, signal })).sync
    },
  })
}

/** Starts a synchronization and shows it. */
export function useStartSync() {
  const { api, messages } = useServices()
  const navigate = useNavigate()
  const texts = useTexts()
  return async (
    providerId: number,
    wanted: { readonly dryRun: boolean; readonly locksMax?: number },
  ): Promise<void> => {
    try {
      const { sync } = await api.call(routes.adminAuthentication.sync, { params: { providerId }, body: wanted })
      await navigate({ to: `/admin/authentication/syncs/${sync.id}` })
    } catch (error) {
      messages.fail(error, texts)
    }
  }
}
