import { MiB, type Clock } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'
import type { Log } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { storageError } from '../../foundation/storages/index.ts'
import { FolderIndex } from './folder-index.ts'
import type { Preview } from './huge/huge.ts'
import { readFolder } from './read-folder.ts'
import { SMALL_MAX } from './small.ts'
import type { ListingCache } from './huge/listing-cache.ts'
import { withChanges, type Change } from './merge-changes.ts'
import { PendingChanges } from './pending-changes.ts'
import { breather } from './sliced-sort.ts'

/** Memory all indexes together may hold; the least recently used go first. */
const BUDGET_BYTES = 192 * MiB
/** Indexes of so many names are kept on disk: reading the folder again would take longer. */
const KEEP_FROM = 20_000
/** A folder changed this shortly before it was read may change again under the same time stamp. */
const COARSE_CLOCK_MS = 50
/** Folders of up to so many names are read again whenever they changed. */
const READ_AT_ONCE = 2_000
/** Changes are kept beside an index until they are so many, and this part of it: one merge copies the whole index. */
const MERGE_FROM = 1_000
const MERGE_SHARE = 4
/** So long an index is trusted where folders have no times of change. */
const UNTIMED_LIFE_MS = 2_000
/** Readings of a bigger folder that keeps changing may take one part in so many of the time. */
const READ_SHARE = 20

export interface FolderRef {
  readonly store: ObjectStore
  readonly key: string
}

export interface FolderListingsDeps {
  readonly clock: Clock
  readonly log: Log
  /** Called when a background reading found something new. */
  readonly onFound: (folder: FolderRef) => void
  /** Indexes of big folders from before the start; undefined keeps none. */
  readonly cache: ListingCache | undefined
}

interface Slot {
  readonly folder: FolderRef
  index: FolderIndex | undefined
  /** Time of change of the folder when the reading began. */
  modifiedMs: number
  readAt: number
  /** Monotonic time from which the folder may be read again although we know its changes. */
  dueAt: number
  /** Monotonic time until which an index of a folder without times is trusted. */
  trustedUntil: number
  building: Promise<FolderIndex> | undefined
  /** The beginning of the building under way, before the rest is sorted. */
  reading: Promise<Preview | undefined> | undefined
  /** Somebody waits for that beginning, or was shown it: what comes next must have its version. */
  isShown: boolean
  rereading: boolean
  /** Our own changes since: folder, file, or gone. */
  pending: PendingChanges
}

/**
 * The indexes of folders that are in use. An index is valid while the folder's time of change stands still, or for a short
 * while where folders have no such time. Our own changes are merged in without reading the folder again, so that 10,000 uploads into one folder cost 10,000 names, not 10,000
 * readings; a reading in the background then finds what others may have changed at the same time.
 */
export class FolderListings {
  readonly #deps: FolderListingsDeps
  readonly #slots = new WeakMap<ObjectStore, Map<string, Slot>>()
  readonly #recent = new Set<Slot>()
  #serial = 0

  constructor(deps: FolderListingsDeps) {
    this.#deps = deps
  }

