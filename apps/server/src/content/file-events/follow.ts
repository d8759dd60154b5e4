import type { Tx } from '../../kernel/db/index.ts'
import type { AnyDurableEvent, DurableEvents } from '../../kernel/events/index.ts'
import { folderOf } from './event-paths.ts'
import type { FileEvent } from './file-events.ts'

/** Events by which an entry changes its path, goes or comes back, or holds something else. */
export const FOLLOWED_TYPES = [
  'file.replaced',
  'file.renamed',
  'file.moved',
  'file.copied',
  'file.deleted',
  'file.restored',
] as const

export type FollowedEvent = Extract<AnyDurableEvent, { readonly type: (typeof FOLLOWED_TYPES)[number] }>

export function isFollowed(event: AnyDurableEvent): event is FollowedEvent {
  return FOLLOWED_TYPES.some((type) => type === event.type)
}

/** What an event is for one thing that names an entry by its path. `from` is what moved, went or came back: the entry or a folder above it. */
export type Turn =
  | { readonly kind: 'renewed' }
  | { readonly kind: 'moved' | 'back'; readonly from: string; readonly path: string }
  | { readonly kind: 'lost'; readonly from: string; readonly recycleId: string }

/** Something that names entries by their paths and follows them through moves, renames, the recycle bin and back. */
export interface PathKeeper<Row extends { readonly path: string; readonly recycled_path: string }> {
  /** What names an entry; of a folder also what names something below it. Nothing that is lost. */
  within(tx: Tx, event: FileEvent, path: string): Promise<readonly Row[]>
  /** What was lost with an item of the recycle bin; `recycled_path` is the path that was deleted, its own or that of a folder above. */
  recycledWith(tx: Tx, recycleId: string): Promise<readonly Row[]>
  turn(tx: Tx, row: Row, turn: Turn, event: FileEvent): Promise<void>
}

/** @returns what it was found to concern */
export async function followEvent<Row extends { readonly path: string; readonly recycled_path: string }>(
  keeper: PathKeeper<Row>,
  { type, payload }: FollowedEvent,
  tx: Tx,
): Promise<readonly Row[]> {
  switch (type) {
    case 'file.replaced':
      return renew(keeper, payload, tx)
    case 'file.copied':
      return payload.isReplacement ? renew(keeper, payload, tx) : []
    case 'file.renamed':
      return move(keeper, payload, tx)
    case 'file.moved':
      return [...(payload.isReplacement ? await renew(keeper, payload, tx) : []), ...(await move(keeper, payload, tx))]
    case 'file.deleted':
      return lose(keeper, payload, tx)
    case 'file.restored':
      return [
        ...(payload.isReplacement ? await renew(keeper, payload, tx) : []),
        ...(await revive(keeper, payload, tx)),
      ]
  }
}

type Paths = { readonly path: string; readonly recycled_path: string }

async function renew<Row extends Paths>(keeper: PathKeeper<Row>, event: FileEvent, tx: Tx): Promise<readonly Row[]> {
  const rows = await keeper.within(tx, event, event.path)
  for (const row of rows) await keeper.turn(tx, row, { kind: 'renewed' }, event)
  return rows
}

async function move<Row extends Paths>(
  keeper: PathKeeper<Row>,
  event: DurableEvents['file.renamed'],
  tx: Tx,
): Promise<readonly Row[]> {
  const { from } = event
  const rows = await keeper.within(tx, event, from)
  for (const row of rows)
    await keeper.turn(tx, row, { kind: 'moved', from, path: event.path + row.path.slice(from.length) }, event)
  return rows
}

async function lose<Row extends Paths>(
  keeper: PathKeeper<Row>,
  event: DurableEvents['file.deleted'],
  tx: Tx,
): Promise<readonly Row[]> {
  const { path: from, recycleId, isForGood } = event
  // What leaves the bin for good was lost when it came there.
  if (isForGood && recycleId !== '') return []
  const rows = await keeper.within(tx, event, from)
  for (const row of rows) await keeper.turn(tx, row, { kind: 'lost', from, recycleId }, event)
  return rows
}

async function revive<Row extends Paths>(
  keeper: PathKeeper<Row>,
  event: DurableEvents['file.restored'],
  tx: Tx,
): Promise<readonly Row[]> {
  const rows = await keeper.recycledWith(tx, event.recycleId)
  const back = rows.filter((row) => isWithin(row.path, sourceOf(event, row)))
  for (const row of back) {
    const from = sourceOf(event, row)
    await keeper.turn(tx, row, { kind: 'back', from, path: event.path + row.path.slice(from.length) }, event)
  }
  return back
}

/**
 * The path that came back, as it was when it was deleted. An item of the bin comes back whole, perhaps under another name, into
 * the folder that it was in; one that is merged into an existing folder comes back entry by entry.
 */
function sourceOf({ path }: FileEvent, { recycled_path: recycled }: Paths): string {
  return folderOf(path) === folderOf(recycled) ? recycled : path
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}
