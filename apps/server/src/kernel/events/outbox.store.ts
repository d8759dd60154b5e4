import type { Db } from '../db/index.ts'
import { createCursors } from './outbox.cursors.ts'
import { createEventOrder } from './outbox.order.ts'
import { createParkedEvents } from './outbox.parked.ts'

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** All SQL over the tables of the outbox, except what operators ask for. */
export function createOutboxStore(db: Db) {
  return { ...createEventOrder(db), ...createCursors(db), ...createParkedEvents(db) }
}
