import type { SearchIn, SearchResult } from '@godwit/contract'
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
  /** What was found by its name. */
  readonly items: readonly SearchResult[]
  /** What was found by its words alone, with a piece of the text. */
  readonly documents: readonly SearchResult[]
  readonly isRunning: boolean
  /** What is shown was found for an earlier question; there is no answer to this one yet. */
  readonly isEarlier: boolean
  /** There is more than is shown. */
  readonly hasMore: boolean
  /**
   * The index is not complete yet: `seen` entries are in it, `unread` documents are not read; null where that is not said.
   */
  readonly building: { readonly seen: number | null; readonly unread: number | null } | undefined
  readonly error: unknown
}

const NOTHING: SearchState = {
  ...{ items: [], documents: [], isRunning: false, isEarlier: false, hasMore: false },
  ...{ building: undefined, error: undefined },
}

/** Between two letters of somebody who types. */
const TYPING_PAUSE_MS = 120
/** What a person still looks through. */
const SHOWN_MAX = 200
/** While the index is being built, more may come. */
const LOOK_AGAIN_MS = 3_000

/** Looks for names as they are typed, and then in documents, reply by reply. */
export function useSearch({ operate, place, folder, text, choice }: SearchRequest): SearchState {
  const { clock } = useServices()
  const [state, setState] = useState(NOTHING)
  const { spaceId, groupId } = place
  const { scope, kind, size, age, inContents } = choice
  useEffect(() => {
    const filters = { kind, size, age }
    if (text.trim() === '' && !isFiltered(filters)) {
      setState(NOTHING)
      return undefined
    }
    const stop = new AbortController()
    setState((before) => ({ ...before, isRunning: true, isEarlier: true }))
    const look = async (): Promise<void> => {
      const input = { spaceId, groupId, folder, scope, text: text.trim(), ...filtersOf(filters, clock.now()) }
      const call = (where: SearchIn) => (cursor: string | null) =>
        operate('search', { ...input, in: where, cursor }, stop.signal)
      const calls = [call('names'), ...(inContents && input.text !== '' ? [call('contents')] : [])]
      const isBuilding = await collect(calls, stop.signal, setState)
      if (isBuilding && !stop.signal.aborted) timer = setTimeout(run, LOOK_AGAIN_MS)
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
  }, [operate, clock, spaceId, groupId, folder, text, scope, kind, size, age, inContents])
  return state
}

/** Whether the site searches in documents at all. */
export function useHasContents({
  operate,
  place,
  folder,
}: Pick<SearchRequest, 'operate' | 'place' | 'folder'>): boolean {
  const [hasContents, setHasContents] = useState(false)
  const { spaceId, groupId } = place
  useEffect(() => {
    const stop = new AbortController()
    operate('search', { spaceId, groupId, folder, scope: 'here', limit: 1 }, stop.signal).then(
      (reply) => setHasContents(reply.hasContents),
      // What is wrong is said when something is looked for.
      () => undefined,
    )
    return () => stop.abort()
  }, [operate, spaceId, groupId, folder])
  return hasContents
}

interface Reply {
  readonly items: readonly SearchResult[]
  readonly next: string | null
  readonly isBuilding: boolean
  readonly seen: number | null
  readonly unread: number | null
}

/**
 * Everything that is found, one way after the other.
 * @returns whether the index is still being built
 */
async function collect(
  calls: ReadonlyArray<(cursor: string | null) => Promise<Reply>>,
  signal: AbortSignal,
  show: (state: SearchState) => void,
): Promise<boolean> {
  const found = new FoundItems()
  let building: SearchState['building']
  let hasMore = false
  for (const [at, call] of calls.entries()) {
    for (let cursor: string | null = null; ;) {
      const reply: Reply = await call(cursor)
      if (signal.aborted) return false
      found.add(reply.items)
      if (reply.isBuilding) building = { seen: reply.seen ?? building?.seen ?? null, unread: reply.unread }
      const isDone = reply.next === null || found.count(at > 0) >= SHOWN_MAX
      if (isDone) hasMore ||= reply.next !== null
      const isRunning = !isDone || at + 1 < calls.length
      // The results of before stay until there is something to show instead.
      if (!isRunning || found.size > 0)
        show({ ...found.shown(), isRunning, isEarlier: false, hasMore, building, error: undefined })
      if (isDone) break
      cursor = reply.next
    }
  }
  return building !== undefined
}

/** Results, each once: a document that was found by its name keeps its place and gets its piece of text. */
class FoundItems {
  readonly #items = new Map<string, SearchResult>()
  readonly #documents = new Set<string>()

  get size(): number {
    return this.#items.size
  }

  add(results: readonly SearchResult[]): void {
    for (const result of results) {
      const key = `${result.spaceId}/${result.groupId}${result.path}`
      if (result.snippet !== null && !this.#items.has(key)) this.#documents.add(key)
      this.#items.set(key, result)
    }
  }

  count(isDocument: boolean): number {
    return isDocument ? this.#documents.size : this.size - this.#documents.size
  }

  shown(): Pick<SearchState, 'items' | 'documents'> {
    const of = (isDocument: boolean): SearchResult[] =>
      [...this.#items].flatMap(([key, item]) => (this.#documents.has(key) === isDocument ? [item] : []))
    return { items: of(false).slice(0, SHOWN_MAX), documents: of(true).slice(0, SHOWN_MAX) }
  }
}
