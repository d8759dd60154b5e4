import { sql, type RawBuilder } from 'kysely'
import type { DialectName } from './connect.ts'

/** Unix milliseconds by the database's clock, the one clock that all nodes agree on. Constant within a statement. */
export function databaseNow(dialect: DialectName): RawBuilder<number> {
  return dialect === 'mysql'
    ? sql<number>`(unix_timestamp() * 1000 + microsecond(now(3)) div 1000)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}
