import type { Entry } from '@godwit/storage'
import { inTransaction } from '../../../kernel/db/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Job, Run } from '../../../kernel/queue/index.ts'
import {
  find,
  folderOf,
  nameOf,
  placeOf,
  requireFolder,
  requireNothingHidden,
  within,
  type Found,
  type Location,
} from '../../access/index.ts'
import { bucketOf, versionsStore } from '../../quotas/index.ts'
import { measureTree } from '../measure-tree.ts'
import { replacedBy, stepOf, type Change, type NewStep, type ReviseStep, type Step } from '../steps/index.ts'
import { actorOfJob, requireJobPrincipal, type FileJobsDeps } from './job-deps.ts'
import { crossStorageCarrier } from './cross-transfers.ts'
import { JobProgress } from './job-progress.ts'
import type { FileProgress } from './job-views.ts'
import { bringBack } from './bring-back.ts'
import { MadeList } from './made.ts'
import { placeEntry, type Carrier } from './place-entry.ts'
import { remakeFolder, removeEmptied } from './emptied-folders.ts'
import { requireSeen, requireTree } from './seen.ts'
import { isAcross, needsOf, requireMovable, targetOf, type Back, type TransferPayload } from './start-transfer.ts'

const STEPS_PER_CHECKPOINT = 100

/** Runs a copy or move from where it stopped. */
export async function runTransfer(
  deps: FileJobsDeps,
  job: Job<TransferPayload, FileProgress>,
  run: Run<TransferPayload, FileProgress>,
): Promise<FileProgress> {
  return new Transfer(deps, { job, run }).run()
}

/** The path of the job that is at work. */
interface Current {
  readonly key: string
  /** Its place among the paths of the job. */
  readonly at: number
  /** The folder that takes it. */
  readonly into: string
  /** What its owner saw there. */
  readonly seen: string | undefined
  /** What has to be in the folder that goes back. */
  readonly tree: string
  /** Whether it goes to another place. */
  readonly isOut: boolean
}

const NOTHING: Current = { key: '', into: '', at: -1, seen: undefined, tree: '', isOut: false }

/** One run of a copy or move job. */
class Transfer {
  readonly #deps: FileJobsDeps
  readonly #kind: 'copy' | 'move'
  readonly #job: Job<TransferPayload, FileProgress>
  readonly #run: Run<TransferPayload, FileProgress>
  readonly #progress: JobProgress
  readonly #made = new MadeList()
  #payload: TransferPayload
  #current: Current = NOTHING

  constructor(
    deps: FileJobsDeps,
    { job, run }: { job: Job<TransferPayload, FileProgress>; run: Run<TransferPayload, FileProgress> },
  ) {
    this.#deps = deps
    this.#kind = job.kind === 'copy' ? 'copy' : 'move'
    this.#job = job
    this.#run = run
    this.#payload = job.payload
    this.#progress = new JobProgress(run, job.progress)
    // What an earlier run made is not known any more.
    if (job.attempts > 1) this.#made.giveUp()
  }

  async run(): Promise<FileProgress> {
    const { steps } = this.#deps.files
    const { paths, remade = [], seen, done } = this.#payload
    const doneBefore = await steps.resume(this.#job.id)
    if (done === 0) for (const folder of remade) await this.#progress.entry(folder, () => this.#remake(folder))
    for (let at = done; at < paths.length; at++) {
      const path = paths[at] ?? ''
      await this.#progress.entry(path, () =>
        doneBefore.has(at) ? this.#endBack(path, at) : this.#transfer(path, { at, seen: seen[at] }),
      )
      await this.#advance(at + 1)
    }
    this.#progress.set({ current: '', ...(this.#payload.back === undefined ? this.#made.all() : {}) })
    return this.#progress.shown
  }

