import type { SearchResult } from '@godwit/contract'
import { useEffect, useState } from 'react'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Place } from '../../../lib/file-socket.ts'
import { useServices } from '../../../lib/services.tsx'
import { filtersOf, isFiltered, type SearchChoice } from './search-filters.ts'

export interface SearchRequest {
  readonly operate: FileOperations
  readonly place: Place
  readonly folder: string
  readonly text: string
  readonly choice: SearchChoice
}

export interface SearchState {
  readonly items: readonly SearchResult[]
  readonly isRunning: boolean
  /** There is more than is shown. */
  readonly hasMore: boolean
  /** The index is not complete yet; `seen` entries are in it, null where that is not said. */
  readonly building: { readonly seen: number | null } | undefined
  readonly error: unknown
}

const NOTHING: SearchState = { items: [], isRunning: false, hasMore: false, building: undefined, error: undefined }

/** Between two letters of somebody who types. */
const TYPING_PAUSE_MS = 120
/** What a person still looks through. */
const SHOWN_MAX = 200
/** While the index is being built, more may come. */
const LOOK_AGAIN_MS = 3_000

/** Looks for names as they are typed, reply by reply. */
export function useSearch({ operate, place, folder, text, choice }: SearchRequest): SearchState {
  const { clock } = useServices()
  const [state, setState] = useState(NOTHING)
  const { spaceId, groupId } = place
  const { scope, kind, size, age } = choice
  useEffect(() => {
    const wanted = { scope, kind, size, age }
    if (text.trim() === '' && !isFiltered(wanted)) {
      setState(NOTHING)
      return undefined
    }
    const stop = new AbortController()
    setState((before) => ({ ...before, isRunning: true }))
    const look = async (): Promise<void> => {
      const input = { spaceId, groupId, folder, scope, text: text.trim(), ...filtersOf(wanted, clock.now()) }
      const building = await collect(
        (cursor) => operate('search', { ...input, cursor }, stop.signal),
        stop.signal,
        setState,
      )
      if (building && !stop.signal.aborted) timer = setTimeout(run, LOOK_AGAIN_MS)
    }
    const run = (): void => {
      look().catch((error: unknown) => {
        if (!stop.signal.aborted) setState({ ...NOTHING, error })
      })
    }
    let timer = setTimeout(run, TYPING_PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [operate, clock, spaceId, groupId, folder, text, scope, kind, size, age])
  return state
}

interface Reply {
  readonly items: readonly SearchResult[]
  readonly next: string | null
  readonly isBuilding: boolean
  readonly seen: number | null
}

/** @returns whether the index is still being built */
async function collect(
  call: (cursor: string | null) => Promise<Reply>,
  signal: AbortSignal,
  show: (state: SearchState) => void,
): Promise<boolean> {
  const items: SearchResult[] = []
  for (let cursor: string | null = null; ;) {
    const { items: found, next, isBuilding, seen } = await call(cursor)
    if (signal.aborted) return false
    items.push(...found)
    const isRunning = next !== null && items.length < SHOWN_MAX
    const building = isBuilding ? { seen } : undefined
    const shown = items.slice(0, SHOWN_MAX)
    // The results of before stay until there is something to show instead.
    if (!isRunning || shown.length > 0) {
      show({ items: shown, isRunning, hasMore: next !== null, building, error: undefined })
    }
    if (!isRunning) return isBuilding
    cursor = next
  }
}
