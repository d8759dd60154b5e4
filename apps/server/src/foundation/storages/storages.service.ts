import type { Clock, Random } from '@godwit/base'
import { LIMITS } from '@godwit/contract'
import { StorageError, type ObjectStore } from '@godwit/storage'
import type { Log } from '../../kernel/context.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import { isDuplicate, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { Refused } from '../installation/index.ts'
import { ensureInstallation } from './installation.ts'
import { StorageHandle } from './storage-handle.ts'
import { storageHealthCode, WrongStorage } from './storages.errors.ts'
import { kindOf, type KindDeps } from './storages.kinds.ts'
import { markText, readMarkState } from './storages.marks.ts'
import type { StorageRow } from './storages.schema.ts'
import { storagesStore } from './storages.store.ts'

/** Where files are kept: those of an account in a space, or those of a group (`ownerId` ''). */
export interface PlaceId {
  readonly ownerId: string
  readonly spaceId: number
  readonly groupId: number
}

/** The storages of this installation. */
export interface Storages {
  /**
   * The storage of a place: the default of its space when it is first used, and the same one for ever after.
   * @throws AppError SPACE_NEEDS_STORAGE
   */
  ofPlace(place: PlaceId): Promise<ObjectStore>
  all(): readonly ObjectStore[]
  /** Names a store for all nodes and for ever. */
  idOf(store: ObjectStore): number
  /** @returns undefined for a storage that this process does not know */
  withId(id: number): ObjectStore | undefined
  /** Looks at every storage. @throws AppError with the code of the first fault */
  check(): Promise<void>
  close(): Promise<void>
}

export interface StoragesOptions {
  readonly db: Db
  /** The data folder; the first storage is in `files` below it. */
  readonly data: string
  /** Bytes of a disk that uploads leave free. */
  readonly reserveBytes: number
  readonly clock: Clock
  readonly random: Random
  /** Opened when the first sealed secret is read. */
  readonly vault: () => Vault
  readonly log: Pick<Log, 'warn'>
  /** False for a process beside the server: it finishes nothing that a crash left. Default true. */
  readonly isOwner?: boolean
}

const IDLE_MS = 5 * 60_000
/** A service that is asked over a network, and for money, is looked at less often. */
const REMOTE_LOOK_MS = 60_000
/** The last look is written down at least this often. */
const NOTE_MS = 10 * 60_000
const PLACES_KEPT = 100_000

/** The storages as they run: {@link Storages} with what the server does to them by itself. */
export interface RunningStorages extends Storages {
  /** @throws Refused when a storage is missing, empty where files are expected, or somebody else's */
  start(): Promise<void>
  /** Takes up what changed in the database. */
  refresh(): Promise<void>
  /** Takes up what changed in the database, and looks at every storage. */
  look(): Promise<void>
}

export function createStorages(options: StoragesOptions): RunningStorages {
  return new OpenStorages(options)
}

/** @throws as {@link RunningStorages.start} */
export async function openStorages(options: StoragesOptions): Promise<Storages> {
  const storages = createStorages(options)
  await storages.start()
  return storages
}

/** Opens the storages beside a running server, or before one. @throws as {@link RunningStorages.start} */
export async function withStorages<T>(
  options: Omit<StoragesOptions, 'isOwner'>,
  work: (storages: Storages) => Promise<T>,
): Promise<T> {
  const storages = await openStorages({ ...options, isOwner: false })
  try {
    return await work(storages)
  } finally {
    await storages.close()
  }
}

interface Known {
  row: StorageRow
  readonly handle: StorageHandle
  /** Monotonic time of the next look. */
  lookAt: number
  /** What the last look found wrong. */
  fault: unknown
  /** Name of its error; '' when all was well. */
  error: string
  notedAt: number
}

class OpenStorages implements RunningStorages {
  readonly #options: StoragesOptions
  readonly #kindDeps: KindDeps
  #installation = ''
  readonly #known = new Map<number, Known>()
  readonly #ids = new WeakMap<ObjectStore, number>()
  readonly #places = new Map<string, number>()

  constructor(options: StoragesOptions) {
    this.#options = options
    const { data, reserveBytes, clock, random, isOwner = true } = options
    this.#kindDeps = { data, reserveBytes, clock, random, isOwner }
  }

