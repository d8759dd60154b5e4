import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** What copies and moves made so far: one that was cut short and goes on can be taken back as a whole. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .createTable('file_job_notes')
      .addColumn('job_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('note', dialectOf(db) === 'mysql' ? sql`mediumtext` : 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('file_job_notes_key', ['job_id', 'seq'])
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
  },
}
