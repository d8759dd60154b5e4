import type { ConflictPolicy, OperationReply } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import type { UserCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/db/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Job, Run } from '../../../kernel/queue/index.ts'
import {
  find,
  isWithin,
  nameOf,
  placeOf,
  requireEntry,
  requireFolder,
  requireNothingHidden,
  within,
  type Found,
  type Location,
  type PlaceIds,
} from '../../access/index.ts'
import { measureTree } from '../files.attributes.ts'
import { bucketOf, forgetHashes } from '../../quotas/index.ts'
import { noteChange, noteCopy, noteMove } from '../files.changes.ts'
import { limitsOf, requireJobPrincipal, WITHIN_CALL_MS, type FileJobsDeps, type JobLimits } from './job-deps.ts'
import { JobProgress } from './job-progress.ts'
import { NO_PROGRESS, presentJob, type FileProgress } from './job-views.ts'
import { placeEntry, type Carrier } from './place-entry.ts'
import { requireSeen, seenAs } from './seen.ts'

export interface TransferRequest extends PlaceIds {
  readonly paths: readonly string[]
  readonly target: string
  readonly conflict: ConflictPolicy
}

/** What a copy or move keeps with its job. */
export interface TransferPayload extends TransferRequest, JobLimits {
  /** What stood at each of the paths, see seen.ts. */
  readonly seen: readonly string[]
  /** Paths done; the next run goes on here. */
  readonly done: number
  /** A copy under way: bytes promised for it, and its key when that was free before. */
  readonly underWay?: { readonly reserved: number; readonly key: string }
}

/**
 * Starts a copy or move. What can be refused at once is refused before anything is touched.
 * @throws AppError PATH_NOT_FOUND, PATH_EXISTS, TARGET_INSIDE_SOURCE, PERMISSION_DENIED
 */
export async function startTransfer(
  deps: FileJobsDeps,
  ctx: UserCtx,
  { kind, request }: { readonly kind: 'copy' | 'move'; readonly request: TransferRequest },
): Promise<OperationReply<'copy'>> {
  const { access } = deps.files
  const place = placeOf(request)
  const folder = await requireFolder(await access.open(ctx, place, request.target, TARGET_NEEDS[kind].file))
  const seen: string[] = []
  for (const path of request.paths) {
    const { location, entry } = await requireEntry(await access.open(ctx, place, path, kind))
    if (kind === 'copy' && entry.kind === 'folder') location.require('copyFolder')
    requireMovable(location, folder)
    seen.push(seenAs(entry))
    if (request.conflict === 'fail' && !(kind === 'move' && location.key === within(folder, nameOf(location)).key)) {
      const taken = await find(within(folder, nameOf(location)))
      if (taken) throw new AppError('PATH_EXISTS', { name: nameOf(location) })
    }
  }
  const payload: TransferPayload = { ...request, ...limitsOf(ctx.principal), seen, done: 0 }
  const job = await deps.queue.add({ kind, ownerId: ctx.principal.id, payload, progress: NO_PROGRESS })
  const settled = await deps.queue.settled(job.id, WITHIN_CALL_MS)
  return { job: presentJob(settled, ctx.locale) }
}

/** What a name in the target folder is asked for. */
const TARGET_NEEDS = {
  copy: { file: 'copyHere', folder: 'copyFolderHere' },
  move: { file: 'moveHere', folder: 'moveHere' },
} as const

/** @throws AppError TARGET_INSIDE_SOURCE, PARAMETER_INVALID for the root */
function requireMovable(source: Location, folder: Location): void {
  if (source.path === '/') throw new AppError('PARAMETER_INVALID', { field: 'paths' })
  if (isWithin(folder, source)) throw new AppError('TARGET_INSIDE_SOURCE')
}

/** Runs a copy or move from where it stopped. */
export async function runTransfer(
  deps: FileJobsDeps,
  job: Job<TransferPayload, FileProgress>,
  run: Run<TransferPayload, FileProgress>,
): Promise<FileProgress> {
  return new Transfer(deps, { job, run }).run()
}

