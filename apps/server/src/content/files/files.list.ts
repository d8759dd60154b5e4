import type { OperationReply, OrderBy } from '@godwit/contract'
import type { EntryColumns } from '@godwit/storage'
import { KIND_GONE } from '@godwit/storage'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import type { FilesDeps } from './files.deps.ts'
import { withAppErrors } from '../../foundation/storages/index.ts'
import { placeOf, requireFolder, type Location, type Place, type PlaceIds } from '../access/index.ts'
import { breather, decodeCursor, encodeCursor, FolderIndex, type Preview } from '../listings/index.ts'
import { shownOrder } from './shown-order.ts'

export interface ListRequest {
  readonly folder: string
  readonly cursor?: string | null | undefined
  readonly limit: number
  readonly orderBy: OrderBy
  readonly order: 'asc' | 'desc'
}

/** A page in columns. */
interface Page {
  readonly folder: Location
  readonly names: string[]
  /** 0 file, 1 folder, 2 virtual folder */
  readonly types: number[]
  readonly sizes: number[]
  /** Unix seconds */
  readonly times: number[]
  readonly next: string | null
  readonly total: number
  readonly version: string
}

const FILE_TYPES = ['File', 'Folder', 'VirtualFolder'] as const

/** A page this small is always shown with fresh sizes and times: what writes into a file does not change its folder's time. */
const FRESH_PAGE = 1_000

/** Who asks, and until when. */
type Lister = Pick<Ctx, 'principal' | 'signal'>
type ListPlace = ListRequest & { readonly place: Place }

export function list(deps: FilesDeps, ctx: UserCtx, request: ListRequest & PlaceIds): Promise<OperationReply<'list'>> {
  return listPlace(deps, ctx, { ...request, place: placeOf(request) })
}

/** @throws AppError PATH_NOT_FOUND, PATH_IS_FILE, PERMISSION_DENIED, CURSOR_INVALID */
export async function listPlace(deps: FilesDeps, ctx: Lister, request: ListPlace): Promise<OperationReply<'list'>> {
  const page = await pageOf(deps, ctx, request)
  const base = page.folder.path === '/' ? '/' : `${page.folder.path}/`
  const items = page.names.map((name, at) => ({
    name,
    file_type: FILE_TYPES[page.types[at] ?? 0] ?? 'File',
    size: page.sizes[at] ?? 0,
    time: page.times[at] ?? 0,
    path: base + name,
  }))
  return { items, next: page.next, total: page.total, version: page.version }
}

/** As list(), one array a field. */
export async function columns(
  deps: FilesDeps,
  ctx: UserCtx,
  request: ListRequest & PlaceIds,
): Promise<OperationReply<'columns'>> {
  const { folder: _folder, ...page } = await pageOf(deps, ctx, { ...request, place: placeOf(request) })
  return page
}

async function pageOf(deps: FilesDeps, ctx: Lister, request: ListPlace): Promise<Page> {
  const isDescending = request.order === 'desc'
  const by = request.orderBy
  const mark = request.cursor == null ? undefined : decodeCursor(request.cursor, { by, isDescending })
  const folder = await requireFolder(await deps.access.open(ctx, request.place, request.folder, 'list'))
  const isBeginning =
    mark === undefined && by === 'name' && !isDescending && request.limit <= FRESH_PAGE && !folder.mayHideBelow
  const index = isBeginning
    ? await deps.indexes.beginning(folder, request.limit)
    : await deps.indexes.of(folder, mark !== undefined)
  if (!(index instanceof FolderIndex)) return earlyPage(folder, index, ctx.signal)
  if (by === 'size' || by === 'time') await learnAll(folder, index, ctx.signal)
  const breathe = breather(deps.clock, ctx.signal)
  const ordered = await shownOrder({ folder, index, ordered: await index.order(by, breathe), isDescending }, breathe)
  const from = mark === undefined ? 0 : ordered.after(mark)
  const end = Math.min(ordered.count, from + request.limit)
  const entries = Array.from({ length: end - from }, (_, at) => ordered.at(from + at))
  const last = entries.at(-1)
  const next =
    end < ordered.count && last !== undefined ? encodeCursor({ by, isDescending, ...ordered.mark(last) }) : null
  const shown = withMounts(folder, await present(deps, { folder, index, entries }, ctx.signal))
  if (next !== null && entries.length > FRESH_PAGE) {
    const following = Math.min(request.limit, ordered.count - end)
    const coming = Array.from({ length: following }, (_, at) => ordered.at(end + at))
    lookAhead({ folder, index, entries: coming })
  }
  return { folder, ...shown, next, total: ordered.count, version: index.version }
}

