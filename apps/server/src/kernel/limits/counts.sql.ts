import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { databaseNow, inTransaction, type Database } from '../db/index.ts'
import type { CallCounts } from './limits.ts'

export function createSqlCounts({ db, dialect }: Database): CallCounts {
  const now = databaseNow(dialect)
  return {
    add: ({ name, periodMs }, caller) =>
      inTransaction(db, async (tx) => {
        const id = createHash('sha256').update(`${name}\0${caller}`).digest('hex')
        const first = sql`insert into call_counts (id, calls, ends_at) values (${id}, 1, ${now} + ${periodMs})`
        // MySQL assigns from left to right and sees what it has just assigned; SQLite sees the row as it was.
        const again = sql`calls = case when ends_at <= ${now} then 1 else calls + 1 end,
          ends_at = case when ends_at <= ${now} then ${now} + ${periodMs} else ends_at end`
        await (
          dialect === 'mysql'
            ? sql`${first} on duplicate key update ${again}`
            : sql`${first} on conflict (id) do update set ${again}`
        ).execute(tx)
        return tx
          .selectFrom('call_counts')
          .select(['calls', sql<number>`ends_at - ${now}`.as('restMs')])
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      }),
    async sweep() {
      await db.deleteFrom('call_counts').where('ends_at', '<', now).execute()
    },
  }
}
