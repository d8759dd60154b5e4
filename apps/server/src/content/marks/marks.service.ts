import { LIMITS, type MarkedItem, type OperationReply } from '@godwit/contract'
import { groupsStore } from '../../identity/groups/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import type { Clock } from '@godwit/base'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { find, placeOf, requireEntry, wireGroupOf, type Access, type PlaceIds } from '../access/index.ts'
import { itemOf } from '../files/index.ts'
import type { MarkKind, MarkRow } from './marks.schema.ts'
import { marksStore } from './marks.store.ts'

export interface MarksDeps {
  readonly access: Access
  readonly db: Db
  readonly clock: Clock
}

interface MarksRequest {
  readonly spaceId: number
  readonly cursor?: string | null | undefined
  readonly limit: number
}

/** Rows that are looked up at a time. */
const ROWS_AT_ONCE = 16

/**
 * What an account marked, or worked with, in a space: the newest first, as far as it exists for the account now.
 * @throws AppError NO_SPACE, CURSOR_INVALID, and faults of the storage or the database
 */
export async function marked(
  deps: MarksDeps,
  ctx: UserCtx,
  { kind, spaceId, cursor, limit }: MarksRequest & { readonly kind: MarkKind },
): Promise<OperationReply<'favorites'>> {
  if (!accountOf(ctx.principal).spaceIds.includes(spaceId)) throw new AppError('NO_SPACE')
  const items: Array<MarkedItem & { readonly n: number }> = []
  let before = cursorOf(cursor)
  while (items.length <= limit) {
    const wanted = { userId: ctx.principal.id, kind, spaceId, before, limit: ROWS_AT_ONCE }
    const rows = await marksStore.list(deps.db, wanted)
    const found = await Promise.all(rows.map((row) => itemAt(deps, ctx, row)))
    items.push(...found.filter((item) => item !== undefined))
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) break
    before = last.n
  }
  const shown = items.slice(0, limit)
  return {
    items: shown.map(({ n: _n, ...item }) => item),
    next: items.length > limit ? String(shown.at(-1)?.n ?? 0) : null,
  }
}

function cursorOf(text: string | null | undefined): number {
  if (text === null || text === undefined) return Number.MAX_SAFE_INTEGER
  if (!/^\d{1,15}$/.test(text)) throw new AppError('CURSOR_INVALID')
  return Number(text)
}

/** What is gone, hidden, or in a place that is no longer the account's, is as if it had never been marked. */
async function itemAt({ access, db }: MarksDeps, ctx: UserCtx, row: MarkRow) {
  const ids = { spaceId: row.space_id, groupId: row.group_id }
  try {
    const found = await find(await access.open(ctx, placeOf(ids), row.path, 'list'))
    if (found === undefined) return undefined
    const time = Math.floor(row.at / 1000)
    const groupName = await nameOfGroup(db, ids.groupId)
    const did = row.action === '' ? null : row.action
    const wire = { ...ids, groupId: wireGroupOf(ids.groupId) }
    return { ...wire, groupName, ...itemOf(found.location, found.entry), did, at: time, n: row.n }
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status < 500) return undefined
    throw thrown
  }
}

async function nameOfGroup(db: Db, groupId: number): Promise<string> {
  return groupId === LIMITS.defaultGroupId ? '' : ((await groupsStore.byId(db, groupId))?.name ?? '')
}

interface MarkRequest extends PlaceIds {
  readonly paths: readonly string[]
  readonly isFavorite: boolean
}

/**
 * Makes entries favorites of the caller, or takes the mark off them. All of them or none.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, FAVORITES_LIMIT
 */
export async function markFavorites(
  { access, db, clock }: MarksDeps,
  ctx: UserCtx,
  { paths: asked, isFavorite, ...ids }: MarkRequest,
): Promise<void> {
  const places = new Map<string, PlaceIds>()
  for (const path of asked) {
    const opened = await access.open(ctx, placeOf(ids), path, 'list')
    const location = isFavorite ? (await requireEntry(opened)).location : opened
    places.set(location.path, location.place)
  }
  const paths = [...places]
  if (places.has('/') && isFavorite) throw new AppError('PARAMETER_INVALID', { field: 'paths' })
  const marker = { userId: ctx.principal.id, kind: 'favorite' as const }
  await inTransaction(db, async (tx) => {
    if (!isFavorite) {
      for (const [path, place] of paths) await marksStore.remove(tx, marker, place, [path])
      return
    }
    await marksStore.put(
      tx,
      paths.map(([path, place]) => ({
        ...{ user_id: marker.userId, kind: marker.kind, space_id: place.spaceId, group_id: place.groupId },
        ...{ path, action: '' as const, at: clock.now() },
      })),
    )
    if ((await marksStore.count(tx, marker)) > LIMITS.favoritesMax)
      throw new AppError('FAVORITES_LIMIT', { max: LIMITS.favoritesMax })
  })
}

/**
 * Names in a folder that are favorites of the caller.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED
 */
export async function favoritesIn(
  { access, db }: MarksDeps,
  ctx: UserCtx,
  { folder: asked, ...ids }: PlaceIds & { readonly folder: string },
): Promise<OperationReply<'favoritesIn'>> {
  const folder = await access.open(ctx, placeOf(ids), asked, 'list')
  const marker = { userId: ctx.principal.id, kind: 'favorite' as const }
  const paths = await marksStore.inFolder(db, marker, folder.place, folder.path)
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1))
  // Whether it is a file or a folder is not known here; a mark on the way to something allowed may show its name in any case.
  return { names: names.filter((name) => folder.shows(name, true)) }
}

/** Forgets what the caller worked with in every space. */
export async function forgetRecent({ db }: MarksDeps, { principal }: UserCtx): Promise<void> {
  await inTransaction(db, (tx) => marksStore.trim(tx, { userId: principal.id, kind: 'recent' }, 0))
}
