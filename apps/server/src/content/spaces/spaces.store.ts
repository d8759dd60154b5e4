import type { Db, Tx } from '../../kernel/db/index.ts'
import type { SpaceRow } from './spaces.schema.ts'

/** The only SQL over spaces. */
export const spacesStore = {
  all: (db: Db | Tx): Promise<SpaceRow[]> => db.selectFrom('spaces').selectAll().orderBy('id').execute(),
  async insert(db: Db | Tx, row: SpaceRow): Promise<void> {
    await db.insertInto('spaces').values(row).execute()
  },
}
