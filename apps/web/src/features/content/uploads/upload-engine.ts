import type { Clock } from '@godwit/base'
import type { TransferView } from '@godwit/contract'
import { LIMITS } from '@godwit/contract/limits'
import { routes } from '@godwit/contract/table'
import type { FileOperations } from '../../../lib/file-operations.ts'
import type { Place } from '../../../lib/file-socket.ts'
import type { Api } from '../../../lib/http.ts'
import { randomLetters } from '../../../lib/random-letters.ts'
import type { Store } from '../../../lib/store.ts'
import type { Conflict, ConflictChoice, Resolution } from '../conflicts/index.ts'
import type { Fixes, Preflight } from '../preflight/index.ts'
import { groupDrop } from './drop-groups.ts'
import { followed } from './followed-transfer.ts'
import { findGhosts, unclaimedGhosts } from './ghosts.ts'
import type { UploadWork } from './lazy-work.ts'
import { createPanelState, type PanelState } from './panel-state.ts'
import type { PreparationDeps } from './prepare-jobs.ts'
import { SessionGate } from './session-gate.ts'
import type { Sources } from './sources.ts'
import { UndoableDiscards } from './undoable-discards.ts'
import { UploadBoard } from './upload-board.ts'
import {
  createJob,
  type Failed,
  failedCount,
  failuresOf,
  hasActive,
  hasUnfinished,
  isFinished,
  takeUp,
  tryAgain,
  type UploadJob,
} from './upload-job.ts'
import type { UploadReports } from './upload-reports.ts'
import type { UploadSender } from './upload-sender.ts'
import type { Ghost, UploadsView } from './upload-views.ts'

export interface EngineDeps {
  readonly api: Api
  readonly operate: FileOperations
  readonly clock: Clock
  /** What prepares and sends, fetched with the first drop. */
  readonly loadWork: () => Promise<UploadWork>
  /** Asks about taken names; undefined as an answer takes the files back. */
  readonly askConflicts: (conflicts: readonly Conflict[]) => Promise<Resolution>
  /** Asks about everything that stands in the way of a drop; absent where only names can be in the way. */
  readonly askFixes?: (preflight: Preflight) => Promise<Fixes>
  /** Its jobs are listed as transfers of the account. */
  readonly isReported?: true
  /** Another page goes on with this upload of an earlier one here. */
  readonly onTakenOver?: (name: string) => void
  /** A job's files are there: the folder may be listed again. */
  readonly onStored: (place: Place, folder: string) => void
  /** The question about taken names was closed without an answer, so these are not uploaded. */
  readonly onTakenBack: (names: readonly string[], askAgain: () => void) => void
}

/** No two open pages of an account have the same name. */
const PAGE_LETTERS = 16

export interface AddOptions {
  /** What becomes of taken names, without a question. */
  readonly standing?: ConflictChoice | undefined
  /** The transfer that a page left, which these files go on with. */
  readonly transferId?: string
}

/** Threads beside the page that read and hash. */
const HASH_WORKERS = 2

/** How long what was canceled or discarded can be brought back: a little longer than its message is shown. */
const UNDO_MS = LIMITS.toastCustomMs + 5_000

/**
 * The queue of uploads: at most ten at work, small files in packs, and after a break it goes on by itself. It lives outside
 * the screens, so moving about, changing the language or signing in again never stops it.
 */
