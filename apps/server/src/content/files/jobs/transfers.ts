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
import { NOTHING, type Current } from './current.ts'
import { crossStorageCarrier } from './cross-transfers.ts'
import { JobProgress } from './job-progress.ts'
import type { FileProgress } from './job-views.ts'
import { bringBack } from './bring-back.ts'
import { MadeNotes } from './made-notes.ts'
import { placeEntry, type Carrier } from './place-entry.ts'
import { remakeFolder, removeEmptied } from './emptied-folders.ts'
import { requireSeen, requireTree } from './seen.ts'
import { requireWhole, type Departure } from './require-whole.ts'
import { isAcross, needsOf, requireMovable, targetOf, type Back, type TransferPayload } from './start-transfer.ts'

const STEPS_PER_CHECKPOINT = 100

/** Runs a copy or move from where it stopped. */
export async function runTransfer(
  deps: FileJobsDeps,
  job: Job<TransferPayload, FileProgress>,
  run: Run<TransferPayload, FileProgress>,
): Promise<FileProgress> {
  return new Transfer(deps, {
    job,
    run,
    made: new MadeNotes(deps.db, job.id, job.kind === 'copy' ? 'copy' : 'move'),
  }).run()
}

interface Running {
  readonly job: Job<TransferPayload, FileProgress>
  readonly run: Run<TransferPayload, FileProgress>
  readonly made: MadeNotes
}

/** One run of a copy or move job. */
class Transfer {
  readonly #deps: FileJobsDeps
  readonly #kind: 'copy' | 'move'
  readonly #job: Job<TransferPayload, FileProgress>
  readonly #run: Run<TransferPayload, FileProgress>
  readonly #progress: JobProgress
  readonly #made: MadeNotes
  #payload: TransferPayload
  #current: Current = NOTHING

  constructor(deps: FileJobsDeps, { job, run, made }: Running) {
    this.#deps = deps
    this.#kind = job.kind === 'copy' ? 'copy' : 'move'
    this.#job = job
    this.#run = run
    this.#payload = job.payload
    this.#progress = new JobProgress(run, job.progress)
    this.#made = made
  }

