import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SenderRow } from './mail.schema.ts'

/** The only SQL over `mail_senders`. */
export interface SendersStore {
  of(db: Db | Tx, ownerId: string): Promise<SenderRow | undefined>
  put(tx: Tx, row: SenderRow): Promise<void>
}

export const sendersStore: SendersStore = {
  of: (db, ownerId) => db.selectFrom('mail_senders').selectAll().where('owner_id', '=', ownerId).executeTakeFirst(),
  async put(tx, row) {
    await tx.deleteFrom('mail_senders').where('owner_id', '=', row.owner_id).execute()
    await tx.insertInto('mail_senders').values(row).execute()
  },
}