  /** What the bytes of the target are booked to. */
  get #bucket(): string {
    const { groupId, targetGroupId = groupId } = this.#payload
    return bucketOf({ userId: this.#job.ownerId, groupId: targetGroupId })
  }

  /** One path, with the rights that the owner has now. */
  async #transfer(path: string, { at, seen }: Pick<Current, 'at' | 'seen'>): Promise<void> {
    const back = this.#payload.back?.[at]
    const target = back?.folder ?? this.#payload.target
    const principal = await requireJobPrincipal(this.#deps, this.#job)
    const isOut = isAcross(principal, { ...this.#payload, target }, path)
    this.#current = { ...NOTHING, at, seen, tree: back?.tree ?? '', isOut }
    const folder = await this.#target(target)
    const source = await this.#source(path)
    if (source === undefined) return
    requireSeen(source.entry, seen)
    this.#current = { ...this.#current, key: source.location.key, into: folder.key }
    requireMovable(source.location, folder)
    const isMove = this.#kind === 'move'
    const { filling } = this.#payload
    const isResumed = filling?.at === at
    const name = isResumed ? filling.name : (back?.name ?? this.#payload.as ?? nameOf(source.location))
    if (isMove && source.location.key === within(folder, name).key) return
    if (source.entry.kind === 'folder') source.location.require(this.#needs().sourceFolder)
    const isAcrossStorages = source.location.store !== folder.store
    if (isAcrossStorages) await this.#prepareAcross(source)
    await placeEntry(
      {
        files: this.#deps.files,
        actor: actorOfJob(this.#job),
        conflict: this.#payload.conflict,
        carrier: isAcrossStorages ? this.#carrying() : isMove ? this.#moving(folder) : this.#copying(folder),
        signal: this.#run.signal,
        isResumed,
        onFilling: (chosen) => this.#checkpoint({ filling: { at, name: chosen } }),
        onFolder: (made) => (isMove ? this.#made.giveUp() : this.#made.fill(this.#nameOf(made))),
        onRefused: (refused, error) => this.#progress.fail(refused, error),
      },
      source,
      folder,
      name,
    )
    if (back !== undefined && back.versionId !== '') await this.#bringBack(source.location, back)
  }

  /** Brings back what an entry had replaced that an earlier run, cut short, took back. */
  async #endBack(path: string, at: number): Promise<void> {
    const back = this.#payload.back?.[at]
    if (back === undefined || (await versionsStore.byId(this.#deps.db, back.versionId)) === undefined) return
    const principal = await requireJobPrincipal(this.#deps, this.#job)
    const { source } = this.#needs()
    const left = await this.#deps.files.access.open({ principal }, placeOf(this.#payload), path, source)
    await this.#bringBack(left, back)
  }

  #bringBack(left: Location, back: Back): Promise<void> {
    const { here: needs } = this.#needs()
    const bringing = { deps: this.#deps, actor: actorOfJob(this.#job), jobId: this.#job.id, needs }
    return bringBack({ ...back, ...bringing }, left)
  }

  /** A folder that a move had emptied and removed. */
  async #remake(path: string): Promise<void> {
    const principal = await requireJobPrincipal(this.#deps, this.#job)
    const { access } = this.#deps.files
    const location = await access.open({ principal }, targetOf(this.#payload), path, this.#needs().here.folder)
    await remakeFolder(this.#deps.files, actorOfJob(this.#job), location)
  }

  #needs() {
    return needsOf(this.#kind, this.#payload, this.#current.isOut)
  }

  async #target(path: string): Promise<Location> {
    const principal = await requireJobPrincipal(this.#deps, this.#job)
    const { access } = this.#deps.files
    const need = this.#needs().here.file
    return requireFolder(await access.open({ principal }, targetOf(this.#payload), path, need))
  }

  /** @returns undefined when an earlier run, cut short, had moved it already */
  async #source(path: string): Promise<Found | undefined> {
    const principal = await requireJobPrincipal(this.#deps, this.#job)
    const { source } = this.#needs()
    const found = await find(await this.#deps.files.access.open({ principal }, placeOf(this.#payload), path, source))
    if (!found && this.#job.attempts === 1) throw new AppError('PATH_NOT_FOUND')
    return found
  }

  /**
   * What a step did is noted with the step; a note of the job's own now and then keeps those few. The last path has one as well: a
   * run that is killed between there and its end finds nothing left to do.
   */
  async #advance(done: number): Promise<void> {
    const { filling, ...payload } = this.#payload
    this.#payload = { ...payload, done }
    const isNoted = done % STEPS_PER_CHECKPOINT !== 0 && done < payload.paths.length && filling === undefined
    if (isNoted) return
    await inTransaction(this.#deps.db, async (tx) => {
      await this.#run.checkpoint(this.#payload, tx)
      await this.#deps.files.steps.forget(tx, this.#job.id)
    })
  }

  async #checkpoint(change: Partial<TransferPayload>): Promise<void> {
    this.#payload = { ...this.#payload, ...change }
    await inTransaction(this.#deps.db, (tx) => this.#run.checkpoint(this.#payload, tx))
  }

  /** What a copy or move to another storage needs is refused before its first byte. @throws AppError QUOTA_EXCEEDED, PERMISSION_DENIED */
  async #prepareAcross(source: Found): Promise<void> {
    const { quotas } = this.#deps
    const isMove = this.#kind === 'move'
    if (isMove && source.entry.kind === 'folder') await requireNothingHidden(source.location, this.#run)
    const tree = await this.#measure(source)
    this.#progress.found(tree)
    if (isMove && !this.#current.isOut) return
    const { usedBytes, quotaBytes } = await quotas.usageOf(this.#bucket)
    if (quotaBytes > 0 && usedBytes + tree.bytes > quotaBytes)
      throw new AppError('QUOTA_EXCEEDED', { quotaBytes, usedBytes, reservedBytes: 0, wantedBytes: tree.bytes })
  }

  #carrying(): Carrier {
    const { source, here } = this.#needs()
    const carrier = crossStorageCarrier({
      ...{ deps: this.#deps, kind: this.#kind, progress: this.#progress, signal: this.#run.signal },
      ...{ needs: here, actor: actorOfJob(this.#job), isOut: this.#current.isOut },
      look: (location) => this.#look(location),
      reservation: (bytes) => this.#reservation(bytes),
      take: (change, more, act) => this.#take(change, more, act),
      requireRights: async (from, folder) => {
        const principal = await requireJobPrincipal(this.#deps, this.#job)
        const { access } = this.#deps.files
        await access.open({ principal }, placeOf(this.#payload), from.path, source)
        await access.open({ principal }, targetOf(this.#payload), folder.path, here.file)
      },
    })
    return {
      ...carrier,
      emptied: async (from, made) => {
        await carrier.emptied(from, made)
        if (this.#kind === 'move') this.#made.giveUp()
        else await this.#filled(from, made)
      },
    }
  }

  /** What is to be moved or copied now. @throws AppError PATH_NOT_FOUND, FILE_CHANGED */
  async #look({ store, key }: Location): Promise<Entry> {
    const entry = await store.stat(key)
    if (!entry) throw new AppError('PATH_NOT_FOUND')
    if (key !== this.#current.key) return entry
    requireSeen(entry, this.#current.seen)
    await requireTree({ store, key }, this.#current.tree)
    return entry
  }

  #moving(into: Location): Carrier {
    const { signal } = this.#run
    const { files } = this.#deps
    const holdsFolder = into.store.capabilities.atomicMove
    const { isOut } = this.#current
    return {
      holdsFolder,
      holdsSource: holdsFolder,
      needs: this.#needs().here,
      // Each entry of a folder that comes from another place is asked for its type and its name there.
      byEntry: (_source, target) => isOut && (into.restrictsTypes || target.mayHideBelow),
      carry: async ({ location, entry }, target, replace) => {
        if (entry.kind === 'folder') await requireNothingHidden(location, { signal, to: target })
        const source = { location, entry: await this.#look(location) }
        const change = {
          kind: 'move',
          source,
          to: target,
          replaced: replace ? await replacedBy(target) : undefined,
          ...(isOut ? { bytes: (await this.#measure(source)).bytes } : {}),
        } as const
        const options = { conflict: replace ? 'replace' : 'fail', signal } as const
        const reservation = isOut ? { reservation: this.#reservation(change.bytes ?? 0) } : {}
        const moved = await this.#take(change, reservation, () => {
          return location.store.move(location.key, target.key, options)
        })
        this.#progress.done({ files: entry.kind === 'file' ? 1 : 0, bytes: moved.size })
      },
      emptied: async (source) => {
        if (isOut) this.#made.giveUp()
        if (await removeEmptied(files, source)) this.#made.emptied(source.path)
      },
    }
  }

  /** An entry with all below it. */
  async #measure({ location, entry }: Found): Promise<{ readonly files: number; readonly bytes: number }> {
    return entry.kind === 'file' ? { files: 1, bytes: entry.size } : measureTree(location, this.#run.signal)
  }

  #reservation(bytes: number): NonNullable<NewStep['reservation']> {
    return { bytes, reserve: (tx, wanted) => this.#deps.quotas.reserveBytes(tx, this.#bucket, wanted) }
  }

  #copying(into: Location): Carrier {
    const { signal } = this.#run
    return {
      holdsFolder: false,
      needs: this.#needs().here,
      byEntry: (source, target) => source.mayHideBelow || target.mayHideBelow || into.restrictsTypes,
      carry: async ({ location }, target, replace) => {
        const entry = await this.#look(location)
        const tree = await this.#measure({ location, entry })
        this.#progress.found(tree)
        const replaced = replace ? await replacedBy(target) : undefined
        const change = { kind: 'copy', source: { location, entry }, to: target, replaced, bytes: tree.bytes } as const
        const options = { conflict: replace ? 'replace' : 'fail', signal, onProgress: this.#progress.steps() } as const
        const reservation = this.#reservation(tree.bytes)
        await this.#take(change, { reservation }, (revise) => {
          const publishing = (publish: () => Promise<Entry>): Promise<Entry> =>
            this.#whileHeld(folderOf(target), async () => {
              await revise(await replacedBy(target))
              return publish()
            })
          return location.store.copy(location.key, target.key, replace ? { ...options, publishing } : options)
        })
      },
      emptied: (source, made) => this.#filled(source, made),
    }
  }

  /** A copy brought into a folder all that goes there. */
  async #filled({ path: from }: Location, made: Location | undefined): Promise<void> {
    if (made !== undefined) await this.#made.filled({ from, to: this.#nameOf(made), at: made })
  }

  /** An entry at the target, as the job names it. */
  #nameOf({ key }: Location): string {
    const { target } = this.#payload
    return `${target === '/' ? '' : target}${key.slice(this.#current.into.length)}`
  }

  /** A bucket takes as long for the last step as for all of them: too long to hold a folder. */
  #whileHeld<T>(folder: Location, work: () => Promise<T>): Promise<T> {
    return folder.store.capabilities.atomicMove ? this.#deps.files.locks.run(folder, work) : work()
  }

  async #take(
    change: Change,
    more: Pick<NewStep, 'reservation'>,
    act: (revise: ReviseStep) => Promise<Entry>,
  ): Promise<Entry> {
    const { location } = change.source
    const at = location.key === this.#current.key ? this.#current.at : -1
    const step = stepOf(actorOfJob(this.#job), change)
    const job = { id: this.#job.id, at }
    const isMoveOut = this.#kind === 'move' && this.#current.isOut
    if (isMoveOut && at < 0) this.#made.giveUp()
    const isKept = this.#kind === 'move' && !isMoveOut && change.replaced !== undefined
    // Afterwards they are among those of the moved file.
    const older = isKept ? await versionsStore.ofFile(this.#deps.db, { spaceId: step.spaceId, key: change.to.key }) : []
    let taken = step
    const wanted = { step, store: change.to.store, job, ...more, onTaken: (one: Step) => void (taken = one) }
    const entry = await this.#deps.files.steps.take(wanted, act)
    await this.#made.add({
      kind: this.#kind,
      from: this.#payload.paths[at] ?? location.path,
      isPart: at < 0,
      to: this.#nameOf(change.to),
      at: change.to,
      entry,
      isReplacement: taken.replaced !== undefined,
      // What is moved to another place takes the versions along: they belong to somebody else then.
      version: isMoveOut ? undefined : taken.version,
      older,
    })
    return entry
  }
}
