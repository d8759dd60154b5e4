import type { Db } from '../../kernel/db/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import type { AcmeAccountsTable, AcmeStateTable } from './acme.schema.ts'

export type AcmeState = Omit<AcmeStateTable, 'id'>

const THE_SITE = 1
const NOTHING_YET: AcmeState = {
  ...{ wanted_at: 0, started_at: 0, tried_at: 0, failures: 0 },
  ...{ reason: '', words: '', settings_id: '' },
}

/** The only SQL over the tables of ACME. */
export const acmeStore = {
  async state(db: Db): Promise<AcmeState> {
    const row = await db.selectFrom('acme_state').selectAll().where('id', '=', THE_SITE).executeTakeFirst()
    if (row === undefined) return NOTHING_YET
    const { wanted_at: wanted, started_at: started, tried_at: tried, ...rest } = row
    // MariaDB may hand out 64 bits as text.
    return { ...rest, wanted_at: Number(wanted), started_at: Number(started), tried_at: Number(tried) }
  },
  async change(db: Db, change: Partial<AcmeState>): Promise<void> {
    await inTransaction(db, async (tx) => {
      const row = await tx.selectFrom('acme_state').select('id').where('id', '=', THE_SITE).executeTakeFirst()
      if (row === undefined) {
        await tx
          .insertInto('acme_state')
          .values({ ...NOTHING_YET, ...change, id: THE_SITE })
          .execute()
      } else await tx.updateTable('acme_state').set(change).where('id', '=', THE_SITE).execute()
    })
  },
  account: (db: Db, id: string): Promise<AcmeAccountsTable | undefined> =>
    db.selectFrom('acme_accounts').selectAll().where('id', '=', id).executeTakeFirst(),
  async addAccount(db: Db, row: AcmeAccountsTable): Promise<void> {
    await db.insertInto('acme_accounts').values(row).execute()
  },
  /** What is answered to an authority that asks for a token. */
  async answer(db: Db, token: string, now: number): Promise<string | undefined> {
    const row = await db
      .selectFrom('acme_challenges')
      .select('answer')
      .where('token', '=', token)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    return row?.answer
  },
  async addChallenge(db: Db, row: { token: string; answer: string; expires_at: number }): Promise<void> {
    await inTransaction(db, async (tx) => {
      await tx.deleteFrom('acme_challenges').where('token', '=', row.token).execute()
      await tx.insertInto('acme_challenges').values(row).execute()
    })
  },
  async clearChallenges(db: Db): Promise<void> {
    await db.deleteFrom('acme_challenges').execute()
  },
}
