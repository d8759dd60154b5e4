import type { Kysely } from 'kysely'
import type { Migration } from '../kernel/db/index.ts'

/** The numbers of a bottleneck as JSON, which each page puts into its own language, in place of an English sentence. */
export const migration: Migration = {
  async up(db: Kysely<{ transfers: { bottleneck_figures: string } }>) {
    await db.schema.alterTable('transfers').renameColumn('bottleneck_text', 'bottleneck_figures').execute()
    await db.updateTable('transfers').set({ bottleneck_figures: '' }).execute()
  },
}