  async ofPlace(place: PlaceId): Promise<ObjectStore> {
    const name = `${place.groupId}/${place.spaceId}/${place.ownerId}`
    const id = this.#places.get(name) ?? (await this.#storageOf(place))
    // Never changes, so it is only forgotten to bound the memory.
    if (this.#places.size >= PLACES_KEPT) this.#places.clear()
    this.#places.set(name, id)
    if (!this.#known.has(id)) await this.refresh()
    const known = this.#known.get(id)
    if (known === undefined) throw new Error(`place on a storage that does not exist: ${id}`)
    return known.handle
  }

  all(): readonly ObjectStore[] {
    return [...this.#known.values()].map(({ handle }) => handle)
  }

  idOf(store: ObjectStore): number {
    const id = this.#ids.get(store)
    if (id === undefined) throw new Error('a store that is no storage of this installation')
    return id
  }

  withId(id: number): ObjectStore | undefined {
    return this.#known.get(id)?.handle
  }

  async start(): Promise<void> {
    this.#installation = await ensureInstallation(this.#options)
    await this.look()
    for (const { row, fault } of this.#known.values()) {
      if (!(fault instanceof WrongStorage)) continue
      const place = kindOf(row.kind).describe(this.#kindDeps, JSON.parse(row.settings))
      await this.close()
      throw new Refused(`Storage ${row.id} (${row.name}), ${place}, ${CURES[fault.found](row.id)}`, {
        cause: fault,
      })
    }
  }

  async look(): Promise<void> {
    await this.refresh()
    await this.#lookAtAll()
  }

  async check(): Promise<void> {
    // Of a server that was never started, for a look from the command line.
    if (this.#installation === '') await this.start()
    else await this.#lookAtAll()
    const bad = [...this.#known.values()].find(({ error }) => error !== '')
    if (bad !== undefined) throw new AppError(bad.error as 'STORAGE_UNREACHABLE', { storageId: bad.row.id })
  }

  /** Takes up rows that came, went or changed, by whichever process. */
  async refresh(): Promise<void> {
    const { db } = this.#options
    const rows = await storagesStore.all(db)
    for (const row of rows) {
      const known = this.#known.get(row.id)
      if (known === undefined) this.#known.set(row.id, this.#knownOf(row))
      else await this.#takeUp(known, row)
    }
    const ids = new Set(rows.map((row) => row.id))
    for (const [id, { handle }] of this.#known) {
      if (ids.has(id)) continue
      this.#known.delete(id)
      await handle.close()
    }
  }

  async close(): Promise<void> {
    for (const { handle } of this.#known.values()) await handle.close()
  }

  async #storageOf({ ownerId: owner_id, spaceId: space_id, groupId: group_id }: PlaceId): Promise<number> {
    const { db } = this.#options
    const key = { owner_id, space_id, group_id }
    const found = await storagesStore.storageOf(db, key)
    if (found !== undefined) return found
    // A virtual directory has its storage from the start; one without is gone.
    if (group_id < LIMITS.defaultGroupId) throw new AppError('PATH_NOT_FOUND')
    const storage_id = await storagesStore.defaultOf(db, space_id, LIMITS.defaultSpaceId)
    if (storage_id === undefined) throw new AppError('SPACE_NEEDS_STORAGE')
    try {
      await storagesStore.addPlace(db, { ...key, storage_id })
      return storage_id
    } catch (thrown) {
      // Another call made it first, perhaps elsewhere.
      if (!isDuplicate(thrown)) throw thrown
      return this.#storageOf({ ownerId: owner_id, spaceId: space_id, groupId: group_id })
    }
  }

  #knownOf(row: StorageRow): Known {
    const kind = kindOf(row.kind)
    const handle: StorageHandle = new StorageHandle({
      capabilities: kind.capabilities(JSON.parse(row.settings)),
      idleMs: kind.closesWhenIdle ? IDLE_MS : undefined,
      open: () => this.#open(row.id),
      // A bucket that is gone is reported as such by its service; a folder that is not mounted is merely empty.
      faultBehind: kind.closesWhenIdle ? undefined : () => this.#wrongStorage(known),
    })
    const known: Known = { row, handle, lookAt: 0, fault: undefined, error: row.error, notedAt: row.checked_at ?? 0 }
    this.#ids.set(handle, row.id)
    return known
  }

  async #takeUp(known: Known, row: StorageRow): Promise<void> {
    const isSame = known.row.settings === row.settings && known.row.sealed_secret === row.sealed_secret
    known.row = row
    if (isSame) return
    known.lookAt = 0
    await known.handle.close()
  }

  /** Opens a storage and makes sure that it is ours; one that is new is marked. */
  async #open(id: number): Promise<ObjectStore> {
    const row = this.#known.get(id)?.row
    if (row === undefined) throw new StorageError('unreachable')
    const { db, clock, vault } = this.#options
    const secret = row.sealed_secret === '' ? '' : vault().open(secretPurpose(row.id), row.sealed_secret)
    const isNew = row.marked_at === null
    const store = await kindOf(row.kind).open(this.#kindDeps, {
      settings: JSON.parse(row.settings),
      secret,
      create: isNew,
    })
    const owner = { installation: this.#installation, storage: id }
    const state = await readMarkState(store, owner)
    if (state !== 'ours' && !(state === 'none' && isNew)) throw new WrongStorage(state)
    if (state === 'none') await store.writeMark(markText(owner))
    if (isNew) await storagesStore.change(db, id, { marked_at: clock.now() })
    return store
  }

  async #lookAtAll(): Promise<void> {
    const now = this.#options.clock.monotonic()
    await Promise.all(
      [...this.#known.values()].map(async (known) => {
        if (known.lookAt > now) return
        known.lookAt = now + (kindOf(known.row.kind).closesWhenIdle ? REMOTE_LOOK_MS : 0)
        await this.#lookAt(known)
      }),
    )
  }

  async #lookAt(known: Known): Promise<void> {
    const fault = await this.#faultOf(known)
    const error = fault === undefined ? '' : (storageHealthCode(fault) ?? 'INTERNAL')
    known.handle.refuse(fault instanceof WrongStorage ? fault : undefined)
    const isNews = error !== known.error
    if (isNews) this.#options.log.warn({ storageId: known.row.id, error, err: fault }, 'the state of a storage changed')
    Object.assign(known, { fault, error })
    if (isNews || this.#options.clock.now() >= known.notedAt + NOTE_MS) await this.#note(known)
  }

  async #note(known: Known): Promise<void> {
    const { db, clock, log } = this.#options
    known.notedAt = clock.now()
    try {
      await storagesStore.change(db, known.row.id, { checked_at: known.notedAt, error: known.error })
    } catch (thrown) {
      // A disk that is full takes no note of it, and is reported as full all the same.
      log.warn({ err: thrown, storageId: known.row.id }, 'the state of a storage could not be written down')
    }
  }

