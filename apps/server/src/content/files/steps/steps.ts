import { randomHex, secureRandom, type Clock } from '@godwit/base'
import { StorageError, type Entry, type ObjectStore } from '@godwit/storage'
import type { Storages } from '../../../foundation/storages/index.ts'
import type { Log } from '../../../kernel/context.ts'
import { inTransaction, type Db, type Tx } from '../../../kernel/db/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Bus } from '../../../kernel/events/index.ts'
import { jobStanding } from '../../../kernel/queue/index.ts'
import type { FolderListings } from '../../listings/index.ts'
import { storeOf } from '../../access/index.ts'
import { endLocks, type FileLocks } from '../../file-locks/index.ts'
import { carryVersionsTo, type KeptVersions } from '../../kept-versions/index.ts'
import { carryProperties, copyProperties, forgetPropertiesAt } from '../../properties/index.ts'
import {
  bucketOf,
  carryHashes,
  carryVersions,
  changeUsage,
  copyHashes,
  forgetHash,
  versionsStore,
} from '../../quotas/index.ts'
import { measureStored } from '../measure-tree.ts'
import { noteChange } from '../files.changes.ts'
import type { FolderLocks } from '../files.locks.ts'
import { followStep, lookAtStep, recordStep, type Step, type Taken } from './step.ts'
import { jobNotesStore, noteTaken, type TakenNote } from './job-notes.ts'
import { lockedChanges } from './locked-changes.ts'
import {
  isLost,
  publishStaged,
  removeSource,
  requireStored,
  UNCERTAIN,
  type StoredFile,
} from '../../cross-storage/index.ts'
import { recordHashes } from './record-hashes.ts'
import { stepsStore, type StepRow } from './steps.store.ts'

/** Books what a feature keeps of a step, in the transaction of its books. */
export type BookStep = (tx: Tx, step: Step & { readonly bytes: number }) => Promise<void>

export interface NewStep {
  readonly step: Step
  readonly store: ObjectStore
  /** Of the folders that are held for it. */
  readonly held?: AbortSignal
  /** The job that takes it; `at` is the path that is done with it, -1 for a part of one. */
  readonly job?: { readonly id: string; readonly at: number }
  /** Reserved for it; `reserve` refuses where that is too much. */
  readonly reservation?: { readonly bytes: number; readonly reserve: (tx: Tx, bytes: number) => Promise<void> }
  /** Called once it is in the books, with what was noted of it. */
  readonly onTaken?: (note: TakenNote) => void
}

/**
 * Notes whose place is really taken, before it is: a step that takes long finds out at its end, while holding the folder. What it
 * was asked to replace may have been replaced or removed meanwhile, and was booked then.
 */
export type ReviseStep = (
  replaced: Step['replaced'],
  more?: Pick<Step, 'cross' | 'note'> | { readonly kind: 'copy' },
) => Promise<void>

/**
 * Changes of the tree: each is written down, taken on the storage, and then booked in one transaction, with quota, recycle bin
 * and event. Whatever dies in between, the storage says afterwards whether it was taken, and it is booked exactly once.
 */
export interface Steps {
  /**
   * Takes a step. Call it while holding the keys in `step.held`.
   * @param act changes the storage
   * @throws what `act` and the reservation throw
   */
  take(wanted: NewStep, act: (revise: ReviseStep) => Promise<Entry>): Promise<Entry>
  /** Settles what earlier runs of a job left. @returns the paths that are done */
  resume(jobId: string): Promise<ReadonlySet<number>>
  /** The job has a note of its own, or is over. */
  forget(db: Db | Tx, jobId: string): Promise<void>
  /** Settles what crashes and faults left. @returns steps settled */
  recover(): Promise<number>
  /** Brings in the books of a kind. Before the start only. */
  onBook(kind: Step['kind'], book: BookStep): void
}

export interface StepsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  readonly storages: Storages
  readonly locks: FolderLocks
  readonly indexes: FolderListings
  readonly bus: Bus
  readonly versions: KeptVersions
  readonly fileLocks: FileLocks
}

export function createSteps(deps: StepsDeps): Steps {
  return new JournalledSteps(deps)
}

class JournalledSteps implements Steps {
  readonly #deps: StepsDeps
  readonly #books = new Map<Step['kind'], BookStep>()
  /** Steps that this process is taking. */
  readonly #active = new Set<string>()

  constructor(deps: StepsDeps) {
    this.#deps = deps
  }

