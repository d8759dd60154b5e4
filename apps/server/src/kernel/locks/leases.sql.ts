import { createHash } from 'node:crypto'
import type { Clock } from '@godwit/base'
import { sql } from 'kysely'
import { databaseNow, isDuplicate, type Database } from '../db/index.ts'
import type { Lease, LeaseStore } from './leases.ts'

export interface SqlLeasesDeps {
  readonly database: Database
  readonly clock: Clock
}

const FORGOTTEN_AFTER_MS = 3_600_000

/** One row a lease. Rows stay for an hour after use, so that tokens keep growing and a busy name is one update. */
export function createSqlLeases({ database: { db, dialect }, clock }: SqlLeasesDeps): LeaseStore {
  const now = databaseNow(dialect)
  const until = (leaseMs: number) => sql<number>`${now} + ${leaseMs}`

  /** @returns the token, or undefined when the row is missing or held */
  async function takeOver({ owner, ...lease }: Lease, value: string, leaseMs: number): Promise<number | undefined> {
    const id = idOf(lease)
    const taken = await db
      .updateTable('leases')
      .set((row) => ({ owner, value, token: row('token', '+', 1), expires_at: until(leaseMs) }))
      .where('id', '=', id)
      .where((row) => row.or([row('owner', '=', ''), row('expires_at', '<=', now)]))
      .executeTakeFirst()
    if (taken.numUpdatedRows === 0n) return undefined
    // Somebody else's when this node slept for the whole lease.
    const own = db.selectFrom('leases').select('token').where('id', '=', id).where('owner', '=', owner)
    return (await own.executeTakeFirst())?.token
  }

  /** @returns undefined when somebody holds it */
  async function insert({ owner, ...lease }: Lease, value: string, leaseMs: number): Promise<number | undefined> {
    // Later than whatever a former row of this name, forgotten an hour after its last use, can have counted up to.
    const token = clock.now()
    const row = { id: idOf(lease), scope: hash(lease.scope), name: lease.name, owner, value, token }
    try {
      await db
        .insertInto('leases')
        .values({ ...row, expires_at: until(leaseMs) })
        .execute()
      return token
    } catch (thrown) {
      if (isDuplicate(thrown)) return undefined
      throw thrown
    }
  }

  return {
    isShared: true,
    async take(lease, value, leaseMs) {
      const token = await takeOver(lease, value, leaseMs)
      if (token !== undefined) return token
      const known = await db.selectFrom('leases').select('id').where('id', '=', idOf(lease)).executeTakeFirst()
      return known === undefined ? insert(lease, value, leaseMs) : undefined
    },
    async renew({ owner, ...lease }, leaseMs) {
      const renewed = await db
        .updateTable('leases')
        .set({ expires_at: until(leaseMs) })
        .where('id', '=', idOf(lease))
        .where('owner', '=', owner)
        .executeTakeFirst()
      return renewed.numUpdatedRows > 0n
    },
    async release({ owner, ...lease }) {
      await db
        .updateTable('leases')
        .set({ owner: '', value: '', expires_at: now })
        .where('id', '=', idOf(lease))
        .where('owner', '=', owner)
        .execute()
    },
    async held(scope) {
      const rows = await db
        .selectFrom('leases')
        .select(['name', 'value'])
        .where('scope', '=', hash(scope))
        .where('owner', '<>', '')
        .where('expires_at', '>', now)
        .execute()
      return new Map(rows.map(({ name, value }) => [name, value]))
    },
    async sweep() {
      await db
        .deleteFrom('leases')
        .where('expires_at', '<', sql<number>`${now} - ${FORGOTTEN_AFTER_MS}`)
        .execute()
    },
  }
}

function idOf({ scope, name }: Pick<Lease, 'scope' | 'name'>): string {
  return hash(`${scope}\0${name}`)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
