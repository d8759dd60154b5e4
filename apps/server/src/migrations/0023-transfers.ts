import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Transfers by clients over the transfer port. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    const dialect = dialectOf(db)
    // Ten thousand paths pass the 64 KiB of MySQL's `text`.
    const longText = dialect === 'mysql' ? sql`mediumtext` : 'text'
    await db.schema
      .createTable('transfers')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('direction', 'varchar(16)', (column) => column.notNull())
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('group_id', 'integer', (column) => column.notNull())
      .addColumn('folder', 'text', (column) => column.notNull())
      .addColumn('paths', longText, (column) => column.notNull())
      .addColumn('label', 'varchar(255)', (column) => column.notNull())
      .addColumn('session_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('api_token_id', 'varchar(32)', (column) => column.notNull())
      .addColumn('stamp', 'varchar(64)', (column) => column.notNull())
      .addColumn('state', 'varchar(16)', (column) => column.notNull())
      .addColumn('is_paused', 'integer', (column) => column.notNull())
      .addColumn('error', 'varchar(64)', (column) => column.notNull())
      .addColumn('files', 'integer', (column) => column.notNull())
      .addColumn('files_done', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('bytes_done', 'bigint', (column) => column.notNull())
      .addColumn('bytes_per_second', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('network_path', 'varchar(16)', (column) => column.notNull())
      .addColumn('path_reason', 'varchar(32)', (column) => column.notNull())
      .addColumn('bottleneck', 'varchar(32)', (column) => column.notNull())
      .addColumn('bottleneck_text', 'varchar(255)', (column) => column.notNull())
      .addColumn('device', 'varchar(128)', (column) => column.notNull())
      .addColumn('address', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .modifyEnd(tableOptions(dialect))
      .execute()
    await db.schema.createIndex('transfers_user').on('transfers').columns(['user_id', 'id']).execute()
    await db.schema.createIndex('transfers_state').on('transfers').columns(['state', 'expires_at']).execute()
  },
}
