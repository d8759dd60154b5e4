import type { ObjectStore } from '@godwit/storage'
import type { Clock } from '@godwit/base'
import type { Storages } from '../../foundation/storages/index.ts'
import type { Queue } from '../../kernel/queue/index.ts'
import type { Origin } from '../file-events/index.ts'
import type { Intake } from '../intake/index.ts'
import type { RecycleDeps } from '../recycle/index.ts'
import type { RemovedAccountRow } from './removals.schema.ts'

declare module '../../kernel/queue/jobs.ts' {
  interface Jobs {
    /** Sees to the files of an account that was removed. */
    readonly 'account-files': { readonly payload: RemovalPayload; readonly progress: RemovalProgress }
  }
}

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    /** The files of a removed account are deleted, or are another account's; `folders` are their paths there. */
    readonly 'account.files-settled': {
      readonly accountId: string
      readonly account: string
      /** '' when they were deleted. */
      readonly toId: string
      readonly folders: readonly string[]
      readonly bytes: number
      readonly at: number
    }
  }
}

export interface RemovalPayload {
  readonly accountId: string
  readonly origin: Origin
}

export interface RemovalProgress {
  readonly bytes: number
}

/** What the job needs. */
export interface RemovalJobDeps extends Omit<RecycleDeps, 'queue'> {
  readonly clock: Clock
  readonly queue: Queue
  readonly storages: Storages
  readonly intake: Pick<Intake, 'endAllOf'>
}

/** One run of the job. */
export interface Settling {
  readonly row: RemovedAccountRow
  readonly jobId: string
  readonly origin: Origin
  readonly signal: AbortSignal
  /** Places, counted from 0, that this job has taken over already. */
  readonly taken: ReadonlySet<number>
}

/** Where an account has personal files. */
export interface HomePlace {
  readonly spaceId: number
  readonly store: ObjectStore
  /** Of its home. */
  readonly key: string
}
