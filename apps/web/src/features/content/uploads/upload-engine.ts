import type { Clock } from '@godwit/base'
import { routes } from '@godwit/contract/table'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Place } from '../../../lib/file-socket.ts'
import type { Api } from '../../../lib/http.ts'
import { createStore, type Store } from '../../../lib/store.ts'
import type { Conflict, Resolution } from '../conflicts/index.ts'
import { groupDrop } from './drop-groups.ts'
import { findGhosts } from './ghosts.ts'
import type { HashPool } from './hash-pool.ts'
import { prepareJobs, type PreparationDeps } from './prepare-jobs.ts'
import { SessionGate } from './session-gate.ts'
import type { Sources } from './sources.ts'
import { UploadBoard } from './upload-board.ts'
import {
  createJob,
  type Failed,
  failedCount,
  failuresOf,
  hasActive,
  hasUnfinished,
  isAtWork,
  isFinished,
  setItemSent,
  setItemState,
  type UploadJob,
} from './upload-job.ts'
import { abandonUpload, UploadSender } from './upload-sender.ts'
import type { Ghost, UploadsView } from './upload-views.ts'

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

/**
 * The queue of uploads: at most ten at work, small files in packs, and after a break it goes on by itself. It lives outside
 * the screens, so moving about, changing the language or signing in again never stops it.
 */
export class UploadEngine {
  readonly view: Store<UploadsView>
  /** Whether the panel shows its rows, or its head alone. */
  readonly isPanelOpen: Store<boolean> = createStore(true)
  readonly #deps: EngineDeps
  readonly #session = new SessionGate()
  readonly #board: UploadBoard
  readonly #preparation: PreparationDeps
  readonly #sender: UploadSender
  #jobs: readonly UploadJob[] = []
  #ghosts: readonly Ghost[] = []
  #lastId = 0

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#board = new UploadBoard(deps.clock, () => ({
      jobs: this.#jobs,
      ghosts: this.#ghosts,
      isOffline: this.#sender.isWaiting || this.#session.isHalted,
    }))
    this.view = this.#board.view
    this.#sender = new UploadSender({
      ...deps,
      session: this.#session,
      board: this.#board,
      jobs: () => this.#jobs,
      onFinished: (job) => this.#finished(job),
    })
    this.#preparation = {
      operate: deps.operate,
      askConflicts: deps.askConflicts,
      session: this.#session,
      isQueued: (job) => this.#jobs.includes(job),
      onChange: (job) => this.#board.touch(job),
      onTakeBack: ({ id }) => this.cancel(id),
    }
  }

  get isActive(): boolean {
    return hasActive(this.#jobs)
  }

  /** Uploads that would be lost with the page: also the paused ones. */
  get isUnfinished(): boolean {
    return hasUnfinished(this.#jobs)
  }

  /** Queues what was dropped or chosen: a row for each file or top folder, or one for a whole handful. */
  add(place: Place, folder: string, sources: Sources): void {
    const jobs = groupDrop(sources).map((part) => {
      this.#lastId += 1
      const addedAt = this.#deps.clock.now()
      return createJob({ ...part, id: this.#lastId, folder, place, addedAt })
    })
    this.#jobs = [...this.#jobs, ...jobs]
    this.#board.show()
    void this.#prepare(jobs)
  }

  pause(id: number): void {
    const job = this.#find(id)
    if (job === undefined || isFinished(job)) return
    job.isPaused = true
    job.meter.reset()
    this.#stopWork(job)
    this.#board.touch(job)
    this.#board.show()
  }

  resume(id: number): void {
    const job = this.#find(id)
    if (job === undefined) return
    job.isPaused = false
    this.#board.touch(job)
    this.#sender.pump()
  }

  /** Takes a job back; what is not finished goes from the server too. */
  cancel(id: number): void {
    const job = this.#find(id)
    if (job === undefined) return
    this.#jobs = this.#jobs.filter((each) => each !== job)
    this.#stopWork(job)
    for (const item of job.items) if (item.state !== 'completed' && !isAtWork(item)) abandonUpload(this.#deps.api, item)
    this.#board.forget(job)
    this.#board.show()
    this.#sender.pump()
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
    this.#board.touch(job)
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
    this.#board.show()
  }

  /** Nobody is signed in: everything waits as it stands. */
  halt(): void {
    this.#session.halt()
    for (const job of this.#jobs) this.#stopWork(job)
    this.#sender.stopWaiting()
    this.#board.show()
  }

  /** Somebody is signed in again. Another person does not inherit the queue. */
  async begin(isSamePerson: boolean): Promise<void> {
    if (!isSamePerson) {
      this.#jobs = []
      this.#ghosts = []
    }
    this.#session.begin()
    this.#board.show()
    this.#sender.pump()
    await this.#lookForGhosts()
  }

  /** The network or the server is back: do not wait for the next try. */
  wake(): void {
    if (this.#sender.stopWaiting()) this.#sender.pump()
  }

  async forget(uploadId: string): Promise<void> {
    this.#ghosts = this.#ghosts.filter((ghost) => ghost.uploadId !== uploadId)
    this.#board.show()
    await this.#deps.api.call(routes.uploads.abortTwin, { params: { uploadId } })
  }

  async #lookForGhosts(): Promise<void> {
    const found = await findGhosts(this.#deps.api)
    const own = new Set(this.#jobs.flatMap((job) => job.items.map((item) => item.upload?.id)))
    this.#ghosts = found.filter(({ uploadId }) => !own.has(uploadId))
    this.#board.show()
  }

  #find(id: number): UploadJob | undefined {
    return this.#jobs.find((job) => job.id === id)
  }

  #stopWork(job: UploadJob): void {
    job.abort.abort(new DOMException('stopped', 'AbortError'))
    job.abort = new AbortController()
  }

  async #prepare(jobs: readonly UploadJob[]): Promise<void> {
    await prepareJobs(this.#preparation, jobs, (job) => {
      if (isFinished(job)) this.#finished(job)
    })
    this.#sender.pump()
  }

  #finished(job: UploadJob): void {
    if (job.completed + job.emptyFolders.length > 0) this.#deps.onStored(job.place, job.folder)
    const mine = new Set(job.items.map(({ upload }) => upload?.id))
    this.#ghosts = this.#ghosts.filter(({ uploadId }) => !mine.has(uploadId))
  }
}