  async run(): Promise<FileProgress> {
    const { steps } = this.#deps.files
    const { paths, remade = [], seen, done } = this.#payload
    const doneBefore = await steps.resume(this.#job.id)
    await this.#made.load(this.#job)
    if (done === 0) for (const folder of remade) await this.#progress.entry(folder, () => this.#remake(folder))
    for (let at = done; at < paths.length; at++) {
      const path = paths[at] ?? ''
      const isDone = await this.#progress.entry(path, () =>
        doneBefore.has(at) ? this.#endBack(path, at) : this.#transfer(path, { at, seen: seen[at] }),
      )
      if (!isDone) await this.#made.stopFilling()
      await this.#advance(at + 1)
    }
    this.#progress.set({ current: '', ...this.#made.all() })
    await inTransaction(this.#deps.db, async (tx) => {
      await this.#run.checkpoint(this.#payload, tx)
      await this.#made.forget(tx)
    })
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
    this.#current = { ...NOTHING, at, path, seen, tree: back?.tree ?? '', isOut }
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
    // Of a folder that goes entry by entry, later there is only a rest.
    if (!isResumed) await requireTree(source.location, this.#current.tree)
    const isAcrossStorages = source.location.store !== folder.store
    const carrier = isAcrossStorages ? this.#carrying() : isMove ? this.#moving(folder) : this.#copying(folder)
    await this.#requireWhole({ source, folder, name, carrier, isResumed })
    await placeEntry(
      {
        files: this.#deps.files,
        actor: actorOfJob(this.#job),
        conflict: this.#payload.conflict,
        carrier,
        signal: this.#run.signal,
        isResumed,
        onFilling: (chosen) => this.#checkpoint({ filling: { at, name: chosen } }),
        onFolder: (from, made) => this.#made.folder({ from: from.path, to: this.#nameOf(made) }),
        madeBefore: (from, made) => this.#made.before({ from: this.#pathOf(from), to: this.#nameOf(made) }),
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
    const { target } = this.#payload
    const isOut = isAcross(principal, { ...this.#payload, target: back.folder ?? target }, path)
    this.#current = { ...NOTHING, at, path, isOut }
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
    const { paths, remadeFrom = paths[0] ?? '/' } = this.#payload
    const isOut = isAcross(principal, { ...this.#payload, target: path }, remadeFrom)
    const { here } = needsOf(this.#kind, this.#payload, isOut)
    const location = await access.open({ principal }, targetOf(this.#payload), path, here.folder)
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

  #requireWhole(departure: Pick<Departure, 'source' | 'folder' | 'name' | 'carrier' | 'isResumed'>): Promise<void> {
    return requireWhole({
      ...{ ...departure, kind: this.#kind, conflict: this.#payload.conflict, isOut: this.#current.isOut },
      ...{ signal: this.#run.signal, usage: () => this.#deps.quotas.usageOf(this.#bucket) },
      onFound: (tree) => this.#progress.found(tree),
    })
  }

  #carrying(): Carrier {
    const { source, here } = this.#needs()
    const carrier = crossStorageCarrier({
      ...{ deps: this.#deps, kind: this.#kind, progress: this.#progress, signal: this.#run.signal },
      ...{ needs: here, actor: actorOfJob(this.#job), isOut: this.#current.isOut },
      look: (location) => this.#look(location),
      reservation: (bytes) => this.#reservation(bytes),
      take: (change, more, act) => this.#take(change, more, act),
      staying: this.#staying,
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
        if (this.#kind === 'copy') await this.#filled(from, made)
        else await this.#goingFrom(from, made, () => carrier.emptied(from, made))
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
          staying: this.#staying,
        } as const
        const options = { conflict: replace ? 'replace' : 'fail', signal } as const
        const reservation = isOut ? { reservation: this.#reservation(change.bytes ?? 0) } : {}
        const moved = await this.#take(change, reservation, () => {
          return location.store.move(location.key, target.key, options)
        })
        this.#progress.done({ files: entry.kind === 'file' ? 1 : 0, bytes: moved.size })
      },
      emptied: async (source, made) => this.#goingFrom(source, made, () => removeEmptied(files, source)),
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
    if (made !== undefined) await this.#made.filled({ from, path: this.#nameOf(made) }, made)
  }

  /** A move took all out of a folder that it could, and removes it. */
  async #goingFrom({ path }: Location, made: Location | undefined, remove: () => Promise<boolean>): Promise<void> {
    const to = made && { path: this.#nameOf(made), at: made }
    await this.#made.emptying(path, to, remove)
  }

  /** A source, as the job names it. */
  #pathOf({ key, path }: Location): string {
    return key === this.#current.key ? this.#current.path : path
  }

  /** Versions of what goes back to another place that do not go with it: they are of what it had replaced. */
  get #staying(): readonly string[] {
    const { at, isOut } = this.#current
    const { versionId = '', older = [] } = this.#payload.back?.[at] ?? {}
    return isOut && versionId !== '' ? [versionId, ...older] : []
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
    const taking = { kind: this.#kind, isPart: at < 0, from: this.#pathOf(location), to: this.#nameOf(change.to) }
    const { note, ...noting } = await this.#made.noteOf(taking, change.source)
    const step = stepOf(actorOfJob(this.#job), change)
    // Afterwards they are among those of the moved file.
    const noteOf = async ({ replaced }: Pick<Step, 'replaced'>): Promise<Pick<Step, 'note'>> => {
      if (note === undefined) return {}
      if (this.#kind === 'copy' || replaced === undefined) return { note }
      const older = await versionsStore.ofFile(this.#deps.db, { spaceId: step.spaceId, key: change.to.key })
      return { note: { ...note, older: older.map(({ id }) => id) } }
    }
    const job = { id: this.#job.id, at }
    const wanted = { step: { ...step, ...(await noteOf(step)) }, store: change.to.store, job, ...more, ...noting }
    return this.#deps.files.steps.take(wanted, (revise) =>
      act(async (replaced, also) => {
        if (also !== undefined && 'kind' in also) await revise(replaced, also)
        else await revise(replaced, { ...also, ...(await noteOf({ replaced })) })
      }),
    )
  }
}
