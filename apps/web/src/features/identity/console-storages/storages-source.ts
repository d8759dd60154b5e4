import { routes } from '@godwit/contract/table'
import type { AdminStorage, AdminStorageDetail } from '@godwit/contract'
import { useQuery } from '@tanstack/react-query'
import { useServices } from '../../../lib/services.tsx'
import type { ListSource } from '../../console-kit/list-source.ts'

/** First part of the key of every query about storages. */
export const STORAGES = 'storages'

/** Storages are few: the server sends all of them, and the page narrows them. */
export const storagesSource: ListSource<AdminStorage> = {
  key: STORAGES,
  async load(api, { page, pageSize, sort, filters }, signal) {
    const { storages } = await api.call(
      routes.adminStorages.list,
      {},
      // Whether a storage answers changes by itself, so looking again is no activity of the person.
      { quiet: true, ...(signal === undefined ? {} : { signal }) },
    )
    const text = (filters['text'] ?? '').toLowerCase()
    const rows = storages
      .filter(({ name, place }) => `${name} ${place}`.toLowerCase().includes(text))
      .toSorted((a, b) => a.name.localeCompare(b.name) * (sort?.order === 'desc' ? -1 : 1))
    return { rows: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length }
  },
  refreshMs: 20_000,
}

const CLEANING_MS = 2_000

export function useStorage(id: number | undefined) {
  const { api } = useServices()
  return useQuery<AdminStorageDetail>({
    queryKey: ['console', STORAGES, 'one', id],
    enabled: id !== undefined,
    // A round of cleaning ends by itself, and people look on.
    refetchInterval: ({ state }) => (state.data?.cleaning?.isBusy === true ? CLEANING_MS : false),
    queryFn: async ({ signal }) =>
      (await api.call(routes.adminStorages.get, { params: { storageId: id ?? 0 } }, { signal })).storage,
  })
}
