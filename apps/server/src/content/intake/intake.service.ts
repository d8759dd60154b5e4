import type { Periodic } from '../../kernel/schedule.ts'
import { AckLog } from './ack-log.ts'
import { BodyRates } from './body-rates.ts'
import { LiveUploads, type LiveUpload } from './live-uploads.ts'
import type { UploadResult } from '@godwit/contract'
import type { Ctx, UploaderCtx } from '../../kernel/context.ts'
import type { AccountPrincipal, GuestPrincipal } from '../../kernel/principal.ts'
import { appendBytes, declareLength, joinPieces, wholePieces, type AppendRequest } from './intake.append.ts'
import { completeUpload, type CompleteRequest } from './intake.completion.ts'
import { reconcile } from './intake.reconciliation.ts'
import { abortUpload } from './intake.transitions.ts'
import { createUpload, requireBegin, type CreatedUpload, type WantedUpload } from './intake.creation.ts'
import type { IntakeDeps, IntakeOptions, UploadLimits } from './intake.deps.ts'
import { openedUpload, type OpenedUpload } from './intake.grants.ts'
import { dropAbandoned } from './unresumed.ts'
import { checkRunning, endUploadsOf, revokeUploads, sweepExpired, sweepOrphans } from './intake.jobs.ts'
import { writePart, type PartReceipt, type PartRequest } from './intake.parts.ts'
import type { UploadRow } from './intake.schema.ts'
import { uploadsStore } from './intake.store.ts'
import { storeSmallFiles, type SmallFileOutcome, type SmallFiles } from './small-files.ts'
import { SharedLeases, unsharedLeases } from './leases.ts'
import type { FilesDeps } from '../files/index.ts'
import type { RequireWeb } from '../spaces/index.ts'
import { Traffic } from '../traffic/index.ts'
import { RECHECK_MS, RunningBodies } from './running-bodies.ts'
import { takeWhole, type WholeBody } from './whole-bodies.ts'
import { keepSessionAlive, watchedBody, type WatchedBody, type WatchedRequest } from './request-bodies.ts'

const TICK_MS = 2_000
/** How long a file may be visible and not booked after the database was away. */
const RECONCILE_MS = 10_000
const SWEEP_MS = 10 * 60_000

/**
 * The one sink for bytes that become files, whatever carries them. The database and the storage are the truth; what is in
 * memory is a cache. Protocols stand above it and keep no state of their own.
 */
export interface Intake {
  readonly limits: UploadLimits
  readonly files: FilesDeps
  /** See {@link createUpload}. */
  create(ctx: UploaderCtx, wanted: WantedUpload): Promise<CreatedUpload>
  /** See {@link openedUpload}. */
  open(ctx: Ctx, uploadId: string): Promise<OpenedUpload>
  /** Unfinished uploads of an account, newest first. */
  unfinishedOf(userId: string): Promise<LiveUpload[]>
  /** Unfinished uploads of a guest's visit, newest first. */
  unfinishedOfVisit(visitId: string): Promise<LiveUpload[]>
  /** Takes one part at any offset. See {@link writePart}. */
  write(upload: LiveUpload, request: PartRequest): Promise<PartReceipt>
  /** Takes bytes in order. See {@link appendBytes}. */
  append(upload: LiveUpload, request: AppendRequest): Promise<number>
  /** See {@link declareLength}. */
  declareLength(upload: LiveUpload, size: number): Promise<void>
  /** See {@link wholePieces}. */
  wholePieces(principal: AccountPrincipal | GuestPrincipal, ids: readonly string[]): Promise<LiveUpload[]>
  /** See {@link joinPieces}. */
  join(upload: LiveUpload, pieces: readonly LiveUpload[]): Promise<void>
  /** See {@link completeUpload}. */
  complete(upload: LiveUpload, request: CompleteRequest): Promise<UploadResult>
  /** See {@link takeWhole}. */
  takeWhole(ctx: UploaderCtx, whole: WholeBody): Promise<UploadResult>
  /** See {@link abortUpload}. */
  abort(upload: LiveUpload): Promise<void>
  /** See {@link endUploadsOf}. */
  endAllOf(userId: string): Promise<boolean>
  /** Drops what an earlier run of a job left unfinished. @returns whether it finished an upload */
  dropUnfinished(userId: string, task: string): Promise<boolean>
  /** See {@link storeSmallFiles}. */
  storeSmallFiles(ctx: UploaderCtx, arrived: SmallFiles): Promise<SmallFileOutcome[]>
  /** @throws AppError WEB_TRANSFER_NOT_ALLOWED */
  requireWeb: RequireWeb
  /** See {@link requireBegin}. */
  requireBegin(ctx: UploaderCtx, transferId?: string): Promise<void>
  /** See {@link watchedBody}. */
  watch(ctx: Ctx, watched: WatchedBody): WatchedRequest
  /** See {@link keepSessionAlive}. */
  keepSessionAlive(sessionId: string): () => void
  readonly every: readonly Periodic[]
  /** Finishes what a crash left. */
  start(): Promise<void>
  stop(): void
}

