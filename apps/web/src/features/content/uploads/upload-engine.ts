import { serverUnavailable } from '@godwit/contract/wire/api-error'
import { routes } from '@godwit/contract/table'
import { type Clock, Semaphore } from '@godwit/base'
import { LIMITS } from '@godwit/contract/limits'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Place } from '../../../lib/file-socket.ts'
import { type Api, isFailure, isTransient } from '../../../lib/http.ts'
import { createStore, type Store } from '../../../lib/store.ts'
import type { Conflict, Resolution } from '../conflicts/index.ts'
import { applyChoices, conflictOf, findConflicts, settleByStanding } from './conflict-scan.ts'
import { makeEmptyFolders } from './empty-folders.ts'
import { findGhosts } from './ghosts.ts'
import { type HashPool, SourceGone } from './hash-pool.ts'
import { createRateMeter } from './rate-meter.ts'
import { refuseNames } from './refused-names.ts'
import { sendFile } from './send-file.ts'
import { sendPack, SMALL_BYTES, takePack } from './send-pack.ts'
import type { SourceFile, Sources } from './sources.ts'
import {
  createJob,
  type Failed,
  failedCount,
  failuresOf,
  isAtWork,
  isFinished,
  nextPending,
  setItemSent,
  setItemState,
  type UploadItem,
  type UploadJob,
} from './upload-job.ts'
import { type Ghost, type JobView, NO_UPLOADS, sorted, totalsOf, type UploadsView, viewOf } from './upload-views.ts'

export interface EngineDeps {
  readonly api: Api
  readonly operate: FileOperations
  readonly hashes: HashPool
  readonly clock: Clock
  /** Asks about taken names; undefined as an answer takes the files back. */
  readonly askConflicts: (conflicts: readonly Conflict[]) => Promise<Resolution>
  /** A job's files are there: the folder may be listed again. */
  readonly onStored: (place: Place, folder: string) => void
}

/** Browsers open six connections to a server; one stays free for everything that is not bytes. */
const CONNECTIONS = 5
const SHOW_MS = 250
const RETRY_MS = [1_000, 2_000, 4_000, LIMITS.reconnectMs] as const
/** Files of one drop that are listed one by one; more become one row with a counter. */
const SINGLE_ROWS_MAX = 20

/**
 * The queue of uploads: at most ten at work, small files in packs, and after a break it goes on by itself. It lives outside
 * the screens, so moving about, changing the language or signing in again never stops it.
 */
export class UploadEngine {
  readonly view: Store<UploadsView> = createStore(NO_UPLOADS)
  /** Whether the panel shows its rows, or its head alone. */
  readonly isPanelOpen: Store<boolean> = createStore(true)
  readonly #deps: EngineDeps
  readonly #connections = new Semaphore(CONNECTIONS)
  readonly #meter = createRateMeter()
  readonly #shown = new Map<UploadJob, JobView>()
  readonly #changed = new Set<UploadJob>()
  #jobs: readonly UploadJob[] = []
  #ghosts: readonly Ghost[] = []
  #lastId = 0
  #working = 0
  #isHalted = false
  /** Settles when somebody is signed in again. */
  #begun = Promise.withResolvers<void>()
  /** Takes back the questions that wait for an answer. */
  readonly #questions = new Set<() => void>()
  #retries = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #showTimer: ReturnType<typeof setTimeout> | undefined

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  get isActive(): boolean {
    return this.#jobs.some((job) => !isFinished(job) && !job.isPaused)
  }

  /** Uploads that would be lost with the page: also the paused ones. */
  get isUnfinished(): boolean {
    return this.#jobs.some((job) => !isFinished(job))
  }

