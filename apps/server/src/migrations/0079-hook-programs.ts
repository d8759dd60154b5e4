import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** Hooks that run a program of the server in place of calling an address. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const columns = [
      ['kind', 'varchar(16)', 'webhook'],
      ['program', 'varchar(255)', ''],
      ['command_line', 'varchar(1000)', ''],
      ['wait_seconds', 'integer', 30],
    ] as const
    for (const [name, type, byDefault] of columns) {
      await db.schema
        .alterTable('hooks')
        .addColumn(name, type, (column) => column.notNull().defaultTo(byDefault))
        .execute()
    }
  },
}
