import type { Db, DialectName, Tx } from '../../kernel/db/index.ts'
import type { SettingScope } from '../../kernel/setting.ts'
import type { SettingHistoryRow, SettingValueRow } from './settings.schema.ts'

/** One place that may have a value of its own. */
export interface SettingPlace {
  readonly scope: SettingScope
  /** '' for the site. */
  readonly scopeId: string
}

/** The only SQL over `setting_values` and `setting_history`. */
export const settingsStore = {
  at: (db: Db | Tx, places: readonly SettingPlace[]): Promise<SettingValueRow[]> =>
    db
      .selectFrom('setting_values')
      .selectAll()
      .where((where) =>
        where.or(
          places.map(({ scope, scopeId }) => where.and([where('scope', '=', scope), where('scope_id', '=', scopeId)])),
        ),
      )
      .execute(),
  /** Values of these settings everywhere, which nobody else changes before the transaction ends. */
  async lock(tx: Tx, dialect: DialectName, names: readonly string[]): Promise<SettingValueRow[]> {
    const query = tx.selectFrom('setting_values').selectAll().where('name', 'in', names)
    return (dialect === 'mysql' ? query.forUpdate() : query).execute()
  },
  async put(tx: Tx, row: SettingValueRow): Promise<void> {
    await settingsStore.remove(tx, row)
    await tx.insertInto('setting_values').values(row).execute()
  },
  async remove(tx: Tx, { name, scope, scope_id }: Omit<SettingValueRow, 'value'>): Promise<void> {
    await tx
      .deleteFrom('setting_values')
      .where('name', '=', name)
      .where('scope', '=', scope)
      .where('scope_id', '=', scope_id)
      .execute()
  },
  async note(tx: Tx, row: SettingHistoryRow): Promise<void> {
    await tx.insertInto('setting_history').values(row).execute()
  },
  async changedAt(db: Db, names: readonly string[]): Promise<number | undefined> {
    const row = await db
      .selectFrom('setting_history')
      .select('at')
      .where('name', 'in', names)
      .where('scope', '=', 'site')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? undefined : Number(row.at)
  },
  /** Newest first. @param name undefined: of all settings */
  history: (db: Db, name: string | undefined, limit: number): Promise<SettingHistoryRow[]> => {
    const query = db.selectFrom('setting_history').selectAll().orderBy('id', 'desc').limit(limit)
    return (name === undefined ? query : query.where('name', '=', name)).execute()
  },
  /** Newest first. @param names of these settings alone */
  async historyPage(
    db: Db,
    names: readonly string[],
    { page, size }: { readonly page: number; readonly size: number },
  ) {
    if (names.length === 0) return { rows: [], total: 0 }
    const found = db.selectFrom('setting_history').where('name', 'in', names)
    const rows = await found
      .selectAll()
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute()
    const { count } = await found.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()
    return { rows, total: Number(count) }
  },
}
