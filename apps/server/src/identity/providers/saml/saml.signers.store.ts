import type { Db } from '../../../kernel/db/index.ts'
import type { SamlSignerRow } from '../providers.schema.ts'

const ID = 1

/** The only SQL over the key that this site signs SAML requests with: one row. */
export const samlSignersStore = {
  get: (db: Db): Promise<SamlSignerRow | undefined> =>
    db.selectFrom('saml_signers').selectAll().where('id', '=', ID).executeTakeFirst(),
  /** @throws what the database throws when there is one */
  async insert(db: Db, row: Omit<SamlSignerRow, 'id'>): Promise<void> {
    await db
      .insertInto('saml_signers')
      .values({ id: ID, ...row })
      .execute()
  },
}
