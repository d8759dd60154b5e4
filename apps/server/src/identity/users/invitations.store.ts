import type { Selectable } from 'kysely'
import type { Db, Tx } from '../../kernel/db/index.ts'

interface InvitationsTable {
  user_id: string
  token_hash: string
  /** 0 until it is sent. */
  sent_at: number
  /** 0 before it is sent and once it was withdrawn: the account still has no password of its owner's. */
  expires_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly invitations: InvitationsTable
  }
}

export type InvitationRow = Selectable<InvitationsTable>

/** The only SQL over `invitations`. An account has one until its owner has a password. */
export const invitationsStore = {
  byToken: (db: Db | Tx, tokenHash: string): Promise<InvitationRow | undefined> =>
    db.selectFrom('invitations').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst(),
  of: (db: Db | Tx, userId: string): Promise<InvitationRow | undefined> =>
    db.selectFrom('invitations').selectAll().where('user_id', '=', userId).executeTakeFirst(),
  async among(db: Db, userIds: readonly string[]): Promise<ReadonlyMap<string, InvitationRow>> {
    if (userIds.length === 0) return new Map()
    const rows = await db.selectFrom('invitations').selectAll().where('user_id', 'in', userIds).execute()
    return new Map(rows.map((row) => [row.user_id, row]))
  },
  /** In place of an earlier one. */
  async put(tx: Tx, row: InvitationRow): Promise<void> {
    await invitationsStore.remove(tx, row.user_id)
    await tx.insertInto('invitations').values(row).execute()
  },
  /** @returns false when it is gone, or is another one by now */
  async spend(tx: Tx, { user_id: userId, token_hash: hash }: InvitationRow): Promise<boolean> {
    const spent = tx.deleteFrom('invitations').where('user_id', '=', userId).where('token_hash', '=', hash)
    return (await spent.executeTakeFirst()).numDeletedRows > 0n
  },
  async remove(tx: Db | Tx, userId: string): Promise<void> {
    await tx.deleteFrom('invitations').where('user_id', '=', userId).execute()
  },
}
