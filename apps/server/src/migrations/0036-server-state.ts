import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/**
 * What administrators see of the server: why a job failed, an index for those that did, which are few among many; the token
 * of those who read its figures; backups, and who wants no checklist any more.
 */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('jobs')
      .addColumn('error', 'varchar(64)', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema.createIndex('jobs_ended').on('jobs').columns(['state', 'updated_at']).execute()
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('metrics_tokens')
      .addColumn('name', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('token_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_by', 'varchar(256)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('backups')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('occasion', 'varchar(16)', (column) => column.notNull())
      .addColumn('file', 'varchar(1024)', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('files', 'bigint', (column) => column.notNull())
      .addColumn('reason', 'varchar(512)', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .addColumn('drill_state', 'varchar(16)', (column) => column.notNull())
      .addColumn('drill_reason', 'varchar(512)', (column) => column.notNull())
      .addColumn('drilled_at', 'bigint')
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('checklist_dismissals')
      .addColumn('user_id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('dismissed_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
  },
}
