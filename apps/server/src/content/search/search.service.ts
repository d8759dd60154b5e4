import type { Clock } from '@godwit/base'
import type { Entry } from '@godwit/storage'
import { LIMITS, type SearchInput, type SearchReply, type SearchResult, type SearchSnippet } from '@godwit/contract'
import { groupsStore } from '../../identity/groups/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import {
  foldName,
  placeAt,
  placeOf,
  requireFolder,
  unreachable,
  wireGroupOf,
  type Access,
  type Location,
  type PlaceIds,
} from '../access/index.ts'
import type { ContentMatch, Contents } from './contents.ts'
import { entryNow, StorageSilent } from './entries-now.ts'
import { candidateBlocks, entriesAmong, entriesIn, FolderPaths, type Wanted } from './find-entries.ts'
import { foldersStore } from './folders.store.ts'
import { blockOf, firstOf, gramQuery } from './grams.ts'
import { openCursor, sealCursor, type SearchCursor } from './search.cursor.ts'
import { rootPlaceOf } from './search.subscribers.ts'
import { ROOT, type SearchEntryRow, type SearchRootRow } from './search.schema.ts'

export interface SearchDeps {
  readonly db: Db
  readonly access: Access
  readonly clock: Clock
  readonly vault: Vault
  readonly contents: Contents
}

/** A reply is sent after this long, with what was found by then. */
const BUDGET_MS = 150
/** Blocks that one statement looks through: some 8,000 names, a few milliseconds. */
const BLOCKS_AT_ONCE = 16
/** Blocks of one look at the grams. */
const BLOCKS_AHEAD = 128
const ROWS_AT_ONCE = 200
/** Entries that the storage is asked for side by side. */
const LOOKS_AT_ONCE = 32

/** A place to look in, and what the index has of it. */
interface Searched {
  readonly top: Location
  /** '' for personal files. */
  readonly groupName: string
  readonly root: SearchRootRow | undefined
}

/**
 * Entries by a part of their name, or documents by their words, as far as they exist for the caller: what a rule hides is left
 * out before anything is counted or limited, and so is what is not there any more. Words are found only where the caller may see
 * documents.
 * @throws AppError PATH_NOT_FOUND, PATH_IS_FILE, PERMISSION_DENIED, CURSOR_INVALID
 */
export async function search(deps: SearchDeps, ctx: UserCtx, input: SearchInput): Promise<SearchReply> {
  const from = input.cursor == null ? undefined : openCursor(deps.vault, ctx.principal.id, input.cursor)
  if (from !== undefined && from.in !== input.in) throw new AppError('CURSOR_INVALID')
  const hasContents = await deps.contents.isOn()
  const isInContents = input.in === 'contents'
  const open = await placesOf(deps, ctx, input)
  const places = isInContents ? open.filter(({ top }) => hasContents && top.permits('view')) : open
  const finding = new Finding(deps, ctx, input)
  let next: SearchCursor | undefined
  for (const { top, groupName, root } of places) {
    if (root === undefined || (from !== undefined && root.id > from.rootId)) continue
    const first = isInContents ? await deps.contents.startOf(root.id) : Number(root.next_n)
    const look = { top, groupName, root, before: from?.rootId === root.id ? from.before : first }
    const stoppedAt = await finding.go(look)
    if (stoppedAt === undefined) continue
    next = { in: input.in, rootId: root.id, before: stoppedAt }
    break
  }
  const { isBuilding, seen } = await progressOf(deps, places)
  const unread = isInContents ? await deps.contents.unread(places.flatMap(({ root }) => root?.id ?? [])) : 0
  return {
    items: finding.items,
    next: next === undefined ? null : sealCursor(deps.vault, ctx.principal.id, next),
    isBuilding: isBuilding || unread !== 0 || finding.isIncomplete,
    seen,
    hasContents,
    // A number of documents that the caller may not see would give them away.
    unread: isInContents && places.every(isOpen) ? (unread ?? null) : null,
  }
}

