import { LIMITS } from '@godwit/contract/limits'
import { routes } from '@godwit/contract/table'
import { ApiError } from '@godwit/contract/wire/api-error'
import type { TransferView } from '@godwit/contract'
import { type Api, isFailure } from '../../../lib/http.ts'
import { joinPath } from '../../../lib/paths.ts'
import {
  type Failed,
  failedCount,
  failuresOf,
  isFinished,
  takeUp,
  type UploadItem,
  type UploadJob,
} from './upload-job.ts'

/** The server counts a page as gone that says nothing for a minute. */
const REPORT_MS = 10_000
/** The upload does not wait longer for its line in the list. */
const BEGIN_MS = 5_000

export interface ReportsDeps {
  readonly api: Api
  readonly jobs: () => readonly UploadJob[]
  /** An earlier page left uploads that a job may go on with. */
  readonly mayGoOn: () => boolean
  /** This page, as long as it is open. */
  readonly page: string
  /** Another page goes on with the job. */
  readonly onTakenOver: (job: UploadJob) => void
  /** What the server says of a job that another tab or device may have changed. */
  readonly onAnswer: (transfer: TransferView) => void
}

/**
 * Tells the server of each job, so that other tabs and devices list it as a transfer. An upload never fails because of it: one
 * without a line in the list goes on all the same.
 */