  /**
   * @param isGoingOn for a further page of a listing: that shows what its first page was made of, unless the folder's time
   *   says that it changed
   * @throws AppError PATH_NOT_FOUND, PATH_IS_FILE
   */
  async of(folder: FolderRef, isGoingOn = false): Promise<FolderIndex> {
    const slot = this.#slot(folder)
    return (await this.#known(slot, isGoingOn)) ?? this.#read(slot)
  }

  /**
   * As of(), but only the first entries of a big folder that must be read before anything else is known of it.
   * @param limit at most 1,000
   */
  async beginning(folder: FolderRef, limit: number): Promise<FolderIndex | Preview> {
    const slot = this.#slot(folder)
    const known = await this.#known(slot, false)
    if (known) return known
    const building = this.#read(slot)
    slot.isShown = true
    // Whoever asks for the next page gets the failure; this page is answered from the names alone.
    building.catch((thrown: unknown) => this.#deps.log.warn({ err: thrown }, 'indexing a folder failed'))
    const preview = await slot.reading
    return preview ? { ...preview, entries: preview.entries.slice(0, limit) } : building
  }

  /** Notes a change of ours, after it happened. */
  note(folder: FolderRef, name: string, what: Change): void {
    const slot = this.#slots.get(folder.store)?.get(folder.key)
    if (!slot || (!slot.index && !slot.building)) return
    slot.pending.note(name, what)
    if (slot.index && slot.pending.size > Math.max(MERGE_FROM, slot.index.count / MERGE_SHARE)) {
      this.#merged(slot, slot.index)
    }
    if (what === 'gone') this.forget({ store: folder.store, key: `${folder.key}/${name}` })
  }

  /** Forgets a folder and all below it: it was moved or removed. */
  forget({ store, key }: FolderRef): void {
    const slots = this.#slots.get(store)
    for (const [other, slot] of slots ?? []) {
      if (other !== key && !other.startsWith(`${key}/`)) continue
      slots?.delete(other)
      this.#recent.delete(slot)
    }
  }

  /** Forgets all folders of a store. */
  forgetStore(store: ObjectStore): void {
    for (const key of [...(this.#slots.get(store)?.keys() ?? [])]) this.forget({ store, key })
  }

  /** A name in the folder that differs from `name` only in case or in the form of its accents. */
  async clashOf(folder: FolderRef, name: string): Promise<string | undefined> {
    const slot = this.#slot(folder)
    if (slot.pending.size > 0 && slot.index) {
      const { pending } = slot
      return pending.twinOf(name) ?? slot.index.twinsOf(name).find((twin) => !pending.isGone(twin))
    }
    return (await this.of(folder)).twinsOf(name)[0]
  }

  /** What is there already, as long as that will do; undefined when the folder must be read. */
  async #known(slot: Slot, isGoingOn: boolean): Promise<FolderIndex | undefined> {
    this.#recent.delete(slot)
    this.#recent.add(slot)
    const modifiedMs = await modifiedOf(slot.folder)
    const { index } = slot
    if (!index || slot.isShown) return undefined
    if (this.#isValid(slot, modifiedMs, isGoingOn)) return this.#merged(slot, index)
    const isDue = index.count <= READ_AT_ONCE || this.#deps.clock.monotonic() >= slot.dueAt
    if (isDue || (slot.pending.size === 0 && !slot.rereading)) return undefined
    // Too soon: what we did ourselves is merged in now, what others did is found a little later.
    this.#rereadSoon(slot)
    return this.#merged(slot, index)
  }

  /** Whether the folder still is what its index says, as far as its time of change can show. */
  #isValid(slot: Slot, modifiedMs: number, isGoingOn: boolean): boolean {
    const { clock } = this.#deps
    if (!hasTimes(slot.folder)) return isGoingOn || clock.monotonic() < slot.trustedUntil
    const isRacy =
      !isGoingOn && slot.modifiedMs > slot.readAt - COARSE_CLOCK_MS && clock.now() > slot.readAt + COARSE_CLOCK_MS
    return modifiedMs === slot.modifiedMs && !isRacy
  }

  #slot(folder: FolderRef): Slot {
    const slots = this.#slots.get(folder.store) ?? new Map<string, Slot>()
    this.#slots.set(folder.store, slots)
    const known = slots.get(folder.key)
    if (known) return known
    const slot: Slot = {
      folder,
      index: undefined,
      modifiedMs: 0,
      readAt: 0,
      dueAt: 0,
      trustedUntil: 0,
      building: undefined,
      reading: undefined,
      isShown: false,
      rereading: false,
      pending: new PendingChanges(),
    }
    slots.set(folder.key, slot)
    return slot
  }

  #read(slot: Slot): Promise<FolderIndex> {
    if (slot.building) return slot.building
    const reading = Promise.withResolvers<Preview | undefined>()
    slot.reading = reading.promise
    slot.building = this.#build(slot, reading.resolve).finally(() => {
      reading.resolve(undefined)
      slot.building = undefined
      slot.reading = undefined
      slot.isShown = false
    })
    return slot.building
  }

