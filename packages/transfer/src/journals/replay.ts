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
}

/**
 * Reconstructs the state from records. After a stop without a `clean` record the last `distrust` leaves claimed are doubtful:
 * a record may have reached the disk before the data it speaks of. Finished files are not: they were durable before they
 * got their name.
 */
export function replay(records: readonly JournalRecord[], distrust: number): Replay {
  const names = new Map<number, string>()
  const files = new Map<string, Remembered>()
  let claims: DoubtfulLeaf[] = []
  for (const record of records) {
    if (record.type === 'clean') {
      claims = []
      continue
    }
    if (record.type === 'file') names.set(record.file, record.path)
    if (record.type === 'file' || record.type === 'whole') {
      const file = sameOrNew(files, record)
      if (record.type === 'whole') file.isDone = true
      continue
    }
    const path = names.get(record.file) ?? ''
    const known = files.get(path)
    if (known === undefined) continue
    // A finished file has no part file any more. A leaf that comes later begins another one: somebody took the file away.
    known.isDone = record.type === 'done'
    if (record.type === 'done') known.leaves = NO_LEAVES
    else {
      if (known.leaves === NO_LEAVES) known.leaves = new Map()
      known.leaves.set(record.leaf, record.hash)
      claims.push({ path, leaf: record.leaf })
    }
  }
  return { files, doubtful: claims.slice(-distrust) }
}

interface Remembered extends KnownFile {
  leaves: Map<number, Uint8Array>
  isDone: boolean
}

/** Shared by all files without leaves: a million small ones need no map each. Never written to. */
const NO_LEAVES = new Map<number, Uint8Array>()

/** The known state of a file of this size and time; nothing is known of a changed one. */
function sameOrNew(
  files: Map<string, Remembered>,
  { path, size, mtimeMs }: { path: string; size: number; mtimeMs: number },
): Remembered {
  const known = files.get(path)
  if (known?.size === size && known.mtimeMs === mtimeMs) return known
  const fresh = { path, size, mtimeMs, leaves: NO_LEAVES, isDone: false }
  files.set(path, fresh)
  return fresh
}