/** What the intake keeps in memory besides what it is given. */
export function openIntakeDeps(options: IntakeOptions): IntakeDeps {
  const { database, db, files, clock, log, ids } = options
  // Only one process opens an SQLite file; it needs no rows to agree with itself.
  const isShared = database.dialect === 'mysql'
  const leases = isShared ? new SharedLeases({ database, clock, log, owner: ids.next() }) : unsharedLeases
  return {
    ...options,
    leases,
    live: new LiveUploads(db, files.storages),
    acks: new AckLog(db, leases),
    rates: new BodyRates(clock),
    running: new RunningBodies(clock),
    batches: new Set(),
    traffic: new Traffic(),
  }
}

export function createIntake(deps: IntakeDeps): Intake {
  const { log } = deps
  const unsubscribe = deps.bus.subscribe('user.revoked', ({ userId }) => {
    revokeUploads(deps, userId).catch((thrown: unknown) => log.error({ err: thrown }, 'revoking uploads failed'))
  })

  return {
    limits: deps.limits,
    files: deps.files,
    create: (ctx, wanted) => createUpload(deps, ctx, wanted),
    open: (ctx, uploadId) => openedUpload(deps, ctx, uploadId),
    unfinishedOf: async (userId) => liveOf(deps, await uploadsStore.openOf(deps.db, userId)),
    unfinishedOfVisit: async (visitId) => liveOf(deps, await uploadsStore.openOfVisit(deps.db, visitId)),
    write: (upload, request) => writePart(deps, upload, request),
    append: (upload, request) => appendBytes(deps, upload, request),
    declareLength: (upload, size) => declareLength(deps, upload, size),
    wholePieces: (principal, ids) => wholePieces(deps, principal, ids),
    join: (upload, pieces) => joinPieces(deps, upload, pieces),
    complete: (upload, request) => completeUpload(deps, upload, request),
    takeWhole: (ctx, whole) => takeWhole(deps, ctx, whole),
    abort: (upload) => abortUpload(deps, upload),
    endAllOf: (userId) => endUploadsOf(deps, userId),
    async dropUnfinished(userId, task) {
      const rows = await uploadsStore.ofArchive(deps.db, userId, task)
      for (const { id } of rows.filter(({ state }) => state === 'open')) {
        const live = await deps.live.get(id)
        if (live !== undefined) await abortUpload(deps, live)
      }
      return rows.some(({ state }) => state === 'completed' || state === 'processing')
    },
    storeSmallFiles: (ctx, arrived) => storeSmallFiles(deps, ctx, arrived),
    requireWeb: deps.requireWeb,
    requireBegin: (ctx, transferId) => requireBegin(deps, ctx, transferId),
    watch: (ctx, watched) => watchedBody(deps, ctx, watched),
    keepSessionAlive: (sessionId) => keepSessionAlive(deps, sessionId),
    every: [
      { name: 'running', everyMs: TICK_MS, work: () => watchRunning(deps) },
      { name: 'rights', everyMs: RECHECK_MS, work: () => deps.running.recheck(deps) },
      { name: 'unfinished', everyMs: RECONCILE_MS, work: () => reconcile(deps) },
      { name: 'expired', everyMs: SWEEP_MS, work: () => sweepExpired(deps) },
      { name: 'orphans', everyMs: SWEEP_MS, work: () => sweepOrphans(deps) },
    ],
    async start() {
      await reconcile(deps)
      await dropAbandoned(deps)
    },
    stop: unsubscribe,
  }
}

async function liveOf(deps: IntakeDeps, rows: readonly UploadRow[]): Promise<LiveUpload[]> {
  const found = await Promise.all(rows.map(({ id }) => deps.live.get(id)))
  return found.filter((live) => live !== undefined)
}

async function watchRunning(deps: IntakeDeps): Promise<void> {
  deps.rates.sweep()
  await checkRunning(deps)
}
