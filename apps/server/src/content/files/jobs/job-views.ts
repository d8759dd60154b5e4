import { errorText, type Locale } from '@godwit/i18n'
import type { ErrorName, JobView } from '@godwit/contract'
import type { AnyJob } from '../../../kernel/queue/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Undoable } from './made.ts'

/** What a file job shows; kept as JSON with the job. */
export interface FileProgress extends Undoable {
  readonly doneFiles: number
  readonly totalFiles: number
  readonly doneBytes: number
  readonly totalBytes: number
  readonly current: string
  readonly failures: ReadonlyArray<{ readonly path: string; readonly code: ErrorName }>
  /** Entries that were put into the recycle bin. */
  readonly recycleIds?: readonly string[]
}

export const NO_PROGRESS: FileProgress = {
  doneFiles: 0,
  totalFiles: 0,
  doneBytes: 0,
  totalBytes: 0,
  current: '',
  failures: [],
}

/** Failures shown of one job. */
export const FAILURES_MAX = 100

const FILE_JOB_KINDS = ['copy', 'move', 'remove', 'restore', 'purge', 'pack', 'unpack'] as const
type FileJobKind = (typeof FILE_JOB_KINDS)[number]

export function isFileJob(job: AnyJob): job is Extract<AnyJob, { kind: FileJobKind }> {
  return FILE_JOB_KINDS.some((kind) => kind === job.kind)
}

/** A job in its owner's language. A job in which every entry failed has failed. */
export function presentJob(job: AnyJob, locale: Locale): JobView {
  if (!isFileJob(job)) throw new Error(`not a file job: ${job.kind}`)
  const { failures, recycleIds: _ids, emptied: _emptied, made, ...progress } = job.progress
  const hasFailed = job.state === 'completed' && failures.length > 0
  return {
    jobId: job.id,
    kind: job.kind,
    state: hasFailed ? 'failed' : job.state,
    ...progress,
    ...(made === undefined || ('isOneWay' in job.payload && job.payload.isOneWay) ? {} : { canUndo: true }),
    failures: failures.map(({ path, code }) => {
      const { wire } = new AppError(code)
      return { path, code: wire, message: errorText(locale, code, { groupId: job.payload.groupId }) }
    }),
  }
}
