import type { Generated } from 'kysely'

/**
 * Every table of the database. Only the kernel's own stand here: a feature adds its tables beside its store by
 * declaration merging (`declare module '../../kernel/db/tables.ts'`), so that the kernel names no feature.
 */
export interface Tables {
  /** Small durable facts of the installation, by name. */
  readonly facts: FactsTable
  readonly outbox: OutboxTable
  readonly outbox_sequence: OutboxSequenceTable
  readonly outbox_subscribers: OutboxSubscribersTable
  readonly outbox_parked: OutboxParkedTable
  readonly leases: LeasesTable
  readonly call_counts: CallCountsTable
  readonly bus_messages: BusMessagesTable
}

interface FactsTable {
  name: string
  value: string
}

interface OutboxTable {
  /** Order of insertion; a lower one may be committed later. */
  seq: Generated<number>
  /** Order of delivery, given once the row is committed; null until then. */
  position: Generated<number | null>
  type: string
  payload: string
  created_at: number
}

/** One row, whose lock makes the order of delivery. */
interface OutboxSequenceTable {
  id: number
  /** The last one given. */
  position: number
}

interface OutboxSubscribersTable {
  name: string
  /** Everything up to it is handled or parked. */
  position: number
  /** The node that delivers, '' when none. */
  lease_owner: string
  /** Unix milliseconds of the database's clock, as the other times here. */
  lease_until: number
  /** Failed tries of the next event. */
  attempts: number
  /** Not before. */
  retry_at: number
  /** Of the last failed try, '' after a success. */
  error: string
  /** When a node last had this subscriber. */
  seen_at: number
}

interface OutboxParkedTable {
  subscriber: string
  position: number
  type: string
  payload: string
  error: string
  attempts: number
  created_at: number
  parked_at: number
  /** 1: to be tried again. */
  retry: number
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
