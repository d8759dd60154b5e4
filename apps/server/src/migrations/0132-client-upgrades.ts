import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** What became of the last upgrade of a device's client. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    for (const name of ['upgrade_version', 'upgrade_reason'])
      await db.schema
        .alterTable('client_devices')
        .addColumn(name, 'varchar(20)', (column) => column.notNull().defaultTo(''))
        .execute()
  },
}
