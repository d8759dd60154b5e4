import type { Selectable } from 'kysely'

interface OperationLogTable {
  /** From 1 on, without gaps. */
  seq: number
  at: number
  /** '' for the operator's command and the server itself. */
  actor_id: string
  /** Account as it was called then. */
  actor: string
  door: string
  address: string
  user_agent: string
  request_id: string
  /** As the route declares it: `user.edit`. */
  operation: string
  target_kind: string
  target_id: string
  target: string
  /** `ok`, or the name of the error. */
  result: string
  /** JSON of what was changed, as it was and as it is; secrets are masked. '' when there is nothing to show. */
  state_before: string
  state_after: string
  /** Of the row before; '' in the first. */
  previous_hash: string
  /** SHA-256 over everything above. */
  hash: string
}

/** One row: the end of the chain. */
interface OperationLogHeadTable {
  id: number
  seq: number
  hash: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly operation_log: OperationLogTable
    readonly operation_log_head: OperationLogHeadTable
  }
}

export type OperationRow = Selectable<OperationLogTable>
