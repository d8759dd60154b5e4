import type { Generated, Selectable } from 'kysely'

interface JobsTable {
  id: string
  kind: string
  /** Account it works for. */
  owner_id: string
  state: JobState
  /** JSON: what to do, and from where to go on after a restart. */
  payload: string
  /** JSON: what the owner sees. */
  progress: string
  /** 1: someone asked it to stop. */
  cancel_requested: number
  /** Process that runs it, '' when none. */
  lease_owner: string
  /** Until when nobody else may take it over, Unix milliseconds. */
  lease_until: number
  attempts: number
  /** Not before. */
  run_at: number
  /** Not after. */
  deadline_at: number
  /** Name of the error that ended it; '' while nothing has. */
  error: Generated<string>
  created_at: number
  updated_at: number
}

export type JobState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

declare module '../db/tables.ts' {
  interface Tables {
    readonly jobs: JobsTable
  }
}

export type JobRow = Selectable<JobsTable>
