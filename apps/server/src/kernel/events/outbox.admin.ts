import type { Db } from '../db/index.ts'
import type { DurableEventType } from './outbox.ts'

/** How a subscriber is getting on, for operators. */
export interface SubscriberState {
  readonly name: string
  /** Events that were placed since the last one it handled; not all of them need to be its own. */
  readonly behind: number
  /** Failed tries of its next event. */
  readonly attempts: number
  readonly error: string
  readonly parked: number
}

export interface ParkedEvent {
  readonly subscriber: string
  /** Names the event together with the subscriber. */
  readonly position: number
  readonly type: string
  readonly payload: string
  readonly error: string
  readonly attempts: number
  readonly createdAt: number
  readonly parkedAt: number
}

export async function listSubscribers(db: Db): Promise<SubscriberState[]> {
  const last = await db.selectFrom('outbox_sequence').select('position').executeTakeFirst()
  const rows = await db
    .selectFrom('outbox_subscribers')
    .select(['name', 'position', 'attempts', 'error'])
    .select((row) =>
      row
        .selectFrom('outbox_parked')
        .select((parked) => parked.fn.countAll().as('count'))
        .whereRef('outbox_parked.subscriber', '=', 'outbox_subscribers.name')
        .as('parked'),
    )
    .orderBy('name')
    .execute()
  return rows.map(({ name, position, attempts, error, parked }) => ({
    ...{ name, attempts, error },
    behind: Math.max(0, (last?.position ?? 0) - position),
    parked: Number(parked),
  }))
}

/** Whether some subscriber has still to hear of an event of these types. */
export async function hasUndelivered(db: Db, types: readonly DurableEventType[]): Promise<boolean> {
  const behind = await db
    .selectFrom('outbox')
    .select('outbox.type')
    .where('outbox.type', 'in', types)
    .where(({ eb, or, exists, selectFrom }) =>
      or([
        eb('outbox.position', 'is', null),
        exists(
          selectFrom('outbox_subscribers')
            .select('outbox_subscribers.name')
            .whereRef('outbox_subscribers.position', '<', 'outbox.position'),
        ),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return behind !== undefined
}

/** In order of delivery, at most 1,000. */
export async function listParked(db: Db): Promise<ParkedEvent[]> {
  const rows = await db.selectFrom('outbox_parked').selectAll().orderBy('position').limit(1_000).execute()
  return rows.map(({ subscriber, position, type, payload, error, attempts, created_at, parked_at }) => ({
    ...{ subscriber, position, type, payload, error, attempts },
    ...{ createdAt: created_at, parkedAt: parked_at },
  }))
}

/**
 * Has parked events tried again by a running server, within seconds.
 * @param which all of them, those of a subscriber, or one event of it
 * @returns how many
 */
export async function retryParked(
  db: Db,
  which: { readonly subscriber?: string; readonly position?: number },
): Promise<number> {
  let query = db.updateTable('outbox_parked').set({ retry: 1 })
  if (which.subscriber !== undefined) query = query.where('subscriber', '=', which.subscriber)
  if (which.position !== undefined) query = query.where('position', '=', which.position)
  return Number((await query.executeTakeFirst()).numUpdatedRows)
}
