import { Semaphore } from '@godwit/base'
import { LIMITS } from '@godwit/contract/limits'
import { routes } from '@godwit/contract/table'
import type { FileOperations } from '../../../lib/file-operations.ts'
import { type Api, isFailure, isTransient } from '../../../lib/http.ts'
import type { HashPool } from './hash-pool.ts'
import { SourceGone } from './source-gone.ts'
import { sendFile } from './send-file.ts'
import { goesInPack, sendPack, takePack } from './send-pack.ts'
import type { SessionGate } from './session-gate.ts'
import type { UploadBoard } from './upload-board.ts'
import {
  isAtWork,
  isFinished,
  nextPending,
  setItemStanding,
  setItemState,
  type UploadItem,
  type UploadJob,
} from './upload-job.ts'

export interface SenderDeps {
  readonly api: Api
  readonly operate: FileOperations
  readonly hashes: HashPool
  readonly session: SessionGate
  readonly board: UploadBoard
  /** The queue as it is now; what was taken back is not in it any more. */
  readonly jobs: () => readonly UploadJob[]
  /** The job was taken back for good. */
  readonly isGivenUp: (job: UploadJob) => boolean
  readonly onFinished: (job: UploadJob) => void
  /** The key of the server that bodies are sealed for; '' when they go as they are. */
  readonly sealTo: () => string
}

/** Browsers open six connections to a server; one stays free for everything that is not bytes. */
const CONNECTIONS = 5
const RETRY_MS = [1_000, 2_000, 4_000, LIMITS.reconnectMs] as const

/** Sends what the queue holds: at most ten units at once, small files in packs, again and again after a break. */
export class UploadSender {
  readonly #deps: SenderDeps
  readonly #connections = new Semaphore(CONNECTIONS)
  #working = 0
  #retries = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined

  constructor(deps: SenderDeps) {
    this.#deps = deps
  }

  /** The server could not be reached, and the next try is not due yet. */
  get isWaiting(): boolean {
    return this.#retryTimer !== undefined
  }

  /** The next try is not waited for any more. @returns false when none was due */
  stopWaiting(): boolean {
    const wasWaiting = this.isWaiting
    clearTimeout(this.#retryTimer)
    this.#retryTimer = undefined
    return wasWaiting
  }

  /** Starts work until ten units run. */
  pump(): void {
    if (this.#deps.session.isHalted || this.#retryTimer !== undefined) return
    while (this.#working < LIMITS.uploadsInParallel) {
      const unit = this.#nextUnit()
      if (unit === undefined) break
      void this.#work(unit.job, unit.items)
    }
  }

  #nextUnit(): { readonly job: UploadJob; readonly items: readonly UploadItem[] } | undefined {
    for (const job of this.#deps.jobs()) {
      if (job.isPaused || job.isScanning) continue
      const first = nextPending(job)
      if (first === undefined) continue
      if (goesInPack(first)) return { job, items: takePack(job, first) }
      job.cursor += 1
      return { job, items: [first] }
    }
    return undefined
  }

  async #work(job: UploadJob, items: readonly UploadItem[]): Promise<void> {
    this.#working += 1
    const { signal } = job.abort
    for (const item of items) setItemState(job, item, 'active')
    this.#deps.board.touch(job)
    const deps = {
      ...this.#deps,
      connections: this.#connections,
      onChange: (changed: UploadJob) => this.#deps.board.touch(changed),
    }
    try {
      const [first] = items
      if (items.length === 1 && first !== undefined && !goesInPack(first)) await sendFile(deps, job, first, signal)
      else await sendPack(deps, job, items, signal)
      this.#retries = 0
      delete job.obstacle
    } catch (error) {
      await this.#broke(job, items, signal, error)
    } finally {
      this.#working -= 1
      this.#deps.board.touch(job)
      if (isFinished(job)) this.#deps.onFinished(job)
      this.pump()
    }
  }

  /** Stopped by hand: it waits. Out of reach: it is tried again. Refused: it failed, and says why. */
  async #broke(job: UploadJob, items: readonly UploadItem[], signal: AbortSignal, thrown: unknown): Promise<void> {
    const error = signal.aborted ? thrown : await trueCause(items, thrown)
    const isSessionOver = isFailure(error, 'TOKEN_INVALID')
    const waits = signal.aborted || isSessionOver || isTransient(error)
    const isGivenUp = this.#deps.isGivenUp(job)
    for (const item of items) {
      if (!isAtWork(item)) continue
      if (isGivenUp) abandonUpload(this.#deps.api, item)
      item.doubts += 1
      if (!waits) item.error = error
      setItemState(job, item, waits ? 'pending' : 'failed')
      if (waits && goesInPack(item)) setItemStanding(job, item, 0)
    }
    if (signal.aborted || !waits) return
    job.obstacle = error
    this.#waitAndRetry()
  }

  #waitAndRetry(): void {
    if (this.#retryTimer !== undefined || this.#deps.session.isHalted) return
    const wait = RETRY_MS[Math.min(this.#retries, RETRY_MS.length - 1)] ?? LIMITS.reconnectMs
    this.#retries += 1
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined
      this.pump()
    }, wait)
    this.#deps.board.resetRates()
    this.#deps.board.show()
  }
}

/** A file that vanished looks to the browser like a broken connection; reading it distinguishes the two. */
async function trueCause([item]: readonly UploadItem[], error: unknown): Promise<unknown> {
  if (item === undefined || !isTransient(error)) return error
  try {
    await item.source.file.slice(0, 1).arrayBuffer()
    return error
  } catch (unreadable) {
    return new SourceGone({ cause: unreadable })
  }
}

/**
 * Gives up on the server what of a job is not finished; what is at work gives itself up when it stops, and what another
 * job of the same file has taken up since stays.
 */
export function abandonJob(api: Api, { items }: UploadJob, others: readonly UploadJob[]): void {
  const taken = new Set(others.flatMap((job) => job.items.map(({ upload }) => upload?.id)))
  for (const item of items) {
    if (item.state !== 'completed' && !isAtWork(item) && !taken.has(item.upload?.id)) abandonUpload(api, item)
  }
}

/** Gives an upload up on the server; without an answer it expires there by itself. */
function abandonUpload(api: Api, { upload }: UploadItem): void {
  if (upload === undefined) return
  const { id: uploadId, grant: token } = upload
  api.call(routes.uploads.abortTwin, { params: { uploadId } }, { token }).catch(() => undefined)
}
