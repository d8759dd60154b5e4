import { LIMITS, type ActivityItem, type OperationReply } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import type { UserCtx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { placeOf, requireEntry, type Access, type Found, type Location, type PlaceIds } from '../access/index.ts'
import { actorsOf, type Actors } from './actors.ts'
import type { ActivityRow, ActivityType } from './activity.schema.ts'
import { activityStore, type Tree } from './activity.store.ts'
import { lifeOf, type Stretch } from './life.ts'

export interface ActivityDeps {
  readonly access: Access
  readonly db: Db
}

interface ActivityRequest extends PlaceIds {
  readonly path: string
  readonly cursor?: string | null | undefined
  readonly limit: number
}

const KINDS: Readonly<Record<ActivityType, ActivityItem['kind']>> = {
  'file.committed': 'uploaded',
  'file.replaced': 'replaced',
  'folder.made': 'made',
  'file.renamed': 'renamed',
  'file.moved': 'moved',
  'file.copied': 'copied',
  'file.deleted': 'deleted',
  'file.restored': 'restored',
}

/**
 * What happened to an entry, and in a folder to what is in it, newest first. Of what the reader may not see nothing is shown: not
 * entries of the folder, not paths it had before, and nothing from the time in which it had them.
 * @throws AppError PATH_NOT_FOUND, PERMISSION_DENIED, CURSOR_INVALID
 */
export async function activityOf(
  deps: ActivityDeps,
  ctx: UserCtx,
  request: ActivityRequest,
): Promise<OperationReply<'activity'>> {
  const { location, entry } = await requireEntry(await deps.access.open(ctx, placeOf(request), request.path, 'list'))
  const isFolder = entry.kind === 'folder'
  const tree = treeOf(ctx, location)
  const rows: ActivityRow[] = []
  let until = cursorOf(request.cursor)
  for await (const stretch of lifeOf(deps.db, tree, location)) {
    if (!location.showsPath(stretch.path, isFolder)) break
    until = Math.min(until, stretch.until)
    while (until > stretch.since && rows.length <= request.limit) {
      const part = { path: stretch.path, isFolder, since: stretch.since, until, limit: request.limit + 1 }
      const found = await activityStore.within(deps.db, tree, part)
      rows.push(...found.filter((row) => location.showsPath(row.path, row.entry === 'folder')))
      until = found.at(-1)?.n ?? stretch.since
    }
    if (rows.length > request.limit) break
  }
  const shown = rows.slice(0, request.limit)
  const actors = await actorsOf(deps, ctx, shown)
  const next = rows.length > request.limit ? String(shown.at(-1)?.n ?? 0) : null
  return { items: shown.map((row) => present(row, location, actors)), next }
}

function treeOf({ principal }: UserCtx, { place: { spaceId, groupId } }: Pick<Location, 'place'>): Tree {
  return { ownerId: groupId === LIMITS.defaultGroupId ? principal.id : '', spaceId, groupId }
}

function cursorOf(text: string | null | undefined): number {
  if (text === null || text === undefined) return Number.MAX_SAFE_INTEGER
  if (!/^\d{1,15}$/.test(text)) throw new AppError('CURSOR_INVALID')
  return Number(text)
}

function present(row: ActivityRow, location: Location, actors: Actors): ActivityItem {
  const isFolder = row.entry === 'folder'
  const isSameTree = row.from_group_id === row.group_id
  const isFromShown = row.from_path !== '' && isSameTree && location.showsPath(row.from_path, isFolder)
  return {
    kind: KINDS[row.type],
    time: Math.floor(row.at / 1000),
    path: row.path,
    file_type: isFolder ? 'Folder' : 'File',
    from: isFromShown ? row.from_path : null,
    by: actors(row),
  }
}

type Uploaded = NonNullable<OperationReply<'attributes'>['items'][number]['uploaded']>

/**
 * Who brought what a file holds now: through renames, moves, restores and copies within its place. What came from another place
 * was brought by whoever copied it.
 * @returns undefined where it was not brought through the product, or the reader may not see where it was then
 */
export async function uploaderOf(deps: ActivityDeps, ctx: UserCtx, found: Found): Promise<Uploaded | undefined> {
  const row = await broughtBy(deps.db, treeOf(ctx, found.location), found)
  if (row === undefined) return undefined
  const actors = await actorsOf(deps, ctx, [row])
  return { by: actors(row), time: Math.floor(row.at / 1000) }
}

const COPIES_MAX = 20

async function broughtBy(db: Db, tree: Tree, { location, entry }: Found): Promise<ActivityRow | undefined> {
  let from: { readonly path: string; readonly before?: number } | undefined = location
  let copied: ActivityRow | undefined
  for (let copies = 0; copies < COPIES_MAX && from !== undefined; copies++) {
    let source: Stretch['source']
    for await (const stretch of lifeOf(db, tree, from)) {
      if (!location.showsPath(stretch.path, false)) return copied
      const rows = await activityStore.within(db, tree, { ...stretch, isFolder: false, limit: ROWS_MAX })
      // Somebody else's change of the storage: whoever brought what was there before has not brought this.
      if (from === location && stretch.path === location.path && isOther(rows[0], entry)) return undefined
      const brought = rows.find(({ type }) => type === 'file.committed' || type === 'file.replaced')
      if (brought !== undefined) return brought
      copied ??= rows.find(({ type }) => type === 'file.copied')
      ;({ source } = stretch)
    }
    from = source
  }
  return copied
}

/** The changes of a file since it was last moved; among more than these nobody looks for the one that brought it. */
const ROWS_MAX = 50

function isOther(last: ActivityRow | undefined, entry: Pick<Entry, 'etag'>): boolean {
  return last !== undefined && last.etag !== '' && last.etag !== entry.etag
}
