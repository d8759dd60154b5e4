import { isRefusal } from '../../../lib/http.ts'
import {
  doneCount,
  failedCount,
  failuresOf,
  type JobState,
  jobState,
  leftOutCount,
  type UploadJob,
} from './upload-job.ts'

/** What the panel shows of one job; a new object only when something changed. */
export interface JobView {
  readonly id: number
  readonly name: string
  readonly isGroup: boolean
  readonly folder: string
  readonly state: JobState
  readonly bytes: number
  readonly sent: number
  /** Without those left out, unless nothing else is in it. */
  readonly files: number
  /** Of them those that are there now or failed. */
  readonly done: number
  readonly arrived: number
  /** Left out by a rule or by choice. */
  readonly skipped: number
  /** A rule leaves its first file out. */
  readonly isIgnored: boolean
  readonly failed: number
  readonly rate: number | undefined
  /** Seconds. */
  readonly left: number | undefined
  readonly error: unknown
  readonly addedAt: number
  /** Its line in the list of transfers. */
  readonly transferId: string | undefined
}

export interface Totals {
  readonly files: number
  readonly done: number
  readonly failed: number
  readonly completed: number
  readonly bytes: number
  readonly sent: number
  readonly rate: number | undefined
  readonly left: number | undefined
}

/** An upload that an earlier page began: the same file, dropped again, goes on where it stood. */
export interface Ghost {
  readonly uploadId: string
  readonly name: string
  readonly folder: string
  readonly bytes: number
  readonly sent: number
}

export interface UploadsView {
  readonly jobs: readonly JobView[]
  readonly totals: Totals
  readonly ghosts: readonly Ghost[]
  /** Something is being sent, or waits to be. */
  readonly isActive: boolean
  readonly isPaused: boolean
}

export const NO_UPLOADS: UploadsView = {
  jobs: [],
  totals: { files: 0, done: 0, failed: 0, completed: 0, bytes: 0, sent: 0, rate: undefined, left: undefined },
  ghosts: [],
  isActive: false,
  isPaused: false,
}

const ORDER: Readonly<Record<JobState, number>> = {
  active: 0,
  scanning: 0,
  offline: 0,
  processing: 1,
  waiting: 2,
  paused: 2,
  failed: 3,
  completed: 4,
  skipped: 4,
}

export function viewOf(job: UploadJob, isOffline: boolean): JobView {
  const state = jobState(job, isOffline)
  const isMoving = state === 'active'
  const skipped = leftOutCount(job)
  const done = doneCount(job) - skipped
  return {
    id: job.id,
    name: job.name,
    isGroup: job.isGroup,
    folder: job.folder,
    state,
    bytes: job.bytes,
    sent: Math.min(job.sentPeak, job.bytes),
    files: job.items.length - skipped || job.items.length,
    done,
    arrived: done - job.failed,
    skipped,
    isIgnored: job.items[0]?.source.isIgnored === true,
    failed: failedCount(job),
    rate: isMoving ? job.meter.rate() : undefined,
    left: isMoving ? job.meter.left(job.bytes - job.sent) : undefined,
    error: errorOf(job, state),
    addedAt: job.addedAt,
    transferId: job.transferId,
  }
}

/** Why it failed; or what it waits for, when that is more than the connection. */
function errorOf(job: UploadJob, state: JobState): unknown {
  if (state === 'failed') return failuresOf(job)[0]?.error
  return state === 'offline' && isRefusal(job.obstacle) ? job.obstacle : undefined
}

/** Uploading, checking, pending, failed, uploaded; within each, newest first. */
export function sorted(jobs: readonly JobView[]): readonly JobView[] {
  return jobs.toSorted((a, b) => ORDER[a.state] - ORDER[b.state] || b.addedAt - a.addedAt || b.id - a.id)
}

export function totalsOf(jobs: readonly UploadJob[], rate: number | undefined): Totals {
  const sum = (of: (job: UploadJob) => number): number => jobs.reduce((total, job) => total + of(job), 0)
  const bytes = sum((job) => job.bytes)
  const sent = Math.min(
    bytes,
    sum((job) => job.sentPeak),
  )
  return {
    files: sum((job) => job.items.length),
    done: sum(doneCount),
    failed: sum(failedCount),
    completed: sum((job) => job.completed),
    bytes,
    sent,
    rate,
    left: rate === undefined || rate < 1 ? undefined : (bytes - sent) / rate,
  }
}

/** How much of everything has arrived, 0 to 1. */
export function share({ totals }: UploadsView): number {
  return totals.bytes === 0 ? totals.done / Math.max(1, totals.files) : totals.sent / totals.bytes
}
