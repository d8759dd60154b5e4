import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { ListState } from '../../lib/list-address.ts'
import { useServices } from '../../lib/services.tsx'
import type { Api } from '../../lib/http.ts'

/** A page of rows as every console list answers. */
export interface ListAnswer<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

/** Where the rows of a list come from. */
export interface ListSource<Row> {
  /** First part of the query's key; a change of any such object asks again. */
  readonly key: string
  readonly load: (api: Api, state: ListState, signal?: AbortSignal) => Promise<ListAnswer<Row>>
  /** How often the page is asked for again by itself, because the rows change without anybody at this page. */
  readonly refreshMs?: number
}

/**
 * The rows of the page that the address names; the last ones stay until the next are there. That a list was empty is not kept: it
 * says nothing about the next one.
 */
export function useListRows<Row>({ key, load, refreshMs }: ListSource<Row>, state: ListState) {
  const { api } = useServices()
  const { page, pageSize, sort, filters } = state
  return useQuery<ListAnswer<Row>>({
    queryKey: ['console', key, 'list', { page, pageSize, sort, filters }],
    placeholderData: (last) => (last?.total === 0 ? undefined : last),
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
    queryFn: ({ signal }) => load(api, state, signal),
  })
}

/** Asks again for everything of one kind, lists and single objects, after it was changed. */
export function useRefresh(key: string): () => Promise<void> {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries({ queryKey: ['console', key] }), [client, key])
}

/** Rows that are read one page after the other, at most. */
export const ROWS_MAX = 10_000
const ROWS_PER_CALL = 50

/** Rows of one export, at most. */
const EXPORT_MAX = 100_000

/** What the filters leave, page by page, with how many rows there are: {@link EXPORT_MAX} of them at most. */
export async function* rowPages<Row>(
  { load }: ListSource<Row>,
  api: Api,
  state: ListState,
): AsyncGenerator<ListAnswer<Row>> {
  for (let page = 1; (page - 1) * ROWS_PER_CALL < EXPORT_MAX; page += 1) {
    const answer = await load(api, { ...state, page, pageSize: ROWS_PER_CALL })
    yield answer
    if (answer.rows.length === 0 || page * ROWS_PER_CALL >= answer.total) return
  }
}

/** Every row that the filters leave, page by page. @returns at most {@link ROWS_MAX} rows, and how many there are */
export async function allRows<Row>(
  { load }: ListSource<Row>,
  api: Api,
  state: ListState,
): Promise<{ readonly rows: readonly Row[]; readonly total: number }> {
  const rows: Row[] = []
  for (let page = 1; rows.length < ROWS_MAX; page += 1) {
    const answer = await load(api, { ...state, page, pageSize: ROWS_PER_CALL })
    rows.push(...answer.rows)
    if (answer.rows.length === 0 || rows.length >= answer.total) return { rows, total: answer.total }
  }
  const { total } = await load(api, { ...state, page: 1, pageSize: ROWS_PER_CALL })
  return { rows, total }
}
