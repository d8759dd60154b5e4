import type { ConflictPolicy } from '@godwit/contract'
import type { ConflictChoice } from '../conflicts/index.ts'
import type { Place } from '../../../lib/file-socket.ts'
import { SourceGone } from './source-gone.ts'
import { createRateMeter, type RateMeter } from './rate-meter.ts'
import type { SourceFile } from './source-file.ts'

export type ItemState = 'pending' | 'active' | 'processing' | 'completed' | 'skipped' | 'failed'

/** One file on its way. Mutable: there may be ten thousand, and only the job's sums are shown. */
export interface UploadItem {
  source: SourceFile
  readonly size: number
  state: ItemState
  /** Bytes that left; falls back when a part must be sent again. */
  sent: number
  conflict: ConflictPolicy
  /** What becomes of a taken name was chosen before. */
  isSettled?: true
  /** How often sending broke off so that it is unknown whether the server finished it. */
  doubts: number
  upload?: { readonly id: string; readonly grant: string }
  error?: unknown
}

/** A file or an empty folder that did not arrive, and why. */
export interface Failed {
  /** Below the job's folder. */
  readonly path: string
  readonly error: unknown
}

export type JobState =
  | 'scanning'
  | 'waiting'
  | 'active'
  | 'offline'
  | 'paused'
  | 'processing'
  | 'completed'
  | 'skipped'
  | 'failed'

/** One row of the panel: a file, or a folder or handful of files that came in one go. */
export interface UploadJob {
  readonly id: number
  readonly name: string
  readonly isGroup: boolean
  readonly folder: string
  readonly place: Place
  readonly items: readonly UploadItem[]
  readonly emptyFolders: readonly string[]
  /** What of the drop the browser could not even list; another try cannot help, so it stays reported. */
  readonly unreadable: readonly string[]
  readonly bytes: number
  readonly addedAt: number
  readonly meter: RateMeter
  isScanning: boolean
  isPaused: boolean
  /** Where to look for the next pending item; everything before it is taken. */
  cursor: number
  sent: number
  /** The most that `sent` has been: what is shown never goes back. */
  sentPeak: number
  /** Of `sent`, what did not move now: found on the server, or given up. Rates leave it out. */
  unmoved: number
  active: number
  processing: number
  completed: number
  skipped: number
  failed: number
  /** Empty folders that could not be made; they are no items. */
  folderFaults: readonly Failed[]
  abort: AbortController
  /** Why it has to wait and try again. */
  obstacle?: unknown
  /** Its line in the list of transfers; absent while it has none. */
  transferId?: string
  /** It goes on with a line that another page began. */
  isTakenUp?: true
  /** Another page goes on with it: nothing of it is this page's to give up. */
  isLost?: true
  /** Pausing or resuming that the server has not answered yet. */
  isWishing?: true
  /** When the server last changed the line at the wish of this page, Unix milliseconds. */
  heardAt: number
  /** Chosen for all taken names of the drop that this job came with. */
  standing?: ConflictChoice
}

export interface NewJob {
  readonly id: number
  readonly name: string
  readonly isGroup: boolean
  readonly folder: string
  readonly place: Place
  readonly sources: readonly SourceFile[]
  readonly emptyFolders: readonly string[]
  readonly unreadable?: readonly string[]
  readonly addedAt: number
  readonly standing?: ConflictChoice
}

export function createJob({ sources, unreadable = [], ...job }: NewJob): UploadJob {
  const items = sources.map((source): UploadItem => ({
    source,
    size: source.isIgnored === true ? 0 : (source.sent ?? source.file).size,
    state: source.isIgnored === true ? 'skipped' : 'pending',
    sent: 0,
    conflict: 'fail',
    doubts: 0,
  }))
  return {
    ...job,
    items,
    unreadable,
    bytes: items.reduce((sum, { size }) => sum + size, 0),
    meter: createRateMeter(),
    isScanning: true,
    isPaused: false,
    cursor: 0,
    sent: 0,
    sentPeak: 0,
    unmoved: 0,
    active: 0,
    processing: 0,
    completed: 0,
    skipped: items.filter(({ state }) => state === 'skipped').length,
    failed: 0,
    folderFaults: [],
    heardAt: 0,
    abort: new AbortController(),
  }
}