  onBook(kind: Step['kind'], book: BookStep): void {
    this.#books.set(kind, book)
  }

  async take(wanted: NewStep, act: (revise: ReviseStep) => Promise<Entry>): Promise<Entry> {
    const { store } = wanted
    const { versions, fileLocks } = this.#deps
    const { by, door } = wanted.step.origin
    await fileLocks.require(wanted.step.spaceId, lockedChanges(wanted.step), { userId: by.id, door })
    // What a copy replaces is known only when it is done.
    let step = isLong(wanted.step) ? wanted.step : await this.#keeping(wanted.step, store)
    const row = this.#rowOf({ ...wanted, step })
    const revise: ReviseStep = async (replaced, more = {}) => {
      step = 'kind' in more ? { ...step, ...more } : await this.#keeping({ ...step, ...more, replaced }, store)
      await stepsStore.rewrite(this.#deps.db, row.id, JSON.stringify(step))
      if (step.version !== undefined) await versions.putAside(store, step.version)
    }
    this.#active.add(row.id)
    try {
      await inTransaction(this.#deps.db, async (tx) => {
        if (row.reserved_bytes > 0) await wanted.reservation?.reserve(tx, row.reserved_bytes)
        await stepsStore.insert(tx, row)
      })
      const taking = async (): Promise<Entry> => {
        wanted.held?.throwIfAborted()
        if (step.version !== undefined) await versions.putAside(store, step.version)
        return act(revise)
      }
      const entry = await this.#act(taking, () => this.#drop(row, { step, store }))
      const bytes = entry.kind === 'file' ? entry.size : step.bytes
      const { etag, modifiedMs } = entry
      const note = await this.#book(row, { step, store, taken: { etag, bytes, modifiedMs } }, true)
      await this.#carry(row, step, store)
      if (note !== undefined) wanted.onTaken?.(note)
      return entry
    } finally {
      this.#active.delete(row.id)
    }
  }