/** The first page of a big folder whose index is still being made. */
async function earlyPage(folder: Location, { entries, total, version }: Preview, signal: AbortSignal): Promise<Page> {
  const names = entries.map(({ name }) => name)
  const found = await withAppErrors(() => folder.store.statMany(folder.key, names, signal))
  const last = entries.at(-1)
  const shown = [...names.keys()].filter((at) => found.kinds[at] !== KIND_GONE)
  const end = last && { by: 'name' as const, isDescending: false, ...last, value: null }
  return withMounts(folder, {
    folder,
    names: shown.map((at) => names[at] ?? ''),
    types: shown.map((at) => (entries[at]?.isFolder === true ? 1 : 0)),
    sizes: shown.map((at) => found.sizes[at] ?? 0),
    times: shown.map((at) => Math.floor((found.modifiedMs[at] ?? 0) / 1000)),
    next: end && entries.length < total ? encodeCursor(end) : null,
    total,
    version,
  })
}

/** Virtual directories stand in the index as folders. */
function withMounts<Shown extends Pick<Page, 'names' | 'types'>>(folder: Location, shown: Shown): Shown {
  const mounts = new Set(folder.mountNames)
  if (mounts.size === 0) return shown
  return { ...shown, types: shown.types.map((type, at) => (mounts.has(shown.names[at] ?? '') ? 2 : type)) }
}

interface Wanted {
  readonly folder: Location
  readonly index: FolderIndex
  readonly entries: number[]
}

async function present(
  deps: FilesDeps,
  { folder, index, entries }: Wanted,
  signal: AbortSignal,
): Promise<Pick<Page, 'names' | 'types' | 'sizes' | 'times'>> {
  const isFresh = entries.length <= FRESH_PAGE
  if (!isFresh) await ahead.get(index)
  const asked = isFresh ? entries : entries.filter((entry) => !index.isKnown(entry))
  const found = await detailsOf({ folder, index, entries: asked }, signal)
  const gone = new Set<number>()
  for (const [at, entry] of asked.entries()) if (found.kinds[at] === KIND_GONE) gone.add(entry)
  index.learn(asked, found)
  for (const entry of gone) deps.indexes.note(folder, index.name(entry), 'gone')
  const shown = gone.size === 0 ? entries : entries.filter((entry) => !gone.has(entry))
  return {
    names: shown.map((entry) => index.name(entry)),
    types: shown.map((entry) => (index.isFolder(entry) ? 1 : 0)),
    sizes: shown.map((entry) => index.size(entry)),
    times: shown.map((entry) => Math.floor(index.time(entry) / 1000)),
  }
}

/** Sizes and times of pages that were not asked for yet. */
const ahead = new WeakMap<FolderIndex, Promise<void>>()

/** Whoever takes a big folder in pages of thousands asks for the next one soon: its details are read while this one travels. */
function lookAhead({ folder, index, entries }: Wanted): void {
  const unknown = entries.filter((entry) => !index.isKnown(entry))
  if (unknown.length === 0) return
  const { signal } = new AbortController()
  const looking = detailsOf({ folder, index, entries: unknown }, signal).then(
    (found) => {
      // What is gone is for the page to find: it leaves it out.
      if (!found.kinds.includes(KIND_GONE)) index.learn(unknown, found)
    },
    // The page that needs it asks again, and meets the same fault.
    () => undefined,
  )
  ahead.set(index, looking)
}

async function learnAll(folder: Location, index: FolderIndex, signal: AbortSignal): Promise<void> {
  const unknown = Uint32Array.from({ length: index.count }, (_, entry) => entry).filter(
    (entry) => !index.isKnown(entry),
  )
  if (unknown.length > 0) index.learn(unknown, await detailsOf({ folder, index, entries: unknown }, signal))
}

function detailsOf(
  { folder, index, entries }: { folder: Location; index: FolderIndex; entries: ArrayLike<number> },
  signal: AbortSignal,
): Promise<EntryColumns> {
  const names = Array.from(entries, (entry) => index.name(entry))
  return withAppErrors(() => folder.store.statMany(folder.key, names, signal))
}
