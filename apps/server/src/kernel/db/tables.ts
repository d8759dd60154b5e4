import type { Generated } from 'kysely'

/**
 * Every table of the database. Only the kernel's own stand here: a feature adds its tables beside its store by
 * declaration merging (`declare module '../../kernel/db/tables.ts'`), so that the kernel names no feature.
 */
export interface Tables {
  /** Small durable facts of the installation, by name. */
  readonly facts: FactsTable
  readonly outbox: OutboxTable
}

interface FactsTable {
  name: string
  value: string
}

interface OutboxTable {
  /** Order of commit. */
  seq: Generated<number>
  type: string
  payload: string
  created_at: number
}