function isOpen({ top }: Searched): boolean {
  return top.isRoot && !top.mayHideBelow
}

/** The places of a scope in which the caller may list, in a fixed order. */
async function placesOf(deps: SearchDeps, ctx: UserCtx, input: SearchInput): Promise<Searched[]> {
  const { db, access } = deps
  if (input.scope !== 'everywhere') {
    const top = await requireFolder(await access.open(ctx, placeOf(input), input.folder, 'list'))
    const groupName = await nameOfGroup(db, input.groupId)
    // What is in the virtual directories of a home is below it.
    const mounts = input.scope === 'here' ? [] : await mountsIn(access, ctx, top)
    const tops = await Promise.all(
      [top, ...mounts].map(async (place) => ({ top: place, groupName, root: await indexOf(db, ctx, place) })),
    )
    return tops.toSorted((a, b) => (b.root?.id ?? 0) - (a.root?.id ?? 0))
  }
  const searched: Searched[] = []
  for (const { groupName, ...ids } of await everyPlace(db, ctx)) {
    const top = await openIfAllowed(access, ctx, ids)
    if (top === undefined) continue
    for (const place of [top, ...(await mountsIn(access, ctx, top))])
      searched.push({ top: place, groupName, root: await indexOf(db, ctx, place) })
  }
  return searched.toSorted((a, b) => (b.root?.id ?? 0) - (a.root?.id ?? 0))
}

function indexOf(db: Db, { principal }: UserCtx, { place }: Location): Promise<SearchRootRow | undefined> {
  return foldersStore.rootOf(db, rootPlaceOf({ userId: principal.id, ...place }))
}

/** The virtual directories of a home that the caller may list. */
async function mountsIn(access: Access, ctx: UserCtx, top: Location): Promise<Location[]> {
  const { spaceId } = top.place
  const ids = top.mountNames.map((name) => placeAt(ctx.principal, top.place, `/${name}`).groupId)
  const opened = await Promise.all(ids.map((groupId) => openIfAllowed(access, ctx, { spaceId, groupId })))
  return opened.filter((location) => location !== undefined)
}

async function nameOfGroup(db: Db, groupId: number): Promise<string> {
  return groupId === LIMITS.defaultGroupId ? '' : ((await groupsStore.byId(db, groupId))?.name ?? '')
}

async function everyPlace(db: Db, { principal }: UserCtx): Promise<Array<PlaceIds & { readonly groupName: string }>> {
  const places: Array<PlaceIds & { readonly groupName: string }> = []
  for (const spaceId of accountOf(principal).spaceIds) {
    places.push({ spaceId, groupId: LIMITS.defaultGroupId, groupName: '' })
    for (const { id, name } of await groupsStore.membershipsOf(db, { userId: principal.id, spaceId })) {
      places.push({ spaceId, groupId: id, groupName: name })
    }
  }
  return places
}

