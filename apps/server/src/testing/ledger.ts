import fs from 'node:fs'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { rootOfBytes } from '../content/tree-hashes/index.ts'

export interface LedgerOptions {
  /** Data folder of an idle server on SQLite. */
  readonly data: string
  /** Its only account with files. */
  readonly account: string
  /** What the test itself took away behind the server's back. */
  readonly removed: { readonly bytes: number; readonly names: ReadonlySet<string> }
}

/**
 * Compares database, disk and quota of one account, to the byte, with none of the product's own bookkeeping.
 * @returns what differs; empty when everything agrees
 */
export function ledgerFaults({ data, account, removed }: LedgerOptions): string[] {
  const database = new Sqlite(path.join(data, 'godwit.db'), { readonly: true })
  try {
    const home = `users/${account}`
    const files = filesBelow(path.join(data, 'files', home))
    return [
      ...quotaFaults(database, account, sumOf(files.values()) + removed.bytes),
      ...hashFaults(database, home, { files, removed: removed.names }),
      ...leftovers(database),
    ]
  } finally {
    database.close()
  }
}

/** Bytes of all visible files, by their path below the folder. */
function filesBelow(folder: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>()
  if (!fs.existsSync(folder)) return files
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const place = path.join(entry.parentPath, entry.name)
    files.set(path.relative(folder, place), fs.readFileSync(place))
  }
  return files
}

function sumOf(contents: Iterable<Buffer>): number {
  return [...contents].reduce((bytes, { length }) => bytes + length, 0)
}

type Open = InstanceType<typeof Sqlite>

function quotaFaults(database: Open, account: string, onDisk: number): string[] {
  const number = (query: string): number => Number(database.prepare(query).pluck().get(account) ?? 0)
  const user = '(select id from users where account = ?)'
  const used = number(`select used_bytes from quotas where user_id = ${user}`)
  const reserved = number(`select reserved_bytes from quotas where user_id = ${user}`)
  const binned = number(`select sum(size) from recycle_items where owner_id = ${user}`)
  const open = number(`select sum(reserved_bytes) from uploads where user_id = ${user}`)
  const batches = number(`select sum(reserved_bytes) from intake_batches where user_id = ${user}`)
  return [
    ...(used === onDisk + binned ? [] : [`${used} bytes are booked as used, ${onDisk + binned} are there`]),
    ...(reserved === open + batches
      ? []
      : [`${reserved} bytes are booked as reserved, ${open + batches} are promised`]),
  ]
}

interface Shown {
  readonly files: ReadonlyMap<string, Buffer>
  readonly removed: ReadonlySet<string>
}

function hashFaults(database: Open, home: string, { files, removed }: Shown): string[] {
  const rows = database.prepare('select storage_key, hash from file_hashes').all() as ReadonlyArray<{
    readonly storage_key: string
    readonly hash: string
  }>
  const recorded = new Map(rows.map((row) => [row.storage_key, row.hash]))
  const faults: string[] = []
  for (const [name, content] of files) {
    const hash = recorded.get(`${home}/${name}`)
    if (hash === undefined) faults.push(`${name} has no recorded hash`)
    else if (hash !== rootOfBytes(content)) faults.push(`${name} has the recorded hash of another content`)
  }
  for (const key of recorded.keys()) {
    const name = key.slice(home.length + 1)
    if (!files.has(name) && !removed.has(name)) faults.push(`${name} has a recorded hash and is not there`)
  }
  return faults
}

/** What only a fault leaves once the server has started. */
function leftovers(database: Open): string[] {
  const count = (query: string): number => Number(database.prepare(query).pluck().get())
  const processing = count(`select count(*) from uploads where state = 'processing'`)
  const batches = count('select count(*) from intake_batches')
  return [
    ...(processing === 0 ? [] : [`${processing} uploads are still being published`]),
    ...(batches === 0 ? [] : [`${batches} batches are still open`]),
  ]
}
