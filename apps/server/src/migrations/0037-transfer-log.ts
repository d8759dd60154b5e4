import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What the console shows of transfers by clients and changes about them: limits, priority, and the files that failed. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const counts = ['started_at', 'bytes_moved', 'rate_kbps', 'ceiling_kbps'] as const
    for (const name of counts) {
      await db.schema
        .alterTable('transfers')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    }
    await db.schema
      .alterTable('transfers')
      .addColumn('priority', 'varchar(8)', (column) => column.notNull().defaultTo('normal'))
      .execute()
    await db.schema.createIndex('transfers_finished').on('transfers').columns(['finished_at']).execute()
    await db.schema
      .createTable('transfer_files')
      .addColumn('transfer_id', 'varchar(32)', (column) =>
        column.notNull().references('transfers.id').onDelete('cascade'),
      )
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('code', 'varchar(64)', (column) => column.notNull())
      .addPrimaryKeyConstraint('transfer_files_pk', ['transfer_id', 'seq'])
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