/** A place without the flag, or without a storage, has nothing to find. */
async function openIfAllowed(access: Access, ctx: UserCtx, ids: PlaceIds): Promise<Location | undefined> {
  try {
    return await access.open(ctx, placeOf(ids), '/', 'list')
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}

async function progressOf(
  { db }: Pick<SearchDeps, 'db'>,
  places: readonly Searched[],
): Promise<Pick<SearchReply, 'isBuilding' | 'seen'>> {
  let isBuilding = false
  let seen = 0
  for (const { root } of places) {
    seen += root === undefined ? 0 : Number(root.next_n) - 1
    isBuilding ||= root === undefined || root.scanned_at === null || (await foldersStore.hasUnread(db, root.id))
  }
  // A number of entries that the caller may not see would give them away.
  return { isBuilding, seen: isBuilding && places.every(isOpen) ? seen : null }
}

interface Look extends Searched {
  readonly root: SearchRootRow
  /** Only entries of a lower number. */
  readonly before: number
}

/** What rows of a place are measured by. */
interface Around {
  readonly look: Look
  readonly folder: number
  readonly paths: FolderPaths
  readonly wanted: Wanted
}

/** One search under way: what it has found, and until when it goes on. */
class Finding {
  readonly items: SearchResult[] = []
  /** A storage did not answer: what it holds is missing. */
  isIncomplete = false
  readonly #deps: SearchDeps
  readonly #ctx: UserCtx
  readonly #input: SearchInput
  readonly #until: number

  constructor(deps: SearchDeps, ctx: UserCtx, input: SearchInput) {
    this.#deps = deps
    this.#ctx = ctx
    this.#input = input
    this.#until = deps.clock.monotonic() + BUDGET_MS
  }

  /** @returns the number before which to go on; undefined when the place is done with */
  async go(look: Look): Promise<number | undefined> {
    if (this.#isFull) return look.before
    try {
      return await (this.#input.in === 'contents' ? this.#lookThroughContents(look) : this.#lookThrough(look))
    } catch (thrown) {
      if (!(thrown instanceof StorageSilent)) throw thrown
      this.isIncomplete = true
      return undefined
    }
  }

  async #lookThrough(look: Look): Promise<number | undefined> {
    const { db } = this.#deps
    const folder = await this.#folderOf(look)
    if (folder === undefined) return undefined
    const textKey = foldName(this.#input.text)
    const around = this.#around(look, folder, textKey)
    const query = gramQuery(textKey)
    let { before } = look
    while (before > 1) {
      const last = blockOf(before - 1)
      const ahead = Array.from({ length: Math.min(BLOCKS_AHEAD, last + 1) }, (_, at) => last - at)
      const blocks = await candidateBlocks(db, look.root.id, { query, blocks: ahead })
      for (let at = 0; at < blocks.length; at += BLOCKS_AT_ONCE) {
        const group = blocks.slice(at, at + BLOCKS_AT_ONCE)
        for (let isMore = true; isMore;) {
          const rows = await this.#rows({ rootId: look.root.id, blocks: group, before }, around.wanted)
          before = await this.#take(rows, around, before)
          isMore = rows.length === ROWS_AT_ONCE
          if (this.#isFull || (isMore && this.#isLate)) return before
        }
        before = Math.min(before, firstOf(group.at(-1) ?? 0))
        if (this.#isLate) return before > 1 ? before : undefined
      }
      before = Math.min(before, firstOf(last - ahead.length + 1))
      if (this.#isLate) break
    }
    return before > 1 ? before : undefined
  }

  async #lookThroughContents(look: Look): Promise<number | undefined> {
    const { contents } = this.#deps
    const folder = await this.#folderOf(look)
    if (folder === undefined || look.before <= 0) return undefined
    const rootId = look.root.id
    const around = this.#around(look, folder, '')
    for await (const step of contents.look({ rootId, text: this.#input.text, before: look.before })) {
      this.#ctx.signal.throwIfAborted()
      const stoppedAt = await this.#takeMatches(step.matches, around)
      if (stoppedAt !== undefined) return stoppedAt
      if (this.#isLate && step.before > 0) return step.before
    }
    return undefined
  }

  /** @returns where to go on when there are enough */
  async #takeMatches(matches: readonly ContentMatch[], around: Around): Promise<number | undefined> {
    const { look, paths, wanted } = around
    const ns = matches.map(({ n }) => n)
    const rows = await entriesAmong(this.#deps.db, { rootId: look.root.id, ns }, wanted)
    const byNumber = new Map(rows.map((row) => [Number(row.n), row]))
    await paths.load(rows.map((row) => Number(row.parent_n)))
    for (const some of this.#looks(matches)) {
      const found = await Promise.all(
        some.map(async (match) => {
          const row = byNumber.get(match.n)
          // What was read is no longer its content.
          if (row === undefined || Number(row.size) !== match.size || Number(row.modified_ms) !== match.modifiedMs)
            return undefined
          return this.#resultOf(row, around, match)
        }),
      )
      for (const [index, { at }] of some.entries()) {
        const result = found[index]
        if (result !== undefined) this.items.push(result)
        if (this.#isFull) return at > 0 ? at : undefined
      }
    }
    return undefined
  }

  /** Some at a time, and no more than there is room for. */
  *#looks<T>(all: readonly T[]): Generator<readonly T[]> {
    for (let at = 0; at < all.length;) {
      const room = Math.max(this.#input.limit - this.items.length, 1)
      const some = all.slice(at, at + Math.min(LOOKS_AT_ONCE, room))
      yield some
      at += some.length
    }
  }

  #around(look: Look, folder: number, textKey: string): Around {
    const parent = this.#input.scope === 'here' ? folder : undefined
    const paths = new FolderPaths(this.#deps.db, look.root.id)
    return { look, folder, paths, wanted: { ...this.#input, textKey, parent } }
  }

  get #isLate(): boolean {
    return this.#deps.clock.monotonic() > this.#until
  }

  get #isFull(): boolean {
    return this.items.length >= this.#input.limit
  }

  #rows(
    range: { readonly rootId: number; readonly blocks: readonly number[]; readonly before: number },
    wanted: Wanted,
  ): Promise<SearchEntryRow[]> {
    this.#ctx.signal.throwIfAborted()
    return entriesIn(this.#deps.db, { ...range, limit: ROWS_AT_ONCE }, wanted)
  }

  /** Keeps those of the rows that the caller may see. @returns the number of the last one looked at */
  async #take(rows: readonly SearchEntryRow[], around: Around, before: number): Promise<number> {
    await around.paths.load(rows.map((row) => Number(row.parent_n)))
    let last = before
    for (const some of this.#looks(rows)) {
      const found = await Promise.all(some.map((row) => this.#resultOf(row, around)))
      for (const [index, { n }] of some.entries()) {
        const result = found[index]
        if (result !== undefined) this.items.push(result)
        last = Number(n)
        if (this.#isFull) return last
      }
    }
    return last
  }

  /** @returns undefined for what does not exist for the caller, or is not there any more */
  async #resultOf(
    row: SearchEntryRow,
    { look, folder, paths, wanted }: Around,
    match?: ContentMatch,
  ): Promise<SearchResult | undefined> {
    const { top } = look
    const way = paths.wayTo(Number(row.parent_n), folder)
    if (way?.isBelow !== true) return undefined
    const path = `${rootOfPaths(top)}/${[...way.names, row.name].join('/')}`
    if (!isShown(top, path, row)) return undefined
    const entry = await entryNow(top, { row, path, ...(match && { size: match.size }) }, wanted)
    return entry && resultOf(look, { path, row, entry }, match?.snippet() ?? null)
  }

  /** Number of the folder of the scope; undefined when the index does not have it yet. */
  async #folderOf({ root, top }: Look): Promise<number | undefined> {
    let n: number = ROOT
    for (const name of top.path
      .slice(rootOfPaths(top).length)
      .split('/')
      .filter((part) => part !== '')) {
      const row = await foldersStore.folderNamed(this.#deps.db, root.id, n, name)
      if (row === undefined) return undefined
      n = Number(row.n)
    }
    return n
  }
}

/** What paths of the index begin with for the caller: the name of a virtual directory. */
function rootOfPaths({ rootPath }: Location): string {
  return rootPath === '/' ? '' : rootPath
}

function isShown(top: Location, path: string, { name, is_folder }: SearchEntryRow): boolean {
  return unreachable(name) === undefined && top.showsPath(path, is_folder === 1)
}

function resultOf(
  { top, groupName }: Searched,
  { path, row, entry }: { readonly path: string; readonly row: SearchEntryRow; readonly entry: Entry },
  snippet: SearchSnippet | null,
): SearchResult {
  const { spaceId, groupId } = top.place
  return {
    ...{ spaceId, groupId: wireGroupOf(groupId) },
    groupName,
    name: row.name,
    path,
    file_type: entry.kind === 'folder' ? 'Folder' : 'File',
    size: entry.kind === 'folder' ? 0 : entry.size,
    time: Math.floor(entry.modifiedMs / 1000),
    snippet,
  }
}