export class UploadEngine {
  readonly view: Store<UploadsView>
  readonly panel: Store<PanelState> = createPanelState()
  readonly #deps: EngineDeps
  readonly #session = new SessionGate()
  readonly #board: UploadBoard
  readonly #preparation: PreparationDeps
  #work: UploadWork | undefined
  /** There since the first drop. */
  #sender: UploadSender | undefined
  #reports: UploadReports | undefined
  readonly #discards = new UndoableDiscards<UploadJob | string>(UNDO_MS)
  #jobs: readonly UploadJob[] = []
  #ghosts: readonly Ghost[] = []
  #lastId = 0
  /** Tells this page from others of the same account. */
  readonly #page = randomLetters(PAGE_LETTERS)
  #sealTo = ''

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#board = new UploadBoard(deps.clock, () => ({
      jobs: this.#jobs,
      ghosts: unclaimedGhosts(this.#ghosts, this.#jobs),
      isOffline: this.#sender?.isWaiting === true || this.#session.isHalted,
    }))
    this.view = this.#board.view
    this.#preparation = {
      operate: deps.operate,
      askConflicts: deps.askConflicts,
      askFixes: deps.askFixes,
      rate: () => this.#board.lastRate,
      session: this.#session,
      isQueued: (job) => this.#jobs.includes(job),
      onChange: (job) => this.#board.touch(job),
      begin: (job) => this.#reports?.begin(job) ?? Promise.resolve(),
      onTakeBack: (jobs) => deps.onTakenBack(namesOf(jobs), this.#takeOff(jobs)),
    }
  }

  /** From now on bodies are sealed for this key of the server; '' lets them go as they are. */
  sealFor(webEncryptedKey: string): void {
    this.#sealTo = webEncryptedKey
  }

  get isActive(): boolean {
    return hasActive(this.#jobs)
  }

  /** Uploads that would be lost with the page: also the paused ones. */
  get isUnfinished(): boolean {
    return hasUnfinished(this.#jobs)
  }

  /** Queues what was dropped or chosen: a row for each file or top folder, or one for a whole handful. */
  add(place: Place, folder: string, sources: Sources, { standing, transferId }: AddOptions = {}): void {
    const jobs = groupDrop(sources).map((part) => {
      this.#lastId += 1
      const addedAt = this.#deps.clock.now()
      const job = createJob({ ...part, id: this.#lastId, folder, place, addedAt, ...(standing && { standing }) })
      if (transferId !== undefined) takeUp(job, transferId)
      return job
    })
    this.#jobs = [...this.#jobs, ...jobs]
    this.#reopenPanel()
    this.#board.show()
    void this.#prepare(jobs)
  }

  pause(id: number): void {
    this.#pauseEach(this.#jobs.filter((job) => job.id === id))
  }

  /** What a person asks for is shown with the press, not with the next picture. */
  #pauseEach(jobs: readonly UploadJob[]): void {
    for (const job of jobs) {
      if (isFinished(job)) continue
      this.#halt(job)
      void this.#reports?.wish(job)
    }
    this.#board.show()
  }

  #halt(job: UploadJob): void {
    job.isPaused = true
    job.meter.reset()
    this.#stopWork(job)
    this.#board.touch(job)
  }

  resume(id: number): void {
    this.#resumeEach(this.#jobs.filter((job) => job.id === id))
  }

  #resumeEach(jobs: readonly UploadJob[]): void {
    if (jobs.length === 0) return
    for (const job of jobs) {
      job.isPaused = false
      void this.#reports?.wish(job)
      this.#board.touch(job)
    }
    this.#reopenPanel()
    this.#sender?.pump()
    this.#board.show()
  }

  /** News of a transfer: another tab, device or administrator may have changed one of these jobs. */
  follow(transfer: TransferView): void {
    const job = this.#jobs.find(({ transferId }) => transferId === transfer.transferId)
    if (job === undefined) return
    const wanted = followed(job, transfer, this.#page)
    if (wanted !== undefined) job.heardAt = transfer.updatedAt
    if (wanted === 'pause') this.#halt(job)
    else if (wanted === 'resume') {
      job.isPaused = false
      this.#board.touch(job)
      this.#sender?.pump()
    } else if (wanted === 'cancel') this.#drop(job)
    else if (wanted === 'lose') this.#lose(job)
  }

  /** The server, or another page, has what there is of it. */
  #drop(job: UploadJob): void {
    this.#jobs = this.#jobs.filter((other) => other !== job)
    this.#stopWork(job)
    this.#board.forget(job)
    this.#board.show()
  }

  #lose(job: UploadJob): void {
    if (!this.#jobs.includes(job)) return
    job.isLost = true
    this.#drop(job)
    this.#deps.onTakenOver?.(job.name)
  }

  /** Takes a job back; a little later what is not finished goes from the server too. @returns the undo */
  cancel(id: number): () => void {
    return this.#takeOff(this.#jobs.filter((job) => job.id === id))
  }

  retry(id: number): void {
    this.#retryEach(this.#jobs.filter((job) => job.id === id))
  }

  #retryEach(jobs: readonly UploadJob[]): void {
    if (jobs.length === 0) return
    for (const job of jobs) {
      tryAgain(job)
      this.#board.touch(job)
    }
    this.#reopenPanel()
    this.#board.show()
    for (const job of jobs) void this.#prepare([job])
  }

  pauseAll(): void {
    this.#pauseEach(this.#jobs)
  }

  resumeAll(): void {
    this.#resumeEach(this.#jobs.filter(({ isPaused }) => isPaused))
  }

  /** @returns the undo */
  cancelAll(): () => void {
    return this.#takeOff(this.#jobs.filter((job) => !isFinished(job)))
  }

  retryAll(): void {
    this.#retryEach(this.#jobs.filter((job) => failedCount(job) > 0))
  }

  /** What of a job failed so far. */
  failures(id: number): readonly Failed[] {
    const job = this.#jobs.find((each) => each.id === id)
    return job === undefined ? [] : failuresOf(job)
  }

  /** Puts the panel away; what is not finished stays in the list of transfers. */
  closePanel(): void {
    this.panel.update((state) => ({ ...state, isClosed: true }))
    this.clear()
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
    this.#sender?.stopWaiting()
    this.#board.show()
  }

  /** Somebody is signed in again. Another person does not inherit the queue. */
  async begin(isSamePerson: boolean): Promise<void> {
    if (!isSamePerson) {
      this.#jobs = []
      this.#ghosts = []
      this.#discards.clear()
    }
    this.#session.begin()
    this.#board.show()
    this.#sender?.pump()
    await this.#lookForGhosts()
  }

  /** The network or the server is back: do not wait for the next try. */
  wake(): void {
    if (this.#sender?.stopWaiting() === true) this.#sender.pump()
  }

  /** Discards an unfinished upload of an earlier page. @returns the undo */
  forget(uploadId: string): () => void {
    const forgotten = this.#ghosts.filter((ghost) => ghost.uploadId === uploadId)
    this.#ghosts = this.#ghosts.filter((ghost) => ghost.uploadId !== uploadId)
    this.#discards.add(uploadId, () => {
      if (unclaimedGhosts(forgotten, this.#jobs).length === 0) return
      // Without an answer it expires on the server by itself.
      this.#deps.api.call(routes.uploads.abortTwin, { params: { uploadId } }).catch(() => undefined)
    })
    this.#board.show()
    return () => {
      if (!this.#discards.undo(uploadId)) return
      this.#ghosts = [...this.#ghosts, ...forgotten]
      this.#board.show()
    }
  }

  async #lookForGhosts(): Promise<void> {
    const found = await findGhosts(this.#deps.api)
    this.#ghosts = found.filter(({ uploadId }) => !this.#discards.has(uploadId))
    this.#board.show()
  }

  #reopenPanel(): void {
    if (this.panel.get().isClosed) this.panel.update((state) => ({ ...state, isClosed: false }))
  }

  #takeOff(jobs: readonly UploadJob[]): () => void {
    this.#jobs = this.#jobs.filter((job) => !jobs.includes(job))
    for (const job of jobs) {
      this.#stopWork(job)
      this.#board.forget(job)
      // Without that code nothing of the job can be on the server.
      this.#discards.add(job, () => {
        this.#work?.abandonJob(this.#deps.api, job, this.#jobs)
        this.#reports?.cancel(job)
      })
    }
    this.#board.show()
    this.#sender?.pump()
    return () => this.#putBack(jobs.filter((job) => this.#discards.undo(job)))
  }

  #putBack(jobs: readonly UploadJob[]): void {
    for (const job of jobs) job.isScanning = true
    this.#jobs = [...this.#jobs, ...jobs]
    this.#reopenPanel()
    this.#board.show()
    void this.#prepare(jobs)
  }

  #stopWork(job: UploadJob): void {
    job.abort.abort(new DOMException('stopped', 'AbortError'))
    job.abort = new AbortController()
  }

  async #prepare(jobs: readonly UploadJob[]): Promise<void> {
    const { work, sender } = await this.#workshop()
    await work.prepareJobs(this.#preparation, jobs, (job) => {
      if (isFinished(job)) this.#finished(job)
    })
    sender.pump()
  }

  async #workshop() {
    const work = await this.#deps.loadWork()
    this.#work = work
    if (this.#deps.isReported === true) {
      this.#reports ??= new work.UploadReports({
        api: this.#deps.api,
        jobs: () => this.#jobs,
        mayGoOn: () => this.#ghosts.length > 0,
        page: this.#page,
        onTakenOver: (job) => this.#lose(job),
        onAnswer: (transfer) => this.follow(transfer),
      })
    }
    this.#sender ??= new work.UploadSender({
      ...this.#deps,
      hashes: work.createHashPool(HASH_WORKERS),
      session: this.#session,
      board: this.#board,
      jobs: () => this.#jobs,
      isGivenUp: (job) => job.isLost !== true && !this.#jobs.includes(job) && !this.#discards.has(job),
      onFinished: (job) => this.#finished(job),
      sealTo: () => this.#sealTo,
    })
    return { work, sender: this.#sender }
  }

  #finished(job: UploadJob): void {
    this.#reports?.report(job)
    if (job.completed + job.emptyFolders.length > 0) this.#deps.onStored(job.place, job.folder)
    const mine = new Set(job.items.map(({ upload }) => upload?.id))
    this.#ghosts = this.#ghosts.filter(({ uploadId }) => !mine.has(uploadId))
  }
}

function namesOf(jobs: readonly UploadJob[]): readonly string[] {
  return jobs.map(({ name }) => name)
}
