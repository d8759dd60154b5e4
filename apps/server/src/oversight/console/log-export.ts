import type { OperationRow } from '../../foundation/operation-log/index.ts'
import { CSV_START, csvLine } from './csv.ts'

const COLUMNS = [
  'seq',
  'at',
  'actor',
  'actor_id',
  'door',
  'address',
  'operation',
  'target_kind',
  'target_id',
  'target',
  'result',
  'state_before',
  'state_after',
  'request_id',
  'user_agent',
] as const satisfies ReadonlyArray<keyof OperationRow>

export const LOG_CSV_HEAD = CSV_START + csvLine(COLUMNS)

/** One line; times as ISO 8601. */
export function operationLine(row: OperationRow): string {
  return csvLine(
    COLUMNS.map((column) => (column === 'at' ? new Date(Number(row.at)).toISOString() : String(row[column]))),
  )
}

/** The row as it is sealed, so that the chain can be verified elsewhere. */
export function jsonLine(row: OperationRow): string {
  return `${JSON.stringify({ ...row, seq: Number(row.seq), at: Number(row.at) })}\n`
}
