import type { ConflictPolicy, OperationReply } from '@godwit/contract'
import type { UserCtx } from '../../../kernel/context.ts'
import type { AccountPrincipal } from '../../../kernel/principal.ts'
import { inTransaction } from '../../../kernel/db/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Job, Run } from '../../../kernel/queue/index.ts'
import { measureTree } from '../files.attributes.ts'
import { forgetHashes } from '../../quotas/index.ts'
import { noteChange, noteMove } from '../files.changes.ts'
import {
  find,
  isWithin,
  locate,
  nameOf,
  requireEntry,
  requireFolder,
  requirePermission,
  within,
  type Found,
  type Location,
  type Place,
} from '../files.paths.ts'
import { WITHIN_CALL_MS, type FileJobsDeps } from './job-deps.ts'
import { JobProgress } from './job-progress.ts'
import { NO_PROGRESS, presentJob, type FileProgress } from './job-views.ts'
import { placeEntry, type Carrier } from './place-entry.ts'

export interface TransferRequest extends Place {
  readonly paths: readonly string[]
  readonly target: string
  readonly conflict: ConflictPolicy
}

/** What a copy or move keeps with its job. */
export interface TransferPayload extends TransferRequest {
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
  requirePermission(ctx.principal, kind)
  const { storages } = deps.files
  const folder = await requireFolder(locate(storages, ctx.principal, request, request.target))
  for (const path of request.paths) {
    const { location } = await requireEntry(locate(storages, ctx.principal, request, path))
    requireMovable(location, folder)
    if (request.conflict === 'fail' && !(kind === 'move' && location.key === within(folder, nameOf(location)).key)) {
      const taken = await find(within(folder, nameOf(location)))
      if (taken) throw new AppError('PATH_EXISTS', { name: nameOf(location) })
    }
  }
  const payload: TransferPayload = { ...request, done: 0 }
  const job = await deps.queue.add({ kind, ownerId: ctx.principal.id, payload, progress: NO_PROGRESS })
  const settled = await deps.queue.settled(job.id, WITHIN_CALL_MS)
  return { job: presentJob(settled, ctx.locale) }
}

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
  const principal = await deps.principalOf(job)
  if (!principal) throw new AppError('TOKEN_INVALID')
  const kind = job.kind === 'copy' ? 'copy' : 'move'
  requirePermission(principal, kind)
  const transfer = new Transfer(deps, { principal, job, run })
  return transfer.run(kind)
}

/** One run of a copy or move job. */
class Transfer {
  readonly #deps: FileJobsDeps
  readonly #principal: AccountPrincipal
  readonly #job: Job<TransferPayload, FileProgress>
  readonly #run: Run<TransferPayload, FileProgress>
  readonly #progress: JobProgress
  #payload: TransferPayload

  constructor(
    deps: FileJobsDeps,
    {
      principal,
      job,
      run,
    }: {
      principal: AccountPrincipal
      job: Job<TransferPayload, FileProgress>
      run: Run<TransferPayload, FileProgress>
    },
  ) {
    this.#deps = deps
    this.#principal = principal
    this.#job = job
    this.#run = run
    this.#payload = job.payload
    this.#progress = new JobProgress(run, job.progress)
  }

  async run(kind: 'copy' | 'move'): Promise<FileProgress> {
    const { storages } = this.#deps.files
    const { paths, target, conflict } = this.#payload
    const folder = await requireFolder(locate(storages, this.#principal, this.#payload, target))
    const isDone = await this.#settleInterrupted(folder)
    const carrier = kind === 'copy' ? this.#copying() : this.#moving(folder.store.capabilities.atomicMove)
    const placing = { files: this.#deps.files, conflict, carrier, signal: this.#run.signal }
    for (let at = this.#payload.done + (isDone ? 1 : 0); at < paths.length; at++) {
      const path = paths[at] ?? ''
      await this.#progress.entry(path, async () => {
        const source = await this.#source(path)
        if (source === undefined) return
        requireMovable(source.location, folder)
        const isThere = kind === 'move' && source.location.key === within(folder, nameOf(source.location)).key
        if (!isThere) await placeEntry(placing, source, folder)
      })
      await this.#advance(at + 1, kind)
    }
    this.#progress.set({ current: '' })
    return this.#progress.shown
  }

  /** @returns undefined when an earlier run, cut short, had moved it already */
  async #source(path: string): Promise<Found | undefined> {
    const location = locate(this.#deps.files.storages, this.#principal, this.#payload, path)
    const found = await find(location)
    if (!found && this.#job.attempts === 1) throw new AppError('PATH_NOT_FOUND')
    return found
  }

  /** Moves are found out by looking, so they are written down now and then; copies each. */
  async #advance(done: number, kind: 'copy' | 'move'): Promise<void> {
    this.#payload = { ...this.#payload, done }
    if (kind === 'copy' || done % 100 === 0) await this.#run.checkpoint(this.#payload)
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

  #moving(holdsFolder: boolean): Carrier {
    const { signal } = this.#run
    const { files } = this.#deps
    return {
      holdsFolder,
      carry: async ({ location, entry }, target, replace) => {
        const replaced = replace ? ((await target.store.stat(target.key))?.size ?? 0) : 0
        const options = { conflict: replace ? 'replace' : 'fail', signal } as const
        const moved = await location.store.move(location.key, target.key, options)
        await this.#deps.quotas.freeBytes(this.#deps.db, this.#principal.id, replaced)
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
    return {
      holdsFolder: false,
      carry: async ({ location }, target, replace) => {
        const entry = await location.store.stat(location.key)
        if (!entry) throw new AppError('PATH_NOT_FOUND')
        const isFile = entry.kind === 'file'
        const tree = isFile ? { files: 1, bytes: entry.size } : await measureTree(location.store, location.key, signal)
        this.#progress.found(tree)
        const replaced = replace ? ((await target.store.stat(target.key))?.size ?? 0) : 0
        await this.#promise(tree.bytes, replace ? '' : target.key)
        const options = { conflict: replace ? 'replace' : 'fail', signal, onProgress: this.#progress.steps() } as const
        let used = 0
        try {
          await location.store.copy(location.key, target.key, options)
          used = tree.bytes - replaced
          if (replace) await forgetHashes(this.#deps.db, target.place.spaceId, target.key)
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
      await this.#deps.quotas.commitBytes(tx, this.#principal.id, { reserved: underWay.reserved, used })
      await this.#run.checkpoint(payload, tx)
    })
    this.#payload = payload
  }

  /** @throws AppError QUOTA_EXCEEDED */
  async #promise(reserved: number, key: string): Promise<void> {
    const payload = { ...this.#payload, underWay: { reserved, key } }
    await inTransaction(this.#deps.db, async (tx) => {
      await this.#deps.quotas.reserveBytes(tx, this.#principal.id, reserved)
      await this.#run.checkpoint(payload, tx)
    })
    this.#payload = payload
  }
}