/** It goes on with a line of the list. News of the page before says nothing until the server has answered that this one does. */
export function takeUp(job: UploadJob, transferId: string): void {
  job.transferId = transferId
  job.isTakenUp = true
  job.heardAt = Infinity
}

const COUNTED = {
  pending: undefined,
  active: 'active',
  processing: 'processing',
  completed: 'completed',
  skipped: 'skipped',
  failed: 'failed',
} as const

/** Changes an item's state and keeps the job's counts true. */
export function setItemState(job: UploadJob, item: UploadItem, state: ItemState): void {
  const before = COUNTED[item.state]
  const after = COUNTED[state]
  if (before !== undefined) job[before] -= 1
  if (after !== undefined) job[after] += 1
  item.state = state
  if (state === 'pending') job.cursor = Math.min(job.cursor, job.items.indexOf(item))
}

export function setItemSent(job: UploadJob, item: UploadItem, sent: number): void {
  job.sent += sent - item.sent
  job.sentPeak = Math.max(job.sentPeak, job.sent)
  item.sent = sent
}

/** Where an item stands without a byte having moved: what the server has of it already, or what must be sent again. */
export function setItemStanding(job: UploadJob, item: UploadItem, sent: number): void {
  job.unmoved += sent - item.sent
  setItemSent(job, item, sent)
}

/** Another try of what failed: it begins anew, with the check of its names, and is shown to. */
export function tryAgain(job: UploadJob): void {
  for (const item of job.items) {
    if (item.state !== 'failed') continue
    setItemStanding(job, item, 0)
    delete item.error
    setItemState(job, item, 'pending')
  }
  job.sentPeak = job.sent
  job.folderFaults = []
  job.isScanning = true
}

/** Bytes that left this page for the job; never goes back by what must be sent again. */
export function movedBytes({ sent, unmoved }: UploadJob): number {
  return sent - unmoved
}

export function doneCount(job: UploadJob): number {
  return job.completed + job.skipped + job.failed
}

/** Left out by a rule or by choice. What an earlier page has sent is found and skipped, too, and was not left out. */
export function leftOutCount({ items, skipped, isTakenUp }: UploadJob): number {
  return isTakenUp === true ? items.filter(({ source }) => source.isIgnored === true).length : skipped
}

/** Everything of the job that failed, folders and what could not be read included. */
export function failedCount(job: UploadJob): number {
  return job.failed + job.folderFaults.length + job.unreadable.length
}

export function failuresOf({ items, folderFaults, unreadable }: UploadJob): readonly Failed[] {
  const failed = items.filter(({ state }) => state === 'failed')
  return [
    ...failed.map(({ source, error }) => ({ path: source.shownAs ?? source.relativePath, error })),
    ...folderFaults,
    ...unreadable.map((path) => ({ path, error: new SourceGone() })),
  ]
}

export function isFinished(job: UploadJob): boolean {
  return !job.isScanning && doneCount(job) === job.items.length
}

/** Something is being sent, or waits to be. */
export function hasActive(jobs: readonly UploadJob[]): boolean {
  return jobs.some((job) => !isFinished(job) && !job.isPaused)
}

/** Something would be lost with the page: also what is paused. */
export function hasUnfinished(jobs: readonly UploadJob[]): boolean {
  return jobs.some((job) => !isFinished(job))
}

/** Somebody sends, hashes or completes it at the moment. */
export function isAtWork({ state }: UploadItem): boolean {
  return state === 'active' || state === 'processing'
}

/** @param isOffline the server cannot be reached at the moment */
export function jobState(job: UploadJob, isOffline: boolean): JobState {
  if (job.isScanning) return 'scanning'
  if (isFinished(job)) {
    if (failedCount(job) > 0) return 'failed'
    return job.skipped > 0 && job.completed === 0 ? 'skipped' : 'completed'
  }
  if (job.isPaused) return 'paused'
  if (isOffline) return 'offline'
  if (job.processing > 0 && job.active === 0 && job.cursor >= job.items.length) return 'processing'
  return job.active + job.processing > 0 ? 'active' : 'waiting'
}

/** The next pending item at or after the job's cursor, which moves on to it. */
export function nextPending(job: UploadJob): UploadItem | undefined {
  while (job.cursor < job.items.length && job.items[job.cursor]?.state !== 'pending') job.cursor += 1
  return job.items[job.cursor]
}
