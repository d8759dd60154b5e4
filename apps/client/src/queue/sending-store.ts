import type { DatabaseSync } from 'node:sqlite'
import { basename } from 'node:path'
import type { LocalSending, LocalSendFault } from '@godwit/contract'

/** More than a menu hands over at once. */
const FILES_MAX = 10_000
const SHOWN = 100

export const SENDING_SCHEMA = `
  CREATE TABLE IF NOT EXISTS sending (path TEXT PRIMARY KEY, fault TEXT NOT NULL DEFAULT '') STRICT;
`

/** Files that somebody chose in a file manager, until the page of the client is told where they go. */
export class SendingStore {
  readonly #db: DatabaseSync

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** @param fault why it cannot be sent; '' when it can */
  add(path: string, fault: LocalSendFault | ''): void {
    const added = `INSERT OR REPLACE INTO sending (path, fault) SELECT ?, ? WHERE (SELECT count(*) FROM sending) < ?`
    this.#db.prepare(added).run(path, fault, FILES_MAX)
  }

  /** Null without any. */
  view(): LocalSending | null {
    const rows = this.#db.prepare('SELECT path, fault FROM sending ORDER BY rowid').all()
    if (rows.length === 0) return null
    const all = rows.map((row) => ({ name: basename(String(row['path'])), fault: String(row['fault']) }))
    const good = all.filter(({ fault }) => fault === '')
    const left = all.flatMap(({ name, fault }) => (fault === '' ? [] : [{ name, fault: fault as LocalSendFault }]))
    return { count: good.length, names: good.slice(0, SHOWN).map(({ name }) => name), left: left.slice(0, SHOWN) }
  }

  /** What can be sent. */
  paths(): readonly string[] {
    const rows = this.#db.prepare("SELECT path FROM sending WHERE fault = '' ORDER BY rowid").all()
    return rows.map((row) => String(row['path']))
  }

  clear(): void {
    this.#db.exec('DELETE FROM sending')
  }
}
