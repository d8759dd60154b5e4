import type { SpaceMoveView } from '@godwit/contract'
import type { Selectable } from 'kysely'

/** One move for each space; the next one takes its place. */
interface SpaceMovesTable {
  space_id: number
  to_storage: number
  task: SpaceMoveView['task']
  /** The job that does it, or did it last. */
  job_id: string
  /** `ordered`: the next start of the server carries the switch out. */
  state: SpaceMoveView['state'] | 'ordered'
  /** Name of the error it failed with, or waits because of; '' when all is well. */
  error: string
  /** JSON: how far it had come when it ended; the job has what is newer. */
  progress: string
  /** Unix milliseconds, as `changed_at`. */
  started_at: number
  changed_at: number
  /** 1 when the switch paused the server, which then takes everything again afterwards. */
  paused_server: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly space_moves: SpaceMovesTable
  }
}

export type SpaceMoveRow = Selectable<SpaceMovesTable>
