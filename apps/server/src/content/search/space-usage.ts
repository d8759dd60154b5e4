import type { Clock } from '@godwit/base'
import type { Db } from '../../kernel/db/index.ts'
import './search.schema.ts'

/** Visible files of a space. */
export interface SpaceUsage {
  readonly files: number
  readonly bytes: number
}

/** A count of a million entries takes a moment, so one serves everybody for this long. */
const KEPT_MS = 60_000

/** What is in each space, by the index. Those that nobody has anything in are left out. */
export function createSpaceUsage(db: Db, clock: Pick<Clock, 'monotonic'>) {
  let known: { readonly counts: Promise<ReadonlyMap<number, SpaceUsage>>; readonly until: number } | undefined
  return (): Promise<ReadonlyMap<number, SpaceUsage>> => {
    if (known !== undefined && known.until > clock.monotonic()) return known.counts
    const counts = count(db)
    known = { counts, until: clock.monotonic() + KEPT_MS }
    // A failure is not remembered.
    counts.catch(() => (known = undefined))
    return counts
  }
}

async function count(db: Db): Promise<ReadonlyMap<number, SpaceUsage>> {
  const rows = await db
    .selectFrom('search_entries')
    .innerJoin('search_roots', 'search_roots.id', 'search_entries.root_id')
    .select(({ fn }) => ['space_id', fn.countAll<number>().as('files'), fn.sum<number>('size').as('bytes')])
    .where('is_folder', '=', 0)
    .groupBy('space_id')
    .execute()
  return new Map(rows.map((row) => [row.space_id, { files: Number(row.files), bytes: Number(row.bytes) }]))
}
