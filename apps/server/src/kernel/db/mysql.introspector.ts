import { type DatabaseIntrospector, type Kysely, MysqlIntrospector, type TableMetadata, sql } from 'kysely'
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration'

/** As `information_schema.columns` and `tables` have it. */
interface FoundColumn {
  readonly name: string
  readonly owner: string
  readonly kind: string
  readonly nullable: 'YES' | 'NO'
  readonly preset: string | null
  readonly extra: string
}

interface FoundTable {
  readonly name: string
  readonly kind: string
  readonly engine: string | null
}

/**
 * The tables of the connection's own database. Kysely's query joins columns with tables, and MariaDB then opens the tables of
 * all its databases: seconds where a server keeps hundreds of them. Two queries look at one database each.
 */
export class OwnTablesIntrospector extends MysqlIntrospector implements DatabaseIntrospector {
  readonly #db: Kysely<unknown>

  constructor(db: Kysely<unknown>) {
    super(db)
    this.#db = db
  }

  override async getTables(
    { withInternalKyselyTables } = { withInternalKyselyTables: false },
  ): Promise<TableMetadata[]> {
    const tables = await ownTables.execute(this.#db)
    const { rows: columns } = await ownColumns.execute(this.#db)
    const internal: readonly string[] = withInternalKyselyTables
      ? []
      : [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE]
    return tables.rows
      .filter(({ name }) => !internal.includes(name))
      .map(({ name, kind, engine }) => ({
        name,
        isView: kind === 'VIEW',
        isForeign: engine === 'FEDERATED',
        columns: columns.filter(({ owner }) => owner === name).map(columnMetadata),
      }))
  }
}

export const ownTables = sql<FoundTable>`select table_name as name, table_type as kind, engine
  from information_schema.tables where table_schema = database() order by table_name`

export const ownColumns = sql<FoundColumn>`select column_name as name, table_name as owner, data_type as kind,
  is_nullable as nullable, column_default as preset, extra
  from information_schema.columns where table_schema = database() order by table_name, ordinal_position`

function columnMetadata({ name, kind, nullable, preset, extra }: FoundColumn): TableMetadata['columns'][number] {
  return {
    name,
    dataType: kind,
    isNullable: nullable === 'YES',
    isAutoIncrementing: extra.includes('auto_increment'),
    hasDefaultValue: preset !== null,
  }
}
