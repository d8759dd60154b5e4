import type { OperationInput } from '@godwit/contract'
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LIMITS } from '@godwit/contract/limits'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { FileSocket, Place } from '../../../lib/file-socket.ts'
import { isFailure, isTransient } from '../../../lib/http.ts'
import { useFilesServices } from './files-services.tsx'
import { collectListing, isFolder, type Listing } from './listing.ts'

export type OrderBy = 'name' | 'size' | 'time'
export type Order = 'asc' | 'desc'

/** A folder as the address bar names it. */
export interface FolderView {
  readonly folder: string
  readonly orderBy: OrderBy
  readonly order: Order
}

const FIRST_PAGE = 300
const NEXT_PAGES = 20_000
const KEEP_MS = 10 * 60_000

export function folderKey(place: Place, view: FolderView): readonly unknown[] {
  return ['folder', place.spaceId, place.groupId, view.folder, view.orderBy, view.order]
}

/** Every cached listing of this folder, whatever its order. */
function folderKeys(place: Place, folder: string): readonly unknown[] {
  return ['folder', place.spaceId, place.groupId, folder]
}

/** Changes that wait for their answer, by folder: a listing read meanwhile may be older than what they show already. */
const waiting = new Map<string, number>()

/**
 * Reads the listings of a folder again, unless a change that is under way does so at its end. A read that is under way may be
 * older than what is reported, so another one follows it; ended instead, a long folder that changes all the time would never
 * be shown whole.
 */
export async function refreshFolder(client: QueryClient, place: Place, folder: string): Promise<void> {
  const queryKey = folderKeys(place, folder)
  if (waiting.has(queryKey.join())) return
  const isUnderWay = client.isFetching({ queryKey }) > 0
  await client.invalidateQueries({ queryKey }, { cancelRefetch: false })
  if (isUnderWay) await client.invalidateQueries({ queryKey }, { cancelRefetch: false })
}

/** Runs a change that the page shows before its answer; the last one of a folder reads its listings again. */
export async function changeFolder<Result>(
  client: QueryClient,
  { place, folder }: { readonly place: Place; readonly folder: string },
  change: () => Promise<Result>,
): Promise<Result> {
  const queryKey = folderKeys(place, folder)
  const id = queryKey.join()
  waiting.set(id, (waiting.get(id) ?? 0) + 1)
  try {
    return await change()
  } finally {
    const left = (waiting.get(id) ?? 0) - 1
    if (left > 0) waiting.set(id, left)
    else waiting.delete(id)
    // What it would answer may be older than the change, which the page shows.
    if (left === 0) await client.cancelQueries({ queryKey }, { revert: false })
    await refreshFolder(client, place, folder)
  }
}

/**
 * The listing of a folder. A folder seen before is painted from memory and then replaced as a whole by the fresh one;
 * a new one is painted from its first page on, while the rest comes in the background.
 */
export function useFolder(view: FolderView) {
  const { operate, socket, place } = useFilesServices()
  const client = useQueryClient()
  const key = folderKey(place, view)
  useEffect(() => {
    const refresh = (): void => void refreshFolder(client, place, view.folder)
    return watchFolder(socket, { place, folder: view.folder }, refresh)
  }, [client, socket, place, view.folder])
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => loadFolder({ client, operate, place, view, signal }),
    structuralSharing: false,
    staleTime: 0,
    gcTime: KEEP_MS,
    retry: (count, error) => count < 3 && isTransient(error),
    // Another order of the same folder keeps the rows on the screen until the new order is there.
    placeholderData: (previous, query) => (query?.queryKey[3] === view.folder ? keepPreviousData(previous) : undefined),
  })
}

/** Calls back after changes in a folder, at most once a second, until the returned function is called. */
export function watchFolder(
  socket: Pick<FileSocket, 'watch'>,
  { place, folder }: { readonly place: Place; readonly folder: string },
  onChange: () => void,
): () => void {
  const refresh = throttled(onChange)
  const stop = socket.watch(place, folder, refresh.call)
  return () => {
    stop()
    refresh.cancel()
  }
}

interface Loading {
  readonly client: QueryClient
  readonly operate: FileOperations
  readonly place: Place
  readonly view: FolderView
  readonly signal: AbortSignal
}

/** Every page of a folder, one after the other. */
export async function loadFolder(loading: Loading): Promise<Listing> {
  try {
    return await loadPages(loading)
  } catch (error) {
    // The folder changed between two pages so much that the place in it was lost.
    if (isFailure(error, 'CURSOR_INVALID')) return loadPages(loading)
    throw error
  }
}

async function loadPages({ client, operate, place, view, signal }: Loading): Promise<Listing> {
  const key = folderKey(place, view)
  const isFirstVisit = client.getQueryData(key) === undefined
  const ask = (cursor: string | null, limit: number): OperationInput<'columns'> => ({
    ...place,
    ...view,
    cursor,
    limit,
  })
  const collected = collectListing()
  let page = await operate('columns', ask(null, FIRST_PAGE), signal)
  let listing = collected.add(page)
  while (page.next !== null) {
    if (isFirstVisit) client.setQueryData(key, listing)
    page = await operate('columns', ask(page.next, NEXT_PAGES), signal)
    listing = collected.add(page)
  }
  return listing
}

/** Names of the folders in a folder. They stand before its files, so the pages of files are never asked for. */
export async function loadFolderNames({ operate, place, folder, signal }: NamesOptions): Promise<readonly string[]> {
  const names: string[] = []
  let cursor: string | null = null
  do {
    const input: OperationInput<'columns'> = { ...place, folder, cursor, limit: FIRST_PAGE }
    const page = await operate('columns', input, signal)
    const end = page.types.findIndex((type) => !isFolder(type))
    names.push(...(end < 0 ? page.names : page.names.slice(0, end)))
    cursor = end < 0 ? page.next : null
  } while (cursor !== null)
  return names
}

interface NamesOptions extends Omit<Loading, 'client' | 'view'> {
  readonly folder: string
}

/** At most one call a second, the last one never lost. */
function throttled(run: () => void): { readonly call: () => void; readonly cancel: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDue = false
  const call = (): void => {
    if (timer !== undefined) {
      isDue = true
      return
    }
    run()
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) {
        isDue = false
        call()
      }
    }, LIMITS.refreshListThrottleMs)
  }
  return { call, cancel: () => clearTimeout(timer) }
}
