import type { Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Whom a link was mailed to, what became of each mail, and which of them came. */
export const migration: Migration = {
  async up(db: Kysely<never>) {
    await db.schema
      .alterTable('links')
      .addColumn('need_email', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('links')
      .addColumn('mail_language', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('links').addColumn('mail_text', 'text').execute()
    for (const table of ['link_visits', 'link_uses'] as const)
      await db.schema
        .alterTable(table)
        .addColumn('recipient', 'varchar(256)', (column) => column.notNull().defaultTo(''))
        .execute()
    await db.schema
      .alterTable('link_uses')
      .addColumn('total_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('link_recipients')
      .addColumn('link_id', 'varchar(32)', (column) => column.notNull().references('links.id').onDelete('cascade'))
      .addColumn('address_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('address', 'varchar(256)', (column) => column.notNull())
      .addColumn('token_hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('mail_job', 'varchar(32)', (column) => column.notNull())
      .addColumn('mail_state', 'varchar(16)', (column) => column.notNull())
      .addColumn('mail_answer', 'varchar(512)', (column) => column.notNull())
      .addColumn('mailed_at', 'bigint', (column) => column.notNull())
      .addColumn('opened_at', 'bigint', (column) => column.notNull())
      .addColumn('proven_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('link_recipients_primary', ['link_id', 'address_hash'])
      .modifyEnd(tableOptions(dialectOf(db)))
      .execute()
    await db.schema.createIndex('link_recipients_job').on('link_recipients').column('mail_job').execute()
  },
}