  async #faultOf(known: Known): Promise<unknown> {
    try {
      const wrong = await this.#wrongStorage(known)
      if (wrong !== undefined) return wrong
      const { kind, settings } = known.row
      await kindOf(kind).probe(this.#kindDeps, JSON.parse(settings))
      return undefined
    } catch (thrown) {
      return thrown
    }
  }

  /** @returns undefined when the storage is there and ours */
  async #wrongStorage({ row, handle }: Known): Promise<WrongStorage | undefined> {
    try {
      const state = await readMarkState(handle, { installation: this.#installation, storage: row.id })
      return state === 'ours' ? undefined : new WrongStorage(state)
    } catch (thrown) {
      if (thrown instanceof StorageError && thrown.reason === 'not-found') return new WrongStorage('missing', thrown)
      throw thrown
    }
  }
}

/** What is wrong, and what mends it; follows the name of the storage. */
const CURES: Readonly<Record<WrongStorage['found'], (id: number) => string>> = {
  missing: () => 'is missing. Mount or restore it, then start again.',
  none: (id) =>
    `has lost its mark: it is not mounted, or was emptied. Mount or restore it, then start again; if it was copied without hidden files: godwit storage adopt ${id}`,
  foreign: (id) =>
    `belongs to another installation. Correct what is mounted there or the setting; if it really is this one's: godwit storage adopt ${id}`,
  sibling: () => 'is the place of another storage of this installation. Each storage needs a place of its own.',
}

export function secretPurpose(storageId: number): string {
  return `storage:${storageId}`
}