  async resume(jobId: string): Promise<ReadonlySet<number>> {
    for (const row of await stepsStore.ofJob(this.#deps.db, jobId)) {
      if (row.state !== 'done') await this.#settle(row.id, JSON.parse(row.step) as Step)
    }
    const rows = await stepsStore.ofJob(this.#deps.db, jobId)
    return new Set(rows.map(({ job_at: at }) => at))
  }

  forget(db: Db | Tx, jobId: string): Promise<void> {
    return stepsStore.forgetDone(db, jobId)
  }

  async recover(): Promise<number> {
    let settled = 0
    for (const row of await stepsStore.all(this.#deps.db)) {
      if (this.#active.has(row.id)) continue
      try {
        if (await this.#recoverRow(row)) settled++
      } catch (thrown) {
        this.#deps.log.warn({ err: thrown, stepId: row.id }, 'a change of files could not be settled yet')
      }
    }
    return settled
  }

  #rowOf({ step, job, reservation }: NewStep): StepRow {
    return {
      id: randomHex(secureRandom, 16),
      bucket: bucketOf(step),
      job_id: job?.id ?? '',
      job_at: job?.at ?? -1,
      state: 'begun',
      reserved_bytes: reservation?.bytes ?? 0,
      step: JSON.stringify(step),
      created_at: this.#deps.clock.now(),
    }
  }

  /** The step with the version that is to keep what it replaces. What a version takes the place of is always kept. */
  async #keeping(step: Step, store: ObjectStore): Promise<Step> {
    if (step.replaced === undefined) return { ...step, version: undefined }
    const { spaceId, groupId, to: key, userId, origin, kind } = step
    const replacing = { store, place: { spaceId, groupId }, key, userId, origin }
    return { ...step, version: await this.#deps.versions.plan(replacing, kind === 'revert') }
  }

  async #act(act: () => Promise<Entry>, drop: () => Promise<void>): Promise<Entry> {
    try {
      return await act()
    } catch (thrown) {
      const isKnown = !(thrown instanceof StorageError) || !UNCERTAIN.has(thrown.reason)
      if (isKnown) await drop()
      throw thrown
    }
  }

  /** The storage did not take it. */
  async #drop(row: StepRow, { step, store }: Pick<Booking, 'step' | 'store'>): Promise<void> {
    if (step.version !== undefined) await this.#deps.versions.putBack(store, step.version)
    await inTransaction(this.#deps.db, async (tx) => {
      if (!(await stepsStore.remove(tx, row.id, 'begun'))) return
      await changeUsage(tx, { bucket: row.bucket, usedBytes: 0, reservedBytes: -Number(row.reserved_bytes) })
    })
  }

  /** Puts a step that was taken into the books, once. @returns what its job has noted of it */
  async #book(row: StepRow, { step, store, taken }: Booking, isNow = false): Promise<TakenNote | undefined> {
    const { db, clock, versions } = this.#deps
    const book = this.#books.get(step.kind)
    if (book === undefined && step.recycleId !== '') throw new Error('nobody keeps the recycle bin')
    // In the bin nothing changes any more, so this is exact.
    const bytes = taken.bytes ?? (step.kind === 'recycle' ? (await measureStored({ store, key: step.to })).bytes : null)
    const version = await versions.asKept(store, step.version)
    const { note: wanted } = step
    const noted = { store, taken, versionId: version?.id ?? '', isNow }
    const note = wanted && (await noteTaken({ ...step, note: wanted }, noted))
    let ruled: readonly string[] = []
    await inTransaction(db, async (tx) => {
      if (!(await stepsStore.change(tx, row.id, { from: 'begun', to: 'booked' }))) return
      const { replaced, spaceId } = step
      const { fromGroupId = step.groupId, fromUserId = step.userId } = step
      const isMovedHere = step.kind === 'move' && (fromGroupId !== step.groupId || fromUserId !== step.userId)
      const added = step.kind === 'copy' || isMovedHere ? (bytes ?? 0) : 0
      const usedBytes = added - (replaced?.bytes ?? 0) + (version?.size ?? 0)
      await changeUsage(tx, { bucket: row.bucket, usedBytes, reservedBytes: -Number(row.reserved_bytes) })
      if (isMovedHere) {
        const source = bucketOf({ userId: fromUserId, groupId: fromGroupId })
        await changeUsage(tx, { bucket: source, usedBytes: -(bytes ?? 0), reservedBytes: 0 })
      }
      if (step.kind !== 'make') await forgetHash(tx, spaceId, step.to)
      const staged = step.cross?.staged
      if (staged !== undefined) await recordHashes(tx, clock, step, { staged, etag: taken.etag })
      if (step.kind !== 'revert') await forgetPropertiesAt(tx, { spaceId, key: step.to })
      if (isGoing(step)) await endLocks(tx, { spaceId, key: step.from })
      if (version !== undefined) await versionsStore.insert(tx, version)
      await book?.(tx, { ...step, etag: taken.etag, bytes: bytes ?? 0 })
      await recordStep({ tx, clock }, { ...step, version }, { etag: taken.etag, bytes })
      if (note !== undefined) await jobNotesStore.insert(tx, row.job_id, note)
      ruled = await followStep(tx, step)
    })
    for (const userId of ruled) this.#deps.bus.publish('user.changed', { userId })
    if (isGoing(step)) noteChange(this.#deps, { store: await this.#sourceOf(step, store), key: step.from }, 'gone')
    if (step.kind !== 'recycle') noteChange(this.#deps, { store, key: step.to }, step.entry)
    return note
  }

  /** Recorded hashes follow in batches; a crash in between leaves the rest to the next one. */
  async #carry(row: StepRow, step: Step, store: ObjectStore): Promise<void> {
    const { db, clock } = this.#deps
    const { spaceId, from, to } = step
    if (step.cross !== undefined) {
      // The hashes were recorded with the step.
      if (step.kind === 'copy') await copyProperties(db, { spaceId, from, to })
      else {
        const carry = { ...step, until: Number(row.created_at) }
        await carryVersionsTo(db, { from: await this.#sourceOf(step, store), to: store }, carry)
        await carryProperties(db, { spaceId, from, to, until: Number(row.created_at) })
      }
    } else if (step.kind === 'copy') {
      await copyHashes({ db, clock }, { store, spaceId, key: from }, { store, spaceId, key: to })
      await copyProperties(db, { spaceId, from, to })
    } else if (step.kind !== 'make' && step.kind !== 'revert') {
      await carryHashes(db, { spaceId, from, to, until: row.created_at })
      await carryVersions(db, { ...step, until: Number(row.created_at) })
      await carryProperties(db, { spaceId, from, to, until: Number(row.created_at) })
    }
    if (row.job_id !== '' && row.job_at >= 0) await stepsStore.change(db, row.id, { from: 'booked', to: 'done' })
    else await stepsStore.remove(db, row.id, 'booked')
  }

  async #recoverRow(row: StepRow): Promise<boolean> {
    const { db, clock } = this.#deps
    const step = JSON.parse(row.step) as Step
    const job = row.job_id === '' ? 'over' : await jobStanding(db, row.job_id, clock.now())
    if (row.state === 'done') {
      if (job === 'over') await stepsStore.remove(db, row.id, 'done')
      return false
    }
    const store = await storeOf(this.#deps.storages, step)
    // Such a step is not taken under a lock: only the lease of its job says that somebody is at it.
    const isUnlocked = isLong(step) || !store.capabilities.atomicMove
    if (isUnlocked && job === 'running') return false
    return this.#settle(row.id, step)
  }

  /** @returns false when there is nothing to settle */
  async #settle(id: string, step: Step): Promise<boolean> {
    const { db, storages, locks } = this.#deps
    const store = await storeOf(storages, step)
    if (step.cross !== undefined) return this.#settleAcross(id, step, store)
    const folders = step.held.map((key) => ({ store, key }))
    return locks.runAll(folders, async () => {
      // Whoever held the folders before may have settled it.
      const row = await stepsStore.byId(db, id)
      if (row === undefined || row.state === 'done') return false
      const taken = row.state === 'begun' ? await lookAtStep(db, store, step) : undefined
      if (row.state === 'begun' && taken === undefined) {
        await this.#drop(row, { step, store })
        return true
      }
      if (taken !== undefined) await this.#book(row, { step, store, taken })
      await this.#carry(row, step, store)
      return true
    })
  }

  /** The storage of the source. */
  #sourceOf(step: Step, target: ObjectStore): Promise<ObjectStore> {
    if (step.cross === undefined) return Promise.resolve(target)
    const { fromGroupId = step.groupId, fromUserId = step.userId, spaceId } = step
    return storeOf(this.#deps.storages, { userId: fromUserId, spaceId, groupId: fromGroupId })
  }

  /** Finishes a file that was whole on the other storage; of any other, nothing has happened yet. */
  async #settleAcross(id: string, step: Step, store: ObjectStore): Promise<boolean> {
    const { db, locks } = this.#deps
    const source = { store: await this.#sourceOf(step, store), key: step.from }
    const folders = [
      { store, key: folderKey(step.to) },
      { store: source.store, key: folderKey(step.from) },
    ]
    return locks.runAll(folders, async () => {
      const row = await stepsStore.byId(db, id)
      if (row === undefined || row.state === 'done') return false
      const outcome = row.state === 'begun' ? await this.#publishAgain(step, store, source) : step
      if (outcome === undefined) await this.#drop(row, { step, store })
      else if ('taken' in outcome) await this.#book(row, { step: outcome.step, store, taken: outcome.taken })
      if (outcome !== undefined) await this.#carry(row, 'taken' in outcome ? outcome.step : step, store)
      return true
    })
  }

  /** @returns undefined when it was not taken */
  async #publishAgain(
    step: Step,
    store: ObjectStore,
    source: StoredFile,
  ): Promise<{ readonly step: Step; readonly taken: Taken } | undefined> {
    const staged = step.cross?.staged
    if (staged === undefined) return undefined
    const target = { store, key: step.to }
    try {
      // Whoever was cut short before had not put it aside: its content would be lost.
      const isStillThere = (await store.stat(step.to))?.etag === step.replaced?.etag
      if (step.version !== undefined && isStillThere) await this.#deps.versions.putAside(store, step.version)
      const entry = await publishStaged(target, staged, step.replaced?.etag)
      if (step.kind === 'move') await requireStored(target, staged, entry)
      const isMoved = step.kind !== 'move' || (await removeSource(source, staged)) === undefined
      const { etag, size: bytes, modifiedMs } = entry
      return { step: isMoved ? step : { ...step, kind: 'copy' }, taken: { etag, bytes, modifiedMs } }
    } catch (thrown) {
      if (!isLost(thrown) && !(thrown instanceof AppError)) throw thrown
      await store.abortUpload(staged.upload)
      return undefined
    }
  }
}

function folderKey(key: string): string {
  return key.slice(0, key.lastIndexOf('/'))
}

/** Whether it takes too long to hold folders meanwhile: what it replaces is known only at its end. */
function isLong({ kind, cross }: Step): boolean {
  return kind === 'copy' || cross !== undefined
}

/** Whether nothing is left where the entry was. */
function isGoing({ kind }: Step): boolean {
  return kind === 'rename' || kind === 'move' || kind === 'recycle'
}

interface Booking {
  readonly step: Step
  readonly store: ObjectStore
  readonly taken: Taken
}
