import type { Clock } from '@godwit/base'
import type { Db, Tx } from '../../kernel/db/index.ts'

interface FileHashesTable {
  space_id: number
  /** The storage's tag of this content: it stays when the file is renamed and never comes back for another content. */
  etag: string
  /** BLAKE3 tree hash, see `@godwit/base` tree-hash.ts. */
  hash: string
  stored_at: number
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly file_hashes: FileHashesTable
  }
}

export interface KnownHash {
  readonly spaceId: number
  readonly etag: string
  readonly hash: string
}

/** Values a statement may bind: SQLite allows 32,766. */
const ROWS_PER_STATEMENT = 1000

/** Remembers what stored files must hash to, so that a scrub finds silent corruption (fault plan, row 21). */
export async function rememberHashes(tx: Db | Tx, clock: Clock, known: readonly KnownHash[]): Promise<void> {
  for (let at = 0; at < known.length; at += ROWS_PER_STATEMENT) {
    const rows = known.slice(at, at + ROWS_PER_STATEMENT)
    // A repeated completion stores the same again.
    await tx
      .deleteFrom('file_hashes')
      .where((where) =>
        where.or(
          hashesBySpace(rows).map(([spaceId, etags]) =>
            where.and([where('space_id', '=', spaceId), where('etag', 'in', etags)]),
          ),
        ),
      )
      .execute()
    const stored_at = clock.now()
    await tx
      .insertInto('file_hashes')
      .values(rows.map(({ spaceId, etag, hash }) => ({ space_id: spaceId, etag, hash, stored_at })))
      .execute()
  }
}

function hashesBySpace(rows: readonly KnownHash[]): ReadonlyArray<readonly [number, string[]]> {
  return [...Map.groupBy(rows, ({ spaceId }) => spaceId)].map(([spaceId, group]) => [
    spaceId,
    group.map(({ etag }) => etag),
  ])
}

/** @returns undefined for files that did not come through an upload */
export async function hashOf(
  db: Db | Tx,
  { spaceId, etag }: Pick<KnownHash, 'spaceId' | 'etag'>,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('file_hashes')
    .select('hash')
    .where('space_id', '=', spaceId)
    .where('etag', '=', etag)
    .executeTakeFirst()
  return row?.hash
}