  /** Queues what was dropped or chosen: a row for each file or top folder, or one for a whole handful. */
  add(place: Place, folder: string, sources: Sources): void {
    const jobs = grouped(sources).map((part) => {
      this.#lastId += 1
      const addedAt = this.#deps.clock.now()
      return createJob({ ...part, id: this.#lastId, folder, place, addedAt })
    })
    this.#jobs = [...this.#jobs, ...jobs]
    this.#show()
    void this.#prepare(jobs)
  }

  pause(id: number): void {
    const job = this.#find(id)
    if (job === undefined || isFinished(job)) return
    job.isPaused = true
    job.meter.reset()
    this.#stopWork(job)
    this.#changed.add(job)
    this.#show()
  }

  resume(id: number): void {
    const job = this.#find(id)
    if (job === undefined) return
    job.isPaused = false
    this.#touch(job)
    this.#pump()
  }

  /** Takes a job back; what is not finished goes from the server too. */
  cancel(id: number): void {
    const job = this.#find(id)
    if (job === undefined) return
    this.#jobs = this.#jobs.filter((each) => each !== job)
    this.#stopWork(job)
    for (const item of job.items) if (item.state !== 'completed' && !isAtWork(item)) this.#abort(item)
    this.#shown.delete(job)
    this.#show()
    this.#pump()
  }

  retry(id: number): void {
    const job = this.#find(id)
    if (job === undefined) return
    for (const item of job.items) {
      if (item.state !== 'failed') continue
      setItemSent(job, item, 0)
      delete item.error
      setItemState(job, item, 'pending')
    }
    job.folderFaults = []
    job.isScanning = true
    this.#touch(job)
    void this.#prepare([job])
  }

  pauseAll(): void {
    for (const { id } of this.#jobs) this.pause(id)
  }

  resumeAll(): void {
    for (const { id, isPaused } of this.#jobs) if (isPaused) this.resume(id)
  }

  cancelAll(): void {
    for (const job of this.#jobs) if (!isFinished(job)) this.cancel(job.id)
  }

  retryAll(): void {
    for (const job of this.#jobs) if (failedCount(job) > 0) this.retry(job.id)
  }

  /** What of a job failed so far. */
  failures(id: number): readonly Failed[] {
    const job = this.#find(id)
    return job === undefined ? [] : failuresOf(job)
  }

  /** Takes finished jobs off the list. */
  clear(): void {
    this.#jobs = this.#jobs.filter((job) => !isFinished(job))
    this.#show()
  }

  /** Nobody is signed in: everything waits as it stands. */
  halt(): void {
    this.#isHalted = true
    for (const job of this.#jobs) this.#stopWork(job)
    for (const leave of this.#questions) leave()
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    this.#show()
  }

  /** Somebody is signed in again. Another person does not inherit the queue. */
  async begin(isSamePerson: boolean): Promise<void> {
    if (!isSamePerson) {
      this.#jobs = []
      this.#ghosts = []
    }
    this.#isHalted = false
    this.#begun.resolve()
    this.#begun = Promise.withResolvers()
    this.#show()
    this.#pump()
    await this.#lookForGhosts()
  }

  /** The network or the server is back: do not wait for the next try. */
  wake(): void {
    if (this.#retryTimer === undefined) return
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    this.#pump()
  }

  async forget(uploadId: string): Promise<void> {
    this.#ghosts = this.#ghosts.filter((ghost) => ghost.uploadId !== uploadId)
    this.#show()
    await this.#deps.api.call(routes.uploads.abortTwin, { params: { uploadId } })
  }

  async #lookForGhosts(): Promise<void> {
    const found = await findGhosts(this.#deps.api)
    const own = new Set(this.#jobs.flatMap((job) => job.items.map((item) => item.upload?.id)))
    this.#ghosts = found.filter(({ uploadId }) => !own.has(uploadId))
    this.#show()
  }

  #find(id: number): UploadJob | undefined {
    return this.#jobs.find((job) => job.id === id)
  }

  #abort({ upload }: UploadItem): void {
    if (upload === undefined) return
    const { id: uploadId, grant: token } = upload
    // Without an answer the upload expires on the server by itself.
    this.#deps.api.call(routes.uploads.abortTwin, { params: { uploadId } }, { token }).catch(() => undefined)
  }

  #stopWork(job: UploadJob): void {
    job.abort.abort(new DOMException('stopped', 'AbortError'))
    job.abort = new AbortController()
  }

  /** Looks for taken names, asks once for all of them, makes empty folders; then the jobs may start. */
  async #prepare(jobs: readonly UploadJob[]): Promise<void> {
    for (const job of jobs) refuseNames(job)
    await this.#settleNames(jobs)
    for (const job of jobs) {
      if (job.emptyFolders.length > 0 && job.isScanning) {
        await this.#reaching([job], () => makeEmptyFolders(this.#deps.operate, job))
      }
      job.isScanning = false
      this.#touch(job)
      if (isFinished(job)) this.#finished(job)
    }
    this.#pump()
  }

  async #settleNames(jobs: readonly UploadJob[]): Promise<void> {
    const { operate } = this.#deps
    const looked = await Promise.all(
      jobs.map(async (job) => ({ job, conflicts: await this.#reaching([job], () => findConflicts(operate, job)) })),
    )
    const found = looked.flatMap(({ job, conflicts }) => (conflicts === undefined ? [] : [{ job, conflicts }]))
    const open = found.filter(({ job, conflicts }) => conflicts.size > 0 && !settleByStanding(job, conflicts))
    if (open.length === 0) return
    const asked = open.flatMap(({ conflicts }) => [...conflicts].map(([item, entry]) => conflictOf(item, entry)))
    const choices = await this.#reaching(
      open.map(({ job }) => job),
      () => this.#ask(asked),
    )
    // The answer for all is one for the drop: its other jobs remember it as well.
    if (choices?.standing !== undefined) for (const { job } of found) job.standing = choices.standing
    for (const { job, conflicts } of open) {
      if (choices === undefined) this.cancel(job.id)
      else applyChoices(job, conflicts, choices.byPath)
    }
  }

  /** @throws Unreachable when the session ends before an answer: the question went with it */
  #ask(conflicts: readonly Conflict[]): Promise<Resolution> {
    const { promise, resolve, reject } = Promise.withResolvers<Resolution>()
    const leave = (): void => reject(serverUnavailable())
    this.#questions.add(leave)
    this.#deps
      .askConflicts(conflicts)
      .then(resolve, reject)
      .finally(() => this.#questions.delete(leave))
    return promise
  }

  /**
   * Does for jobs what needs the server, again and again while it is out of reach or nobody is signed in.
   * @returns undefined when it was refused, and the jobs failed with the reason; or when all of them were taken back
   */
  async #reaching<T>(jobs: readonly UploadJob[], work: () => Promise<T>): Promise<T | undefined> {
    while (jobs.some((job) => this.#jobs.includes(job))) {
      try {
        return await work()
      } catch (error) {
        if (!isTransient(error) && !isFailure(error, 'TOKEN_INVALID')) {
          this.#failAll(jobs, error)
          return undefined
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS[1]))
        if (this.#isHalted) await this.#begun.promise
      }
    }
    return undefined
  }

  #failAll(jobs: readonly UploadJob[], error: unknown): void {
    for (const job of jobs) {
      for (const item of job.items) {
        if (item.state !== 'pending') continue
        item.error = error
        setItemState(job, item, 'failed')
      }
      job.isScanning = false
      this.#touch(job)
    }
  }

  /** Starts work until ten units run. */
  #pump(): void {
    if (this.#isHalted || this.#retryTimer !== undefined) return
    while (this.#working < LIMITS.uploadsInParallel) {
      const unit = this.#nextUnit()
      if (unit === undefined) break
      void this.#work(unit.job, unit.items)
    }
  }

  #nextUnit(): { readonly job: UploadJob; readonly items: readonly UploadItem[] } | undefined {
    for (const job of this.#jobs) {
      if (job.isPaused || job.isScanning) continue
      const first = nextPending(job)
      if (first === undefined) continue
      if (first.size <= SMALL_BYTES) return { job, items: takePack(job, first) }
      job.cursor += 1
      return { job, items: [first] }
    }
    return undefined
  }

  async #work(job: UploadJob, items: readonly UploadItem[]): Promise<void> {
    this.#working += 1
    const { signal } = job.abort
    for (const item of items) setItemState(job, item, 'active')
    this.#touch(job)
    const deps = {
      ...this.#deps,
      connections: this.#connections,
      onChange: (changed: UploadJob) => this.#touch(changed),
    }
    try {
      const [first] = items
      if (items.length === 1 && first !== undefined && first.size > SMALL_BYTES)
        await sendFile(deps, job, first, signal)
      else await sendPack(deps, job, items, signal)
      this.#retries = 0
      delete job.obstacle
    } catch (error) {
      await this.#broke(job, items, signal, error)
    } finally {
      this.#working -= 1
      this.#touch(job)
      if (isFinished(job)) this.#finished(job)
      this.#pump()
    }
  }

  /** Stopped by hand: it waits. Out of reach: it is tried again. Refused: it failed, and says why. */
  async #broke(job: UploadJob, items: readonly UploadItem[], signal: AbortSignal, thrown: unknown): Promise<void> {
    const error = signal.aborted ? thrown : await this.#trueCause(items, thrown)
    const isSessionOver = isFailure(error, 'TOKEN_INVALID')
    const waits = signal.aborted || isSessionOver || isTransient(error)
    const isTakenBack = !this.#jobs.includes(job)
    for (const item of items) {
      if (!isAtWork(item)) continue
      if (isTakenBack) this.#abort(item)
      item.doubts += 1
      if (!waits) item.error = error
      setItemState(job, item, waits ? 'pending' : 'failed')
      if (waits && item.size <= SMALL_BYTES) setItemSent(job, item, 0)
    }
    if (signal.aborted || !waits) return
    job.obstacle = error
    this.#waitAndRetry()
  }

  /** A file that vanished looks to the browser like a broken connection; reading it tells the two apart. */
  async #trueCause([item]: readonly UploadItem[], error: unknown): Promise<unknown> {
    if (item === undefined || !isTransient(error)) return error
    try {
      await item.source.file.slice(0, 1).arrayBuffer()
      return error
    } catch (unreadable) {
      return new SourceGone({ cause: unreadable })
    }
  }

  #waitAndRetry(): void {
    if (this.#retryTimer !== undefined || this.#isHalted) return
    const wait = RETRY_MS[Math.min(this.#retries, RETRY_MS.length - 1)] ?? LIMITS.reconnectMs
    this.#retries += 1
    this.#meter.reset()
    for (const job of this.#jobs) job.meter.reset()
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined
      this.#pump()
    }, wait)
    for (const job of this.#jobs) this.#changed.add(job)
    this.#show()
  }

  #finished(job: UploadJob): void {
    if (job.completed + job.emptyFolders.length > 0) this.#deps.onStored(job.place, job.folder)
    const mine = new Set(job.items.map(({ upload }) => upload?.id))
    this.#ghosts = this.#ghosts.filter(({ uploadId }) => !mine.has(uploadId))
  }

  /** Something of a job changed: shown with the next picture, four times a second at most. */
  #touch(job: UploadJob): void {
    this.#changed.add(job)
    this.#showTimer ??= setTimeout(() => this.#show(), SHOW_MS)
  }

  #show(): void {
    clearTimeout(this.#showTimer)
    this.#showTimer = undefined
    this.#measure()
    const isOffline = this.#retryTimer !== undefined || this.#isHalted
    const jobs = this.#jobs.map((job) => {
      const known = this.#shown.get(job)
      if (known !== undefined && !this.#changed.has(job)) return known
      const view = viewOf(job, isOffline)
      this.#shown.set(job, view)
      return view
    })
    this.#changed.clear()
    const { isActive } = this
    const isPaused = !isActive && this.isUnfinished
    const totals = totalsOf(this.#jobs, isActive && !isOffline ? this.#meter.rate() : undefined)
    this.view.set({ jobs: sorted(jobs), totals, ghosts: this.#ghosts, isActive, isPaused })
  }

  #measure(): void {
    const now = this.#deps.clock.monotonic()
    if (!this.isActive) this.#meter.reset()
    else
      this.#meter.sample(
        this.#jobs.reduce((sum, job) => sum + job.sent, 0),
        now,
      )
    for (const job of this.#changed) if (job.active > 0) job.meter.sample(job.sent, now)
  }
}

interface JobPart {
  readonly name: string
  readonly isGroup: boolean
  readonly sources: readonly SourceFile[]
  readonly emptyFolders: readonly string[]
  readonly unreadable?: readonly string[]
}

/** A row for each top folder; loose files each their own row, unless there are many. */
function grouped({ files, emptyFolders, unreadable }: Sources): readonly JobPart[] {
  const folders = new Map<string, { sources: SourceFile[]; emptyFolders: string[]; unreadable: string[] }>()
  const loose: SourceFile[] = []
  const folderOf = (path: string) => {
    const top = path.split('/', 1)[0] ?? ''
    const known = folders.get(top) ?? { sources: [], emptyFolders: [], unreadable: [] }
    folders.set(top, known)
    return known
  }
  for (const source of files) {
    if (source.relativePath.includes('/')) folderOf(source.relativePath).sources.push(source)
    else loose.push(source)
  }
  for (const path of emptyFolders) folderOf(path).emptyFolders.push(path)
  for (const path of unreadable) folderOf(path).unreadable.push(path)
  const rows = [...folders].map(([name, part]) => ({ name, isGroup: true, ...part }))
  const [first] = loose
  if (loose.length > SINGLE_ROWS_MAX && first !== undefined) {
    return [...rows, { name: first.relativePath, isGroup: true, sources: loose, emptyFolders: [] }]
  }
  const single = loose.map((source) => ({
    name: source.relativePath,
    isGroup: false,
    sources: [source],
    emptyFolders: [],
  }))
  return [...rows, ...single]
}
