import { setTimeout as pause } from 'node:timers/promises'
import { StorageError, KIND_FOLDER, type ObjectStore } from '@godwit/storage'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Log } from '../../kernel/context.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import type { Clock } from '@godwit/base'
import { storeOf, unreachable } from '../access/index.ts'
import { clearDeleted } from './clear.ts'
import { entriesStore } from './entries.store.ts'
import type { EntryWatch } from './entry-watch.ts'
import { foldersStore, type RootPlace } from './folders.store.ts'
import { NameSet } from './name-set.ts'
import { RootWriter, type SeenEntry } from './root-writer.ts'
import { CLEARED, ROOT, type SearchFolderRow, type SearchRootRow } from './search.schema.ts'

export interface ScanDeps {
  readonly db: Db
  readonly storages: Pick<Storages, 'ofPlace'>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  /** Key of a place's root inside its store; undefined when the account or the group is gone. */
  readonly rootKeyOf: (place: RootPlace) => Promise<string | undefined>
  readonly watch?: EntryWatch
}

/** Entries that are compared in one transaction: few, since everything else waits for one of SQLite. */
const SLICE = 500
/** Listings of a folder that others change meanwhile, before it is left for later. */
const TRIES = 3
/** Before the next reading of such a folder: somebody uploads into it without a pause. */
const BUSY_MS = 5_000
/** Before the next look at a storage that failed. */
const RETRY_MS = 60_000
/** A place is worked on for so long before the others have their turn. */
const TURN_MS = 2_000

/**
 * Brings the index up to what the storages hold, folder by folder, and clears away what was deleted. How far it has come is
 * kept with each folder, so whoever goes on after a crash reads no folder twice. At most half of the time is spent in
 * transactions, the rest is for whoever waits for an answer.
 */
export async function workOnIndex(deps: ScanDeps, signal: AbortSignal): Promise<void> {
  await adoptPlaces(deps)
  for (;;) {
    const roots = await foldersStore.withWork(deps.db, deps.clock.now())
    if (roots.length === 0) return
    for (const root of roots) {
      signal.throwIfAborted()
      await workOnRoot(deps, root, signal)
    }
  }
}

async function adoptPlaces({ db }: ScanDeps): Promise<void> {
  for (const { owner_id: ownerId, space_id: spaceId, group_id: groupId } of await foldersStore.newPlaces(db)) {
    await adoptPlace(db, { ownerId, spaceId, groupId })
  }
}

export async function adoptPlace(db: Db, place: RootPlace): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await foldersStore.lock(tx, place))) await foldersStore.addRoot(tx, place)
  })
}

export function placeOfRoot({ owner_id: ownerId, space_id: spaceId, group_id: groupId }: SearchRootRow): RootPlace {
  return { ownerId, spaceId, groupId }
}

async function workOnRoot(deps: ScanDeps, root: SearchRootRow, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = deps
  try {
    const tree = await treeOf(deps, root)
    const until = clock.monotonic() + TURN_MS
    const busy: number[] = []
    while (clock.monotonic() < until) {
      signal.throwIfAborted()
      if (await withRest(deps, signal, () => clearDeleted(db, root, deps.watch))) continue
      const folder = await foldersStore.nextToRead(db, root, busy)
      if (folder === undefined) break
      if (!(await readFolder(deps, { root, tree, folder }, signal))) busy.push(Number(folder.n))
    }
    if (busy.length > 0) await foldersStore.changeRoot(db, root.id, { retry_at: clock.now() + BUSY_MS })
    else await endRound(deps, root)
  } catch (thrown) {
    if (signal.aborted) throw thrown
    log.warn({ err: thrown, spaceId: root.space_id, groupId: root.group_id }, 'the search index waits for a storage')
    await foldersStore.changeRoot(db, root.id, { retry_at: clock.now() + RETRY_MS })
  }
}

/** Where a place is kept. */
export interface Tree {
  readonly store: ObjectStore
  readonly rootKey: string
}

/** @returns undefined when the account or the group is gone, and its names with it */
export async function treeOf(
  { storages, rootKeyOf }: Pick<ScanDeps, 'storages' | 'rootKeyOf'>,
  root: SearchRootRow,
): Promise<Tree | undefined> {
  const place = placeOfRoot(root)
  const rootKey = await rootKeyOf(place)
  if (rootKey === undefined) return undefined
  return { store: await storeOf(storages, { userId: place.ownerId, ...place }), rootKey }
}

/** Leaves the machine to others for as long as the work took. */
async function withRest<T>({ clock }: ScanDeps, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const begunAt = clock.monotonic()
  const done = await work()
  await pause(clock.monotonic() - begunAt, undefined, { signal })
  return done
}

async function endRound({ db, clock }: ScanDeps, root: SearchRootRow): Promise<void> {
  await inTransaction(db, async (tx) => {
    const place = placeOfRoot(root)
    if (!(await foldersStore.lock(tx, place))) return
    const now = await foldersStore.rootOf(tx, place)
    if (now === undefined) return
    const isOpen =
      (await foldersStore.nextToRead(tx, now)) !== undefined ||
      (await foldersStore.nextToClear(tx, root.id)) !== undefined
    if (!isOpen) await foldersStore.changeRoot(tx, root.id, { needs_work: 0, scanned_at: clock.now() })
  })
}

interface Reading {
  readonly root: SearchRootRow
  readonly tree: Tree | undefined
  readonly folder: SearchFolderRow
}

