import type { Generated } from 'kysely'

/**
 * Every table of the database. Only the kernel's own stand here: a feature adds its tables beside its store by
 * declaration merging (`declare module '../../kernel/db/tables.ts'`), so that the kernel names no feature.
 */
export interface Tables {
  /** Small durable facts of the installation, by name. */
  readonly facts: FactsTable
  readonly outbox: OutboxTable
  readonly leases: LeasesTable
  readonly call_counts: CallCountsTable
  readonly bus_messages: BusMessagesTable
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

interface LeasesTable {
  /** SHA-256 of scope and name, in hex: names may be longer than a key. */
  id: string
  /** SHA-256 of the scope. */
  scope: string
  name: string
  /** '' when nobody holds it. */
  owner: string
  value: string
  /** Grows with every holder. */
  token: number
  /** Until when, Unix milliseconds of the database's clock; of a lease that nobody holds, when it was given back. */
  expires_at: number
}

interface CallCountsTable {
  /** SHA-256 of rule and caller, in hex: addresses of people are not kept. */
  id: string
  calls: number
  /** Unix milliseconds of the database's clock. */
  ends_at: number
}

interface BusMessagesTable {
  /** In order of insertion; a lower one may be committed later. */
  seq: Generated<number>
  node: string
  text: string
  /** Unix milliseconds of the database's clock. */
  created_at: number
}