/** One run of a copy or move job. */
class Transfer {
  readonly #deps: FileJobsDeps
  readonly #kind: 'copy' | 'move'
  readonly #job: Job<TransferPayload, FileProgress>
  readonly #run: Run<TransferPayload, FileProgress>
  readonly #progress: JobProgress
  #payload: TransferPayload
  /** The path of the job that is at work: its key, and what its owner saw there. */
  #current: { readonly key: string; readonly seen: string | undefined } = { key: '', seen: undefined }

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
  }

  async run(): Promise<FileProgress> {
    const { paths, seen } = this.#payload
    const isDone = await this.#settleInterrupted(await this.#target())
    for (let at = this.#payload.done + (isDone ? 1 : 0); at < paths.length; at++) {
      const path = paths[at] ?? ''
      await this.#progress.entry(path, () => this.#transfer(path, seen[at]))
      await this.#advance(at + 1)
    }
    this.#progress.set({ current: '' })
    return this.#progress.shown
  }

  /** What the bytes of the place are booked to. */
  get #bucket(): string {
    return bucketOf({ userId: this.#job.ownerId, groupId: this.#payload.groupId })
  }

  /** One path, with the rights that the owner has now. */
  async #transfer(path: string, seen: string | undefined): Promise<void> {
    const folder = await this.#target()
    const source = await this.#source(path)
    if (source === undefined) return
    requireSeen(source.entry, seen)
    this.#current = { key: source.location.key, seen }
    requireMovable(source.location, folder)
    const isMove = this.#kind === 'move'
    if (isMove && source.location.key === within(folder, nameOf(source.location)).key) return
    if (!isMove && source.entry.kind === 'folder') source.location.require('copyFolder')
    await placeEntry(
      {
        files: this.#deps.files,
        conflict: this.#payload.conflict,
        carrier: isMove ? this.#moving(folder.store.capabilities.atomicMove) : this.#copying(),
        signal: this.#run.signal,
        onRefused: (refused, error) => this.#progress.fail(refused, error),
      },
      source,
      folder,
    )
  }

  async #target(): Promise<Location> {
    const principal = await requireJobPrincipal(this.#deps, this.#job)
    const { access } = this.#deps.files
    const need = TARGET_NEEDS[this.#kind].file
    return requireFolder(await access.open({ principal }, placeOf(this.#payload), this.#payload.target, need))
  }

  /** @returns undefined when an earlier run, cut short, had moved it already */
  async #source(path: string): Promise<Found | undefined> {
    const principal = await requireJobPrincipal(this.#deps, this.#job)
    const found = await find(
      await this.#deps.files.access.open({ principal }, placeOf(this.#payload), path, this.#kind),
    )
    if (!found && this.#job.attempts === 1) throw new AppError('PATH_NOT_FOUND')
    return found
  }

  /** A repeated move is detected, so a checkpoint every 100 is enough; a copy needs each. */
  async #advance(done: number): Promise<void> {
    this.#payload = { ...this.#payload, done }
    if (this.#kind === 'copy' || done % 100 === 0) await this.#run.checkpoint(this.#payload)
  }

  /** After a crash: a copy whose free name is taken now was finished, else it never appeared; either way its promise ends. */
  async #settleInterrupted(folder: Location): Promise<boolean> {
    const { underWay } = this.#payload
    if (underWay === undefined) return false
    const { reserved, key } = underWay
    const isThere = key !== '' && (await folder.store.stat(key)) !== undefined
    await this.#keepPromise(isThere ? reserved : 0)
    // Deeper down it was one entry of a merge, which goes on.
    return isThere && key.slice(0, key.lastIndexOf('/')) === folder.key
  }

  /** What is to be moved or copied now. @throws AppError PATH_NOT_FOUND, FILE_CHANGED */
  async #look({ store, key }: Location): Promise<Entry> {
    const entry = await store.stat(key)
    if (!entry) throw new AppError('PATH_NOT_FOUND')
    if (key === this.#current.key) requireSeen(entry, this.#current.seen)
    return entry
  }

  #moving(holdsFolder: boolean): Carrier {
    const { signal } = this.#run
    const { files } = this.#deps
    return {
      holdsFolder,
      holdsSource: holdsFolder,
      needs: TARGET_NEEDS.move,
      carry: async ({ location, entry }, target, replace) => {
        if (entry.kind === 'folder') await requireNothingHidden(location, signal)
        await this.#look(location)
        const replaced = replace ? ((await target.store.stat(target.key))?.size ?? 0) : 0
        const options = { conflict: replace ? 'replace' : 'fail', signal } as const
        const moved = await location.store.move(location.key, target.key, options)
        await this.#deps.quotas.freeBytes(this.#deps.db, this.#bucket, replaced)
        await noteMove(files, location, target)
        noteChange(files, location, 'gone')
        this.#progress.done({ files: entry.kind === 'file' ? 1 : 0, bytes: moved.size })
      },
      emptied: async (source) => {
        // What was skipped is still there: only an empty folder goes.
        for await (const page of source.store.list(source.key)) if (page.names.length > 0) return
        await source.store.remove(source.key)
        noteChange(files, source, 'gone')
      },
    }
  }

  #copying(): Carrier {
    const { signal } = this.#run
    const { files, db } = this.#deps
    return {
      holdsFolder: false,
      needs: TARGET_NEEDS.copy,
      byEntry: (source) => source.mayHideBelow || source.restrictsTypes,
      carry: async ({ location }, target, replace) => {
        const entry = await this.#look(location)
        const isFile = entry.kind === 'file'
        const tree = isFile ? { files: 1, bytes: entry.size } : await measureTree(location, signal)
        this.#progress.found(tree)
        const replaced = replace ? ((await target.store.stat(target.key))?.size ?? 0) : 0
        await this.#promise(tree.bytes, replace ? '' : target.key)
        const options = { conflict: replace ? 'replace' : 'fail', signal, onProgress: this.#progress.steps() } as const
        let used = 0
        try {
          await location.store.copy(location.key, target.key, options)
          used = tree.bytes - replaced
          if (replace) await forgetHashes(db, target.place.spaceId, target.key)
          await noteCopy(files, location, target)
        } finally {
          await this.#keepPromise(used)
        }
      },
      emptied: () => Promise.resolve(),
    }
  }

  /** Ends a promise: `used` bytes were really added. */
  async #keepPromise(used: number): Promise<void> {
    const { underWay, ...payload } = this.#payload
    if (underWay === undefined) return
    await inTransaction(this.#deps.db, async (tx) => {
      await this.#deps.quotas.commitBytes(tx, this.#bucket, { reserved: underWay.reserved, used })
      await this.#run.checkpoint(payload, tx)
    })
    this.#payload = payload
  }

  /** @throws AppError QUOTA_EXCEEDED */
  async #promise(reserved: number, key: string): Promise<void> {
    const payload = { ...this.#payload, underWay: { reserved, key } }
    await inTransaction(this.#deps.db, async (tx) => {
      await this.#deps.quotas.reserveBytes(tx, this.#bucket, reserved)
      await this.#run.checkpoint(payload, tx)
    })
    this.#payload = payload
  }
}
