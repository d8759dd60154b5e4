import { LIMITS } from '@godwit/contract'
import type { Tx } from '../../kernel/db/index.ts'
import type { AnyDurableEvent, DurableEvents } from '../../kernel/events/index.ts'
import type { Subscriptions } from '../../kernel/feature.ts'
import type { FileEvent } from '../file-events/index.ts'
import type { EntryWatch } from './entry-watch.ts'
import { foldersStore, type RootPlace } from './folders.store.ts'
import { RootWriter, splitPath, type SeenEntry } from './root-writer.ts'

const TYPES = [
  'file.committed',
  'file.replaced',
  'folder.made',
  'file.renamed',
  'file.moved',
  'file.copied',
  'file.deleted',
  'file.restored',
] as const

type Indexed = Extract<AnyDurableEvent, { readonly type: (typeof TYPES)[number] }>

/** Keeps the index: many events in one transaction, together with the mark that they are handled. */
export function searchSubscriptions(watch?: EntryWatch): Subscriptions {
  const subscription = {
    subscriber: 'search.index',
    handleManyWithin: (events: readonly AnyDurableEvent[], tx: Tx) => indexEvents(events.filter(isIndexed), tx, watch),
  }
  return Object.fromEntries(TYPES.map((type) => [type, subscription]))
}

export function isIndexed(event: AnyDurableEvent): event is Indexed {
  return TYPES.some((type) => type === event.type)
}

export async function indexEvents(given: readonly Indexed[], tx: Tx, watch?: EntryWatch): Promise<void> {
  const events = given.filter(isBelowRoot).map(inRoot)
  const writers = await openWriters(
    tx,
    events.map(({ payload }) => rootPlaceOf(payload)),
    watch,
  )
  for (const run of runsOf(events)) {
    const [first] = run
    const writer = first && writers.get(nameOfPlace(rootPlaceOf(first.payload)))
    if (writer !== undefined) await applyRun(writer, run)
  }
  for (const writer of writers.values()) await writer.finish()
}

/** A virtual directory that gets another name, or goes, changes nothing in it. */
function isBelowRoot({ payload }: Indexed): boolean {
  return payload.groupId >= LIMITS.defaultGroupId || payload.path.indexOf('/', 1) > 0
}

/** The index knows paths from the root of the place; those of a virtual directory begin with its name in the home. */
function inRoot(event: Indexed): Indexed {
  if (event.payload.groupId >= LIMITS.defaultGroupId) return event
  const { payload } = event
  const from = 'from' in payload ? { from: withoutAlias(payload.from) } : {}
  return { ...event, payload: { ...payload, ...from, path: withoutAlias(payload.path) } } as Indexed
}

function withoutAlias(path: string): string {
  return path.slice(path.indexOf('/', 1))
}

export function rootPlaceOf({
  userId,
  spaceId,
  groupId,
}: Pick<FileEvent, 'userId' | 'spaceId' | 'groupId'>): RootPlace {
  return { ownerId: groupId === LIMITS.defaultGroupId ? userId : '', spaceId, groupId }
}

function nameOfPlace({ ownerId, spaceId, groupId }: RootPlace): string {
  return `${groupId}/${spaceId}/${ownerId}`
}

/** Locks places, always in the same order. Must come first in the transaction. */
async function openWriters(tx: Tx, places: readonly RootPlace[], watch?: EntryWatch): Promise<Map<string, RootWriter>> {
  const byName = new Map(places.map((place) => [nameOfPlace(place), place]))
  const ordered = [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [, place] of ordered) {
    if (!(await foldersStore.lock(tx, place))) await foldersStore.addRoot(tx, place)
  }
  const writers = new Map<string, RootWriter>()
  for (const [name, place] of ordered) {
    const root = await foldersStore.rootOf(tx, place)
    if (root !== undefined) writers.set(name, new RootWriter(tx, root, watch))
  }
  return writers
}

/** New files of one folder, which come in thousands, together; everything else by itself. */
function runsOf(events: readonly Indexed[]): Indexed[][] {
  const runs: Indexed[][] = []
  for (const event of events) {
    const last = runs.at(-1)
    if (last?.[0] !== undefined && isSameFolder(last[0], event)) last.push(event)
    else runs.push([event])
  }
  return runs
}

function isSameFolder(a: Indexed, b: Indexed): boolean {
  return (
    isUpload(a) &&
    isUpload(b) &&
    nameOfPlace(rootPlaceOf(a.payload)) === nameOfPlace(rootPlaceOf(b.payload)) &&
    splitPath(a.payload.path).parent === splitPath(b.payload.path).parent
  )
}

function isUpload({ type }: Indexed): boolean {
  return type === 'file.committed' || type === 'file.replaced'
}

async function applyRun(writer: RootWriter, run: readonly Indexed[]): Promise<void> {
  const [first] = run
  if (first === undefined) return
  if (isUpload(first))
    return put(
      writer,
      first.payload.path,
      run.map(({ payload }) => seenOf(payload)),
    )
  await apply(writer, first)
}

async function apply(writer: RootWriter, { type, payload }: Indexed): Promise<void> {
  switch (type) {
    case 'file.renamed':
    case 'file.moved':
      return move(writer, payload)
    case 'file.deleted':
      // What leaves the bin was not in the index; what was moved to another place was.
      return payload.isForGood && payload.recycleId !== '' ? undefined : writer.remove(payload.path)
    case 'folder.made':
      return put(writer, payload.path, [seenOf(payload)], 'empty')
    case 'file.committed':
    case 'file.replaced':
    case 'file.copied':
    case 'file.restored':
      await put(writer, payload.path, [seenOf(payload)])
      // What came with a folder is on the storage only.
      return payload.kind === 'folder' ? writer.readAgain(payload.path) : undefined
  }
}

async function move(writer: RootWriter, payload: DurableEvents['file.renamed']): Promise<void> {
  const isKnown = await writer.move(payload.from, payload.path)
  if (!isKnown || payload.kind === 'file') {
    const row = isKnown ? await writer.find(payload.path) : undefined
    // The time of the content stays what it was.
    const modifiedMs = row === undefined ? payload.at : Number(row.modified_ms)
    await put(writer, payload.path, [{ ...seenOf(payload), modifiedMs }])
  }
}

async function put(writer: RootWriter, path: string, seen: readonly SeenEntry[], depth?: 'empty'): Promise<void> {
  const folder = await writer.folderAt(splitPath(path).parent)
  writer.touch(folder)
  await writer.put(folder, seen, depth)
}

function seenOf({ path, kind, size, at }: FileEvent): SeenEntry {
  const isFolder = kind === 'folder'
  return { name: splitPath(path).name, diskName: '', isFolder, size: isFolder ? 0 : (size ?? 0), modifiedMs: at }
}
