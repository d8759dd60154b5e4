import { createHash } from 'node:crypto'
import type { OperationRow } from './operation-log.schema.ts'

/** What is shown in place of a secret: that there is one, never which. */
export const MASK = '***'
const SECRET = /password|secret|token|hash|key$|credential|connectionstring/i

/** Replaces the values of fields whose names say that they are secrets, at any depth. */
export function maskSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskSecrets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      SECRET.test(name) && typeof held !== 'boolean' ? MASK : maskSecrets(held),
    ]),
  )
}

export type UnsealedRow = Omit<OperationRow, 'hash'>

/** The hash that seals a row to the one before it. The order of the fields is part of the format. */
export function hashOf(row: UnsealedRow): string {
  const fields = [
    ...[Number(row.seq), Number(row.at), row.actor_id, row.actor, row.door, row.address, row.user_agent],
    ...[row.request_id, row.operation, row.target_kind, row.target_id, row.target, row.result],
    ...[row.state_before, row.state_after, row.previous_hash],
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

/** @returns what breaks the chain at this row, or undefined */
export function chainFault(
  row: OperationRow,
  previous: Pick<OperationRow, 'seq' | 'hash'> | undefined,
): 'changed' | 'gap' | 'order' | undefined {
  if (hashOf(row) !== row.hash) return 'changed'
  if (previous === undefined) return undefined
  if (Number(row.seq) !== Number(previous.seq) + 1) return 'gap'
  return row.previous_hash === previous.hash ? undefined : 'order'
}
