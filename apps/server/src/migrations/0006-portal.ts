import { sql, type Kysely } from 'kysely'
import { dialectOf, tableOptions, type Migration } from '../kernel/db/index.ts'

/** Site settings, spaces with their members, and what keeps an account safe. */
export const migration: Migration = {
  // One piece, because a migration is one step of the timeline.
  async up(db: Kysely<never>) {
    const options = tableOptions(dialectOf(db))
    await db.schema
      .createTable('settings')
      .addColumn('name', 'varchar(100)', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('spaces')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('name_key', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('space_members')
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('space_id', 'integer', (column) => column.notNull())
      .addColumn('chosen', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('space_members_primary', ['user_id', 'space_id'])
      .modifyEnd(options)
      .execute()
    // Until now everybody worked in the first space.
    await sql`insert into space_members (user_id, space_id, chosen) select id, 1, 0 from users`.execute(db)
    await db.schema
      .createTable('sign_ins')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('address', 'varchar(64)', (column) => column.notNull())
      .addColumn('user_agent', 'varchar(256)', (column) => column.notNull())
      .addColumn('method', 'varchar(20)', (column) => column.notNull())
      .addColumn('result', 'varchar(20)', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('sign_ins_user').on('sign_ins').columns(['user_id', 'id']).execute()
    await db.schema.createIndex('sign_ins_age').on('sign_ins').column('at').execute()
    await db.schema
      .createTable('second_factors')
      .addColumn('user_id', 'varchar(32)', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('confirmed', 'integer', (column) => column.notNull())
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('recovery_codes')
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('code_hash', 'varchar(64)', (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_codes_primary', ['user_id', 'code_hash'])
      .modifyEnd(options)
      .execute()
    await db.schema
      .createTable('passkeys')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('credential_hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('credential_id', 'text', (column) => column.notNull())
      .addColumn('site', 'varchar(255)', (column) => column.notNull())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'varchar(255)', (column) => column.notNull())
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('passkeys_user').on('passkeys').column('user_id').execute()
    await db.schema
      .createTable('api_tokens')
      .addColumn('id', 'varchar(32)', (column) => column.primaryKey())
      .addColumn('user_id', 'varchar(32)', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('token_hash', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('password_stamp', 'varchar(64)', (column) => column.notNull())
      .addColumn('name', 'varchar(64)', (column) => column.notNull())
      .addColumn('permission', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .modifyEnd(options)
      .execute()
    await db.schema.createIndex('api_tokens_user').on('api_tokens').column('user_id').execute()
  },
}
