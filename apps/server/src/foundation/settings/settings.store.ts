import { inTransaction, type Db } from '../../kernel/db/index.ts'
import type { SettingsTable } from './settings.schema.ts'

/** The only SQL over `settings`. */
export const settingsStore = {
  all: (db: Db): Promise<SettingsTable[]> => db.selectFrom('settings').selectAll().execute(),
  async put(db: Db, row: SettingsTable): Promise<void> {
    await inTransaction(db, async (tx) => {
      await tx.deleteFrom('settings').where('name', '=', row.name).execute()
      await tx.insertInto('settings').values(row).execute()
    })
  },
  async remove(db: Db, name: string): Promise<void> {
    await db.deleteFrom('settings').where('name', '=', name).execute()
  },
}