/** @returns false when others changed the folder all the while */
async function readFolder(deps: ScanDeps, reading: Reading, signal: AbortSignal): Promise<boolean> {
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const folder = await foldersStore.folder(deps.db, reading.root.id, Number(reading.folder.n))
    if (folder === undefined || Number(folder.parent_n) === CLEARED) return true
    if (await new FolderComparison(deps, { ...reading, folder }).run(signal)) return true
  }
  return false
}

/** Compares what the index has of a folder with the storage, slice by slice, as long as nobody else changes the folder. */
class FolderComparison {
  readonly #deps: ScanDeps
  readonly #reading: Reading
  readonly #n: number
  readonly #names = new NameSet()
  #version: number

  constructor(deps: ScanDeps, reading: Reading) {
    this.#deps = deps
    this.#reading = reading
    this.#n = Number(reading.folder.n)
    this.#version = reading.folder.version
  }

  /** @returns false when the folder changed meanwhile: what was read of it before is out of date */
  async run(signal: AbortSignal): Promise<boolean> {
    let pending: SeenEntry[] = []
    for await (const seen of this.#slices(signal)) {
      for (const { name } of seen) this.#names.add(name)
      if (pending.length > 0 && !(await withRest(this.#deps, signal, () => this.#put(pending)))) return false
      pending = seen
    }
    this.#names.close()
    let after: string | undefined = ''
    while (after !== undefined) {
      signal.throwIfAborted()
      const from: string = after
      const last = pending
      const next = await withRest(this.#deps, signal, () => this.#removeGone(last, from))
      if (next === undefined) return false
      after = next.after
      pending = []
    }
    return true
  }

  async *#slices(signal: AbortSignal): AsyncGenerator<SeenEntry[]> {
    const { root, folder, tree } = this.#reading
    const key = tree && (await keyOf(this.#deps.db, { root, folder, rootKey: tree.rootKey }))
    if (tree !== undefined && key !== undefined) yield* slices(tree.store, key, signal)
  }

  async #put(seen: readonly SeenEntry[]): Promise<boolean> {
    const isDone = await this.#ifUnchanged(async (writer) => {
      await writer.put(this.#n, seen)
      return true
    })
    return isDone ?? false
  }

  /** @returns from where to go on; undefined when the folder changed meanwhile */
  #removeGone(seen: readonly SeenEntry[], after: string): Promise<{ readonly after: string | undefined } | undefined> {
    const { root } = this.#reading
    return this.#ifUnchanged(async (writer, tx) => {
      await writer.put(this.#n, seen)
      const rows = await entriesStore.inFolder(tx, root.id, this.#n, { after, limit: SLICE })
      for (const row of rows) if (!this.#names.has(row.name)) await writer.removeRow(row)
      if (rows.length === SLICE) return { after: rows.at(-1)?.name }
      await foldersStore.changeFolder(tx, { rootId: root.id, n: this.#n }, { scan_round: root.scan_round })
      return { after: undefined }
    })
  }

  /** Each change by others, and each comparison by another node, ends this one. */
  #ifUnchanged<T>(work: (writer: RootWriter, tx: Tx) => Promise<T>): Promise<T | undefined> {
    const place = placeOfRoot(this.#reading.root)
    return inTransaction(this.#deps.db, async (tx) => {
      if (!(await foldersStore.lock(tx, place))) return undefined
      const root = await foldersStore.rootOf(tx, place)
      const folder = root && (await foldersStore.folder(tx, root.id, this.#n))
      const isOurs = folder?.version === this.#version && Number(folder.parent_n) !== CLEARED
      if (root === undefined || !isOurs) return undefined
      const writer = new RootWriter(tx, root, this.#deps.watch)
      writer.touch(this.#n)
      const done = await work(writer, tx)
      await writer.finish()
      return done
    }).then((done) => {
      this.#version++
      return done
    })
  }
}

/** The key of a folder, in the spelling of the storage; undefined when it is out of reach of its root. */
export async function keyOf(
  db: Db,
  {
    root,
    folder,
    rootKey,
  }: { readonly root: SearchRootRow; readonly folder: SearchFolderRow; readonly rootKey: string },
): Promise<string | undefined> {
  const names: string[] = []
  for (let row: SearchFolderRow | undefined = folder; row !== undefined;) {
    if (Number(row.n) === ROOT) return [rootKey, ...names.toReversed()].join('/')
    names.push(row.disk_name === '' ? row.name : row.disk_name)
    row = await foldersStore.folder(db, root.id, Number(row.parent_n))
  }
  return undefined
}

/** What a folder holds, in slices; nothing for one that is not there. */
async function* slices(store: ObjectStore, key: string, signal: AbortSignal): AsyncGenerator<SeenEntry[]> {
  let slice: SeenEntry[] = []
  try {
    for await (const page of store.list(key, { details: true, signal })) {
      const { names, kinds, details } = page
      for (const [at, diskName] of names.entries()) {
        const isFolder = kinds[at] === KIND_FOLDER
        if (unreachable(diskName) !== undefined) continue
        const name = diskName.normalize('NFC')
        const size = isFolder ? 0 : (details?.sizes[at] ?? 0)
        const modifiedMs = Math.floor(details?.modifiedMs[at] ?? 0)
        slice.push({ name, diskName: diskName === name ? '' : diskName, isFolder, size, modifiedMs })
        if (slice.length < SLICE) continue
        yield slice
        slice = []
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof StorageError && thrown.reason === 'not-found')) throw thrown
  }
  if (slice.length > 0) yield slice
}
