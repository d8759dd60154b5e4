import type { ConflictPolicy, OperationReply } from '@godwit/contract'
import type { Entry } from '@godwit/storage'
import type { UserCtx } from '../../../kernel/context.ts'
import { inTransaction, type Tx } from '../../../kernel/db/index.ts'
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
import { bucketOf } from '../../quotas/index.ts'
import { measureTree } from '../measure-tree.ts'
import { noteChange } from '../files.changes.ts'
import { replacedBy, stepOf, type Change, type NewStep } from '../steps/index.ts'
import {
  actorOfJob,
  limitsOf,
  requireJobPrincipal,
  startFileJob,
  type FileJobsDeps,
  type JobLimits,
} from './job-deps.ts'
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
  const payload: TransferPayload = { ...request, ...limitsOf(ctx), seen, done: 0 }
  const job = await startFileJob(deps, { kind, ownerId: ctx.principal.id, payload, progress: NO_PROGRESS })
  return { job: presentJob(job, ctx.locale) }
}

const STEPS_PER_CHECKPOINT = 100

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

/** The path of the job that is at work. */
interface Current {
  readonly key: string
  /** Its place among the paths of the job. */
  readonly at: number
  /** What its owner saw there. */
  readonly seen: string | undefined
}

/** One run of a copy or move job. */
class Transfer {
  readonly #deps: FileJobsDeps
  readonly #kind: 'copy' | 'move'
  readonly #job: Job<TransferPayload, FileProgress>
  readonly #run: Run<TransferPayload, FileProgress>
  readonly #progress: JobProgress
  #payload: TransferPayload
  #current: Current = { key: '', at: -1, seen: undefined }

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
    const { steps } = this.#deps.files
    const { paths, seen, done } = this.#payload
    const doneBefore = await steps.resume(this.#job.id)
    for (let at = done; at < paths.length; at++) {
      const path = paths[at] ?? ''
      if (!doneBefore.has(at)) await this.#progress.entry(path, () => this.#transfer(path, { at, seen: seen[at] }))
      await this.#advance(at + 1)
    }
    await steps.forget(this.#deps.db, this.#job.id)
    this.#progress.set({ current: '' })
    return this.#progress.shown
  }

  /** What the bytes of the place are booked to. */
  get #bucket(): string {
    return bucketOf({ userId: this.#job.ownerId, groupId: this.#payload.groupId })
  }

  /** One path, with the rights that the owner has now. */
  async #transfer(path: string, { at, seen }: Omit<Current, 'key'>): Promise<void> {
    const folder = await this.#target()
    const source = await this.#source(path)
    if (source === undefined) return
    requireSeen(source.entry, seen)
    this.#current = { key: source.location.key, at, seen }
    requireMovable(source.location, folder)
    const isMove = this.#kind === 'move'
    if (isMove && source.location.key === within(folder, nameOf(source.location)).key) return
    if (!isMove && source.entry.kind === 'folder') source.location.require('copyFolder')
    await placeEntry(
      {
        files: this.#deps.files,
        actor: actorOfJob(this.#job),
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

  /** What a step did is noted with the step; a note of the job's own now and then keeps those few. */
  async #advance(done: number): Promise<void> {
    this.#payload = { ...this.#payload, done }
    if (done % STEPS_PER_CHECKPOINT !== 0) return
    await inTransaction(this.#deps.db, async (tx) => {
      await this.#run.checkpoint(this.#payload, tx)
      await this.#deps.files.steps.forget(tx, this.#job.id)
    })
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
        const source = { location, entry: await this.#look(location) }
        const change = {
          kind: 'move',
          source,
          to: target,
          replaced: replace ? await replacedBy(target) : undefined,
        } as const
        const options = { conflict: replace ? 'replace' : 'fail', signal } as const
        const moved = await this.#take(change, {}, () => location.store.move(location.key, target.key, options))
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
    return {
      holdsFolder: false,
      needs: TARGET_NEEDS.copy,
      byEntry: (source) => source.mayHideBelow || source.restrictsTypes,
      carry: async ({ location }, target, replace) => {
        const entry = await this.#look(location)
        const isFile = entry.kind === 'file'
        const tree = isFile ? { files: 1, bytes: entry.size } : await measureTree(location, signal)
        this.#progress.found(tree)
        const replaced = replace ? await replacedBy(target) : undefined
        const change = { kind: 'copy', source: { location, entry }, to: target, replaced, bytes: tree.bytes } as const
        const options = { conflict: replace ? 'replace' : 'fail', signal, onProgress: this.#progress.steps() } as const
        const reservation = {
          bytes: tree.bytes,
          reserve: (tx: Tx, bytes: number) => this.#deps.quotas.reserveBytes(tx, this.#bucket, bytes),
        }
        await this.#take(change, { reservation }, () => location.store.copy(location.key, target.key, options))
      },
      emptied: () => Promise.resolve(),
    }
  }

  #take(change: Change, more: Pick<NewStep, 'reservation'>, act: () => Promise<Entry>): Promise<Entry> {
    const { location } = change.source
    const at = location.key === this.#current.key ? this.#current.at : -1
    const step = stepOf(actorOfJob(this.#job), change)
    const job = { id: this.#job.id, at }
    return this.#deps.files.steps.take({ step, store: location.store, job, ...more }, act)
  }
}
