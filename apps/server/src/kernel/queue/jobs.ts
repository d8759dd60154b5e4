import type { JobRow, JobState } from './queue.schema.ts'

/**
 * Every kind of job with what it keeps. A feature adds its own by declaration merging
 * (`declare module '../../kernel/queue/jobs.ts'`). Both parts are stored as JSON.
 */
export interface Jobs {}

/** What a kind of job keeps. */
export interface JobShape {
  /** What to do, and from where to go on after a restart. */
  readonly payload: unknown
  /** What its owner sees. */
  readonly progress: unknown
}

export type JobKind = keyof Jobs
type Part<Kind extends JobKind, Name extends keyof JobShape> = Jobs[Kind] extends JobShape ? Jobs[Kind][Name] : never

/** A job as its owner and its handler know it. */
export interface Job<Payload = unknown, Progress = unknown> {
  readonly id: string
  readonly kind: JobKind
  readonly ownerId: string
  readonly state: JobState
  readonly payload: Payload
  readonly progress: Progress
  /** 1 at the first run; more after a restart or a failure. */
  readonly attempts: number
}

export type JobOf<Kind extends JobKind> = Job<Part<Kind, 'payload'>, Part<Kind, 'progress'>> & { readonly kind: Kind }
/** A job of any kind; its `kind` tells which. */
export type AnyJob = { readonly [Kind in JobKind]: JobOf<Kind> }[JobKind]

export interface NewJob<Kind extends JobKind> {
  readonly kind: Kind
  readonly ownerId: string
  readonly payload: Part<Kind, 'payload'>
  readonly progress: Part<Kind, 'progress'>
  /** Longest time until it must have ended. */
  readonly deadlineMs?: number
}

/** What is stored was typed when it was added: this is the one place that believes it. */
export function toJob(row: JobRow): AnyJob {
  const job = {
    id: row.id,
    kind: row.kind,
    ownerId: row.owner_id,
    state: row.state,
    payload: JSON.parse(row.payload) as unknown,
    progress: JSON.parse(row.progress) as unknown,
    attempts: row.attempts,
  }
  return job as AnyJob
}
