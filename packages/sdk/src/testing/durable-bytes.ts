import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { RangeSet } from '@godwit/base'

/** Bytes that the one unfinished upload of a server has, by its own books; for a server that is down. */
export function durableBytes(data: string): number {
  const database = new DatabaseSync(join(data, 'godwit.db'))
  try {
    const spans = database
      .prepare(
        "select start_at, end_at from upload_spans join uploads on uploads.id = upload_id where uploads.state = 'open'",
      )
      .all() as unknown as ReadonlyArray<{ readonly start_at: number; readonly end_at: number }>
    return new RangeSet(spans.map(({ start_at: start, end_at: end }) => ({ start, end }))).size
  } finally {
    database.close()
  }
}
