import type { JournalRecord } from './journal.codec.ts'

/** What an earlier run left of one file. */
export interface KnownFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Leaf index to leaf hash, of verified leaves in the part file. */
  readonly leaves: ReadonlyMap<number, Uint8Array>
  readonly isDone: boolean
}

/** A claim that may not have reached the disk before a crash. */
export interface DoubtfulLeaf {
  readonly path: string
  readonly leaf: number
}

export interface Replay {
  readonly files: ReadonlyMap<string, KnownFile>
  /** To be hashed again before they count; empty after an orderly stop. */
  readonly doubtful: readonly DoubtfulLeaf[]
  /** Finished files among the last records: their contents are doubtful too. */
  readonly doubtfulFiles: readonly string[]
}

/**
 * Turns records into knowledge. After a stop without a `clean` record the last `distrust` claims are doubtful:
 * a record may have reached the disk before the data it speaks of.
 */
export function replay(records: readonly JournalRecord[], distrust: number): Replay {
  const names = new Map<number, string>()
  const files = new Map<
    string,
    { size: number; mtimeMs: number; leaves: Map<number, Uint8Array>; isDone: boolean; path: string }
  >()
  const claims: JournalRecord[] = []
  for (const record of records) {
    if (record.type === 'clean') {
      claims.length = 0
      continue
    }
    if (record.type === 'file') {
      names.set(record.file, record.path)
      const known = files.get(record.path)
      if (known?.size === record.size && known.mtimeMs === record.mtimeMs) continue
      files.set(record.path, {
        path: record.path,
        size: record.size,
        mtimeMs: record.mtimeMs,
        leaves: new Map(),
        isDone: false,
      })
      continue
    }
    const known = files.get(names.get(record.file) ?? '')
    if (known === undefined) continue
    claims.push(record)
    if (record.type === 'done') known.isDone = true
    else known.leaves.set(record.leaf, record.hash)
  }
  const last = claims.slice(-distrust)
  return {
    files,
    doubtful: last.flatMap((record) =>
      record.type === 'block' ? [{ path: names.get(record.file) ?? '', leaf: record.leaf }] : [],
    ),
    doubtfulFiles: last.flatMap((record) => (record.type === 'done' ? [names.get(record.file) ?? ''] : [])),
  }
}