  async #build(slot: Slot, onRead: (preview: Preview) => void): Promise<FolderIndex> {
    const { folder } = slot
    try {
      const startedAt = this.#deps.clock.monotonic()
      const readAt = this.#deps.clock.now()
      const modifiedMs = await modifiedOf(folder)
      // Changes noted from here on may or may not be in what is read: merging them twice is harmless.
      slot.pending = new PendingChanges()
      const known = slot.index
      const kept = known ? undefined : await this.#kept(folder, modifiedMs)
      const fresh = kept ?? (await this.#readNow(slot, onRead))
      const wasShown = slot.isShown && fresh.count > SMALL_MAX
      const index = known?.isSameAs(fresh) === true ? keptOn(known, wasShown ? fresh.version : known.version) : fresh
      const endedAt = this.#deps.clock.monotonic()
      const dueAt = endedAt + (endedAt - startedAt) * READ_SHARE
      // From the beginning of the reading: what came during it may be missing.
      Object.assign(slot, { index, modifiedMs, readAt, dueAt, trustedUntil: startedAt + UNTIMED_LIFE_MS })
      this.#makeRoom()
      if (!kept && modifiedMs < readAt - COARSE_CLOCK_MS) this.#keep(folder, modifiedMs, index)
      return this.#merged(slot, index)
    } catch (thrown) {
      this.forget(folder)
      throw storageError(thrown)
    }
  }

  #readNow(slot: Slot, onRead: (preview: Preview) => void): Promise<FolderIndex> {
    const { store, key } = slot.folder
    return readFolder(store.list(key), {
      version: this.#version(),
      breathe: breather(this.#deps.clock),
      onPreview: (preview) => {
        onRead(preview)
        return slot.isShown
      },
    })
  }

  async #kept(folder: FolderRef, modifiedMs: number): Promise<FolderIndex | undefined> {
    if (!hasTimes(folder)) return undefined
    const contents = await this.#deps.cache?.load(folder, modifiedMs)
    return contents && new FolderIndex(contents, this.#version())
  }

  #keep(folder: FolderRef, modifiedMs: number, index: FolderIndex): void {
    // Without times nothing shows whether what was kept still holds.
    if (!this.#deps.cache || index.count < KEEP_FROM || !hasTimes(folder)) return
    this.#deps.cache.save(folder, modifiedMs, index.contents).catch((thrown: unknown) => {
      this.#deps.log.warn({ err: thrown }, 'keeping the index of a folder failed')
    })
  }

  #rereadSoon(slot: Slot): void {
    if (slot.rereading) return
    slot.rereading = true
    const before = slot.index?.version
    setTimeout(
      () => {
        this.#read(slot)
          .then((index) => {
            if (index.version !== before) this.#deps.onFound(slot.folder)
          })
          .catch((thrown: unknown) => this.#deps.log.warn({ err: thrown }, 'reading a folder again failed'))
          .finally(() => {
            slot.rereading = false
          })
      },
      Math.max(0, slot.dueAt - this.#deps.clock.monotonic()),
    ).unref()
  }

  #merged(slot: Slot, index: FolderIndex): FolderIndex {
    if (slot.pending.size === 0) return index
    slot.index = withChanges(index, slot.pending.byName, this.#version())
    // A reading under way may have missed them: they are merged into its result once more.
    if (!slot.building) slot.pending = new PendingChanges()
    return slot.index
  }

  #version(): string {
    return `${this.#deps.clock.now().toString(36)}-${(this.#serial++).toString(36)}`
  }

  #makeRoom(): void {
    let held = 0
    for (const slot of [...this.#recent].toReversed()) {
      held += slot.index?.bytes ?? 0
      if (held > BUDGET_BYTES && held !== slot.index?.bytes) this.forget(slot.folder)
    }
  }
}

/** The index that is known already, under a version that may be a newer one of the same names. */
function keptOn(known: FolderIndex, version: string): FolderIndex {
  return known.version === version ? known : new FolderIndex(known.contents, version)
}

function hasTimes({ store }: FolderRef): boolean {
  return store.capabilities.folderTimes === 'real'
}

async function modifiedOf({ store, key }: FolderRef): Promise<number> {
  try {
    const entry = await store.stat(key)
    if (!entry) throw new AppError('PATH_NOT_FOUND')
    if (entry.kind === 'file') throw new AppError('PATH_IS_FILE')
    return entry.modifiedMs
  } catch (thrown) {
    throw storageError(thrown)
  }
}
