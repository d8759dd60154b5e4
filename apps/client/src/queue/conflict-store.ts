import type { DatabaseSync } from 'node:sqlite'
import type { LocalChoice, LocalConflicts, LocalConflictFolder } from '@godwit/contract'
import { type Decision, type Decisions, folderOf, type FoundConflict } from '../transfers/conflicts.ts'

/** More than a page shows at once; a choice for a folder, or for all, holds for what is not shown as well. */
const SHOWN_FOLDERS = 100
const SHOWN_FILES = 200

export const CONFLICT_SCHEMA = `
  CREATE TABLE IF NOT EXISTS conflicts (
    item INTEGER NOT NULL, path TEXT NOT NULL, folder TEXT NOT NULL,
    size INTEGER NOT NULL, mtime INTEGER NOT NULL, existing_size INTEGER NOT NULL, existing_mtime INTEGER NOT NULL,
    renamed TEXT NOT NULL, choice TEXT NOT NULL DEFAULT '', PRIMARY KEY (item, path)
  ) STRICT, WITHOUT ROWID;
`

/** Which of them a choice is about; all that are left without path and folder. */
export interface ConflictScope {
  readonly path?: string | undefined
  readonly folder?: string | undefined
}

/** Files of queued transfers that are at their targets already, and what was decided about each. */
export class ConflictStore {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** Within a transaction of the caller. One that is found again is undecided again. */
  add(item: number, found: readonly FoundConflict[]): void {
    const added = this.#db.prepare(
      `INSERT OR REPLACE INTO conflicts (item, path, folder, size, mtime, existing_size, existing_mtime, renamed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    for (const { path, incoming, existing, renamed } of found) {
      const sides = [incoming.size, incoming.mtimeMs, existing.size, existing.mtimeMs]
      added.run(item, path, folderOf(path), ...sides, renamed)
    }
  }

  /** @returns how many it was about */
  decide(item: number, choice: LocalChoice, { path, folder }: ConflictScope): number {
    const decided = `UPDATE conflicts SET choice = ?1 WHERE item = ?2 AND choice = ''
      AND (?3 IS NULL OR path = ?3) AND (?4 IS NULL OR folder = ?4)`
    return Number(this.#db.prepare(decided).run(choice, item, path ?? null, folder ?? null).changes)
  }

  /** What a person has not decided. */
  undecided(item: number): LocalConflicts {
    const folders = this.#db
      .prepare(
        `SELECT folder, count(*) AS count FROM conflicts WHERE item = ? AND choice = '' GROUP BY folder ORDER BY folder`,
      )
      .all(item)
    const count = folders.reduce((sum, { count: more }) => sum + Number(more), 0)
    let left = SHOWN_FILES
    const shown = folders.slice(0, SHOWN_FOLDERS).map((row): LocalConflictFolder => {
      const files = left === 0 ? [] : this.#filesOf(item, String(row['folder']), left)
      left -= files.length
      return { folder: String(row['folder']), count: Number(row['count']), files }
    })
    return { count, folders: shown }
  }

  #filesOf(item: number, folder: string, limit: number): LocalConflictFolder['files'] {
    return this.#db
      .prepare(`SELECT * FROM conflicts WHERE item = ? AND choice = '' AND folder = ? ORDER BY path LIMIT ?`)
      .all(item, folder, limit)
      .map((row) => ({
        path: String(row['path']),
        existing: { size: Number(row['existing_size']), time: Math.floor(Number(row['existing_mtime']) / 1000) },
        incoming: { size: Number(row['size']), time: Math.floor(Number(row['mtime']) / 1000) },
      }))
  }

  decisions(item: number): Decisions {
    const rows = this.#db
      .prepare(`SELECT path, choice, renamed FROM conflicts WHERE item = ? AND choice <> ''`)
      .all(item)
    return new Map(
      rows.map((row) => [
        String(row['path']),
        { choice: String(row['choice']) as Decision['choice'], renamed: String(row['renamed']) },
      ]),
    )
  }

  /** Files have been replaced, all but those that failed: nothing replaces them again. */
  replaced(item: number, failed: readonly string[]): void {
    const done = this.#db.prepare(`UPDATE conflicts SET choice = 'done' WHERE item = ? AND path = ?`)
    const left = new Set(failed)
    for (const [path, { choice }] of this.decisions(item))
      if (choice === 'replace' && !left.has(path)) done.run(item, path)
  }

  /** Whether something is to be transferred by what was decided. */
  hasWork(item: number): boolean {
    const found = `SELECT 1 FROM conflicts WHERE item = ? AND choice IN ('replace', 'keep-both') LIMIT 1`
    return this.#db.prepare(found).get(item) !== undefined
  }

  /** Those of transfers that are no longer in the queue. */
  prune(): void {
    this.#db.exec('DELETE FROM conflicts WHERE item NOT IN (SELECT id FROM items)')
  }
}
