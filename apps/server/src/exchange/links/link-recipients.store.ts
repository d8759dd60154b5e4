import type { Db, Tx } from '../../kernel/db/index.ts'
import type { LinkRecipientRow } from './links.schema.ts'

type RecipientKey = Pick<LinkRecipientRow, 'link_id' | 'address_hash'>

/** Rows of one statement. */
const ROWS_AT_ONCE = 50

/** The only SQL over `link_recipients`. */
export const recipientsStore = {
  async insert(tx: Tx, rows: readonly LinkRecipientRow[]): Promise<void> {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await tx
        .insertInto('link_recipients')
        .values(rows.slice(from, from + ROWS_AT_ONCE))
        .execute()
  },

  ofLink(db: Db | Tx, linkId: string): Promise<LinkRecipientRow[]> {
    return db.selectFrom('link_recipients').selectAll().where('link_id', '=', linkId).orderBy('address').execute()
  },

  byAddress(db: Db | Tx, { link_id: linkId, address_hash: hash }: RecipientKey): Promise<LinkRecipientRow | undefined> {
    return db
      .selectFrom('link_recipients')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('address_hash', '=', hash)
      .executeTakeFirst()
  },

  byToken(db: Db, linkId: string, tokenHash: string): Promise<LinkRecipientRow | undefined> {
    return db
      .selectFrom('link_recipients')
      .selectAll()
      .where('link_id', '=', linkId)
      .where('token_hash', '=', tokenHash)
      .executeTakeFirst()
  },

  async remove(tx: Tx, linkId: string, hashes: readonly string[]): Promise<void> {
    if (hashes.length === 0) return
    await tx.deleteFrom('link_recipients').where('link_id', '=', linkId).where('address_hash', 'in', hashes).execute()
  },

  async change(db: Db | Tx, key: RecipientKey, change: Partial<LinkRecipientRow>): Promise<void> {
    await db
      .updateTable('link_recipients')
      .set(change)
      .where('link_id', '=', key.link_id)
      .where('address_hash', '=', key.address_hash)
      .execute()
  },

  /** @returns false when a mail was written after `before` that is not known to be refused */
  async takeMail(
    tx: Tx,
    key: RecipientKey,
    { before, now }: Readonly<Record<'before' | 'now', number>>,
  ): Promise<boolean> {
    const taken = await tx
      .updateTable('link_recipients')
      .set({ mailed_at: now, mail_state: 'waiting' })
      .where('link_id', '=', key.link_id)
      .where('address_hash', '=', key.address_hash)
      .where((eb) => eb.or([eb('mailed_at', '<=', before), eb('mail_state', '=', 'refused')]))
      .executeTakeFirst()
    return taken.numUpdatedRows > 0n
  },

  /** What became of a mail; a later one to the same recipient is another job. */
  async noteMail(tx: Tx, jobId: string, change: Pick<LinkRecipientRow, 'mail_state' | 'mail_answer'>): Promise<void> {
    await tx.updateTable('link_recipients').set(change).where('mail_job', '=', jobId).execute()
  },

  /** A mail whose time is over keeps what the server said last. */
  async giveUpMail(tx: Tx, jobId: string): Promise<void> {
    await tx
      .updateTable('link_recipients')
      .set({ mail_state: 'refused' })
      .where('mail_job', '=', jobId)
      .where('mail_state', '=', 'waiting')
      .execute()
  },
}
