import type { DatabaseSync } from 'node:sqlite'

export const WATCHED_SCHEMA = `
  CREATE TABLE IF NOT EXISTS watched (
    root TEXT NOT NULL, entry TEXT NOT NULL, signature TEXT NOT NULL, PRIMARY KEY (root, entry)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS served (
    root TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, time INTEGER NOT NULL,
    is_settled INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (root, path, size, time)
  ) STRICT, WITHOUT ROWID;
`

/** An entry of a watched folder, and how it and everything in it looked. */
export interface WatchedEntry {
  readonly entry: string
  readonly signature: string
}

/** A file as a server has it. */
export interface ServedFile {
  /** Below the watched folder, with slashes. */
  readonly path: string
  readonly size: number
  /** Unix seconds. */
  readonly time: number
}

/** What is known of watched folders, by their paths of this computer. */
export class WatchedStore {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** What an entry looked like when it was queued last; '' before. */
  signatureOf(root: string, entry: string): string {
    const found = this.#db.prepare('SELECT signature FROM watched WHERE root = ? AND entry = ?').get(root, entry)
    return String(found?.['signature'] ?? '')
  }

  /** Within a transaction of the caller. @param files what a server has in these entries */
  note(root: string, entries: readonly WatchedEntry[], files: readonly ServedFile[]): void {
    const queued = this.#db.prepare('INSERT OR REPLACE INTO watched (root, entry, signature) VALUES (?, ?, ?)')
    for (const { entry, signature } of entries) queued.run(root, entry, signature)
    const served = this.#db.prepare('INSERT OR IGNORE INTO served (root, path, size, time) VALUES (?, ?, ?, ?)')
    for (const { path, size, time } of files) served.run(root, path, size, time)
  }

  /** Whether the server had a file like this at some time: nobody has changed it at this computer since it came. */
  hasServed(root: string, { path, size, time }: ServedFile): boolean {
    const found = 'SELECT 1 FROM served WHERE root = ? AND path = ? AND size = ? AND time = ?'
    return this.#db.prepare(found).get(root, path, size, time) !== undefined
  }

  /** Whether the server has had something at this path that no transfer brought or asked about. */
  hasNews(root: string, path: string): boolean {
    const found = 'SELECT 1 FROM served WHERE root = ? AND path = ? AND is_settled = 0'
    return this.#db.prepare(found).get(root, path) !== undefined
  }

  /** A transfer of these entries is over, or its person is asked about the rest of it. */
  settle(root: string, entries: readonly string[]): void {
    // What is in a folder is between its name with a slash and its name with the character after the slash.
    const settled = this.#db.prepare(
      `UPDATE served SET is_settled = 1 WHERE root = ?1 AND (path = ?2 OR path >= ?2 || '/' AND path < ?2 || '0')`,
    )
    for (const entry of entries) settled.run(root, entry.normalize('NFC'))
  }

  /** The next look finds these entries new; what the server had of them stays known. */
  forgetEntries(root: string, entries: readonly string[]): void {
    const forgotten = this.#db.prepare('DELETE FROM watched WHERE root = ? AND entry = ?')
    for (const entry of entries) forgotten.run(root, entry)
  }

  /** The next look at this folder finds everything new. */
  forget(root: string): void {
    for (const table of ['watched', 'served']) this.#db.prepare(`DELETE FROM ${table} WHERE root = ?`).run(root)
  }
}