export class UploadReports {
  readonly #deps: ReportsDeps
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(deps: ReportsDeps) {
    this.#deps = deps
    globalThis.addEventListener?.('pagehide', () => this.#leave())
  }

  /** Before the first byte: what is sent from now on counts in the transfer. */
  async begin(job: UploadJob): Promise<void> {
    if (isNothingToSend(job)) return
    try {
      const known = job.transferId ?? (this.#deps.mayGoOn() ? await this.#interrupted(job) : undefined)
      if (known === undefined) job.transferId = (await this.#new(job)).transferId
      else await this.#send(job, known, true)
    } catch {
      // Counted by the rules of the server instead: as a transfer of its own.
      delete job.transferId
    }
    this.#timer ??= setInterval(() => this.#sendAll(), REPORT_MS)
  }

  /** It is over, or begins anew. */
  report(job: UploadJob): void {
    if (job.transferId !== undefined) this.#send(job, job.transferId).catch(() => undefined)
  }

  /**
   * Paused or resumed here: the wish is the account's, wherever it is said. One after the other, and the last one holds: side by side, a
   * slow line could bring them to the server in another order.
   */
  async wish(job: UploadJob): Promise<void> {
    if (job.transferId === undefined || job.isWishing === true) return
    const input = { params: { transferId: job.transferId }, body: {} }
    const { api } = this.#deps
    job.isWishing = true
    try {
      let said: boolean
      do {
        said = job.isPaused
        const { transfer } = said
          ? await api.call(routes.transfers.pause, input)
          : await api.call(routes.transfers.resume, input)
        job.heardAt = transfer.updatedAt
      } while (said !== job.isPaused)
    } catch {
      // The next report says where it stands.
    } finally {
      delete job.isWishing
    }
  }

  /** Taken back for good: what the server has of it goes. */
  cancel({ transferId }: UploadJob): void {
    if (transferId === undefined) return
    this.#deps.api.call(routes.transfers.cancel, { params: { transferId }, body: {} }).catch(() => undefined)
  }

  async #new(job: UploadJob): Promise<TransferView> {
    const { place, folder, name } = job
    const { files, bytes } = sumsOf(job)
    const paths = wanted(job)
      .slice(0, LIMITS.failedPathsReported)
      .map(({ source }) => joinPath(folder, source.relativePath))
    const body = { ...place, folder, name, files, bytes, paths, page: this.#deps.page }
    const signal = AbortSignal.timeout(BEGIN_MS)
    return (await this.#deps.api.call(routes.transfers.begin, { body }, { signal })).transfer
  }

  /** The transfer of the same files that a closed page left: the list goes on with its line. */
  async #interrupted(job: UploadJob): Promise<string | undefined> {
    const query = { group: 'paused', direction: 'upload', text: job.name.slice(0, 100) } as const
    const { items } = await this.#deps.api.call(
      routes.transfers.list,
      { query },
      { signal: AbortSignal.timeout(BEGIN_MS) },
    )
    const busy = new Set(this.#deps.jobs().map(({ transferId }) => transferId))
    const found = items.find((item) => isSame(item, job) && !busy.has(item.transferId))
    if (found === undefined) return undefined
    takeUp(job, found.transferId)
    return found.transferId
  }

  #sendAll(): void {
    const live = this.#deps.jobs().filter((job) => job.transferId !== undefined && !isFinished(job))
    for (const job of live) this.report(job)
    if (live.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #send(job: UploadJob, transferId: string, takeOver = false): Promise<void> {
    const body = { ...sumsOf(job), state: stateOf(job), ...failuresIn(job), page: this.#deps.page, takeOver }
    try {
      const { transfer } = await this.#deps.api.call(routes.transfers.report, { params: { transferId }, body })
      if (takeOver) job.heardAt = transfer.updatedAt
      this.#deps.onAnswer(transfer)
    } catch (error) {
      if (isFailure(error, 'TRANSFER_TAKEN_OVER')) this.#deps.onTakenOver(job)
      // Taken off the list.
      if (isFailure(error, 'TRANSFER_NOT_FOUND') && job.transferId === transferId) delete job.transferId
      throw error
    }
  }

  /** The page closes: its last words outlive it. */
  #leave(): void {
    for (const job of this.#deps.jobs()) {
      if (job.transferId === undefined || isFinished(job)) continue
      const body = JSON.stringify({ ...sumsOf(job), state: 'left', ...failuresIn(job), page: this.#deps.page })
      const headers = { ...this.#deps.api.headers(), 'content-type': 'application/json' }
      const address = `/api/transfers/browser/${job.transferId}`
      fetch(address, { method: 'POST', keepalive: true, headers, body }).catch(() => undefined)
    }
  }
}

/** What is left out by a rule or by choice is no part of the transfer. */
function wanted({ items, isTakenUp }: UploadJob): readonly UploadItem[] {
  // What the page before has sent is found there and skipped, and belongs to the transfer all the same.
  const isCounted = (item: UploadItem): boolean => isTakenUp === true || item.state !== 'skipped'
  return items.filter((item) => item.source.isIgnored !== true && isCounted(item))
}

function isNothingToSend(job: UploadJob): boolean {
  return wanted(job).every(({ state }) => state === 'completed' || state === 'failed')
}

function sumsOf(job: UploadJob): { readonly files: number; readonly bytes: number } {
  const items = wanted(job)
  return { files: items.length, bytes: items.reduce((sum, { size }) => sum + size, 0) }
}

function stateOf(job: UploadJob): 'running' | 'paused' | 'ended' {
  if (isFinished(job)) return 'ended'
  return job.isPaused ? 'paused' : 'running'
}

function failuresIn(job: UploadJob) {
  const failed = failuresOf(job).slice(0, LIMITS.failedPathsReported)
  return { failures: failedCount(job), failed: failed.map((each) => failureOf(job, each)) }
}

function failureOf({ folder }: UploadJob, { path, error }: Failed) {
  const code = error instanceof ApiError ? error.name : 'SOURCE_UNREADABLE'
  return { path: joinPath(folder, path), code }
}

/** Files of one name and size in one folder are the same to a person who drops them again. */
function isSame(transfer: TransferView, job: UploadJob): boolean {
  const { door, state, spaceId, groupId, folder, name } = transfer
  const isLeft = door === 'page' && state === 'interrupted'
  const isHere = spaceId === job.place.spaceId && groupId === job.place.groupId && folder === job.folder
  return isLeft && isHere && name === job.name && transfer.bytes === job.bytes
}
