import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SpaceRulesTable } from './memberships.schema.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** Its addresses or limits are others now. */
    readonly 'space.rules-changed': { readonly spaceId: number }
  }
}

/** The only SQL over what narrows spaces. */
export const spaceRulesStore = {
  all: (db: Db | Tx): Promise<SpaceRulesTable[]> => db.selectFrom('space_rules').selectAll().execute(),
  of: (db: Db | Tx, spaceId: number): Promise<SpaceRulesTable | undefined> =>
    db.selectFrom('space_rules').selectAll().where('space_id', '=', spaceId).executeTakeFirst(),
  async put(tx: Tx, row: SpaceRulesTable): Promise<void> {
    await tx.deleteFrom('space_rules').where('space_id', '=', row.space_id).execute()
    await tx.insertInto('space_rules').values(row).execute()
  },
  async remove(tx: Tx, spaceId: number): Promise<void> {
    await tx.deleteFrom('space_rules').where('space_id', '=', spaceId).execute()
  },
}
