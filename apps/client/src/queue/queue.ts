import { mkdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LocalChoice } from '@godwit/contract'
import type { FileFailure } from '@godwit/transfer'
import type { FoundConflict } from '../transfers/conflicts.ts'
import { CONFLICT_SCHEMA, type ConflictScope, ConflictStore } from './conflict-store.ts'
import { SENDING_SCHEMA, SendingStore } from './sending-store.ts'
import { type ServedFile, WATCHED_SCHEMA, type WatchedEntry, WatchedStore } from './watched-store.ts'

/**
 * State of a transfer in the queue of this computer:
 * - waiting: its turn has not come, or it is tried again later
 * - running: the daemon works on it
 * - paused: somebody at this computer holds it
 * - asking: somebody at this computer is to say what becomes of files that are at the target already
 * - done, partial, failed, cancelled: over; the middle two can be tried again
 */
export const QUEUE_STATES = [
  'waiting',
  'running',
  'paused',
  'asking',
  'done',
  'partial',
  'failed',
  'cancelled',
] as const
export type QueueState = (typeof QUEUE_STATES)[number]

export const QUEUE_PRIORITIES = ['low', 'normal', 'high'] as const
export type QueuePriority = (typeof QUEUE_PRIORITIES)[number]

/** What is to be transferred, and for which account. */
export interface NewItem {
  readonly server: string
  readonly account: string
  readonly direction: 'upload' | 'download'
  readonly spaceId: number
  readonly groupId: number
  /** Of an upload paths of this computer, of a download paths of the server. */
  readonly paths: readonly string[]
  /** Of an upload a folder of the server, of a download one of this computer. */
  readonly target: string
  /** Somebody can be asked about files that are at the target already. */
  readonly asks: boolean
}

export interface QueueItem extends NewItem {
  readonly id: number
  readonly state: QueueState
  readonly priority: QueuePriority
  /** The transfer of the server; '' before the first ticket. */
  readonly transferId: string
  /** Why it failed or waits; '' otherwise. */
  readonly error: string
  readonly failures: readonly FileFailure[]
  readonly files: number
  readonly bytes: number
  readonly bytesDone: number
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly finishedAt: number
}

/** Has something not ended yet. */
const OPEN = "('waiting', 'running', 'paused', 'asking')"

const SHOWN_ORDER = `
  CASE WHEN state IN ('running', 'asking') THEN 0 WHEN state IN ('failed', 'partial', 'paused') THEN 1 ELSE 2 END, id DESC`

export type ItemChange = Partial<
  Pick<
    QueueItem,
    'state' | 'priority' | 'transferId' | 'error' | 'failures' | 'files' | 'bytes' | 'bytesDone' | 'finishedAt'
  >
>

const FAILURES_MAX = 1_000
/** More than a person plans; a page that hands over without end fills no disk. */
const WAITING_MAX = 10_000
const HISTORY_MAX = 2_000
/** The daemon and a command write in turns. */
const BUSY_MS = 5_000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    server TEXT NOT NULL, account TEXT NOT NULL, direction TEXT NOT NULL,
    space_id INTEGER NOT NULL, group_id INTEGER NOT NULL, paths TEXT NOT NULL, target TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting', priority TEXT NOT NULL DEFAULT 'normal',
    transfer_id TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '', failures TEXT NOT NULL DEFAULT '[]',
    files INTEGER NOT NULL DEFAULT 0, bytes INTEGER NOT NULL DEFAULT 0, bytes_done INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL, finished_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS items_state ON items (state, id);
`

const COLUMNS: Readonly<Record<keyof ItemChange, string>> = {
  ...{ state: 'state', priority: 'priority', transferId: 'transfer_id', error: 'error', failures: 'failures' },
  ...{ files: 'files', bytes: 'bytes', bytesDone: 'bytes_done', finishedAt: 'finished_at' },
}

interface Row {
  readonly id: number
  readonly server: string
  readonly account: string
  readonly direction: 'upload' | 'download'
  readonly space_id: number
  readonly group_id: number
  readonly paths: string
  readonly target: string
  readonly state: QueueState
  readonly priority: QueuePriority
  readonly transfer_id: string
  readonly error: string
  readonly failures: string
  readonly files: number
  readonly bytes: number
  readonly bytes_done: number
  readonly created_at: number
  readonly finished_at: number
  readonly asks: number
}

/** Transfers of this computer, what is to be done and what was. They survive whatever ends the daemon or the computer. */
export class Queue implements Disposable {
  readonly #db: DatabaseSync
  readonly #now: () => number
  readonly conflicts: ConflictStore
  readonly sending: SendingStore
  readonly watched: WatchedStore

  /** @param folder made when missing, readable for its owner alone */
  constructor(folder: string, now: () => number) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#now = now
    this.#db = new DatabaseSync(join(folder, 'queue.db'), { timeout: BUSY_MS })
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;')
    this.#db.exec(SCHEMA + CONFLICT_SCHEMA + SENDING_SCHEMA + WATCHED_SCHEMA)
    this.#mend()
    this.conflicts = new ConflictStore(this.#db)
    this.sending = new SendingStore(this.#db)
    this.watched = new WatchedStore(this.#db)
  }

  /** The file of an older version: one asked nobody, one kept numbers of a server that cannot be read as such. */
  #mend(): void {
    const hasColumn = "SELECT 1 FROM pragma_table_info('items') WHERE name = 'asks'"
    const { MAX_SAFE_INTEGER: most } = Number
    this.#transact(() => {
      if (this.#db.prepare(hasColumn).get() === undefined)
        this.#db.exec('ALTER TABLE items ADD COLUMN asks INTEGER NOT NULL DEFAULT 0')
      // No server has a space 0: it refuses them, and they are over.
      this.#db
        .prepare(
          `UPDATE items SET space_id = 0, group_id = 0
           WHERE space_id NOT BETWEEN ?1 AND ?2 OR group_id NOT BETWEEN ?1 AND ?2`,
        )
        .run(-most, most)
    })
  }

  #transact<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#db.exec('COMMIT')
      return result
    } catch (error) {
      // A full disk has ended it already.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  /** @returns its id; undefined while too many wait */
  add(item: NewItem): number | undefined {
    const waiting = this.#db.prepare("SELECT count(*) AS count FROM items WHERE state = 'waiting'").get()
    if (Number(waiting?.['count']) >= WAITING_MAX) return undefined
    const { server, account, direction, spaceId, groupId, paths, target, asks } = item
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO items (server, account, direction, space_id, group_id, paths, target, asks, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(server, account, direction, spaceId, groupId, JSON.stringify(paths), target, asks ? 1 : 0, this.#now())
    return Number(lastInsertRowid)
  }

  get(id: number): QueueItem | undefined {
    const row = this.#db.prepare('SELECT * FROM items WHERE id = ?').get(id)
    return row === undefined ? undefined : present(row)
  }

  /** What runs or asks, then what goes on only when somebody sees to it, then the rest; of each the newest first. */
  list(limit = 200): readonly QueueItem[] {
    // The index has all that the order needs: whole rows are read of those alone that are listed.
    const shown = `SELECT id FROM items ORDER BY ${SHOWN_ORDER} LIMIT ?`
    return this.#db
      .prepare(`SELECT * FROM items WHERE id IN (${shown}) ORDER BY ${SHOWN_ORDER}`)
      .all(limit)
      .map(present)
  }

  /** How many there are in each state that has any. */
  counts(): Readonly<Partial<Record<QueueState, number>>> {
    const rows = this.#db.prepare('SELECT state, count(*) AS count FROM items GROUP BY state').all()
    return Object.fromEntries(rows.map(({ state, count }) => [String(state), Number(count)]))
  }

  /** Those whose turn comes next: by priority, then the oldest. */
  waiting(): readonly QueueItem[] {
    return this.#db
      .prepare(
        `SELECT * FROM items WHERE state = 'waiting'
         ORDER BY CASE priority WHEN 'high' THEN 0 WHEN 'normal' THEN 1 ELSE 2 END, id`,
      )
      .all()
      .map(present)
  }

  change(id: number, change: ItemChange): void {
    const given = Object.entries(change) as Array<[keyof ItemChange, ItemChange[keyof ItemChange]]>
    if (given.length === 0) return
    const values = given.map(([, value]) =>
      Array.isArray(value) ? JSON.stringify(value.slice(0, FAILURES_MAX)) : (value as string | number),
    )
    const columns = given.map(([name]) => `${COLUMNS[name]} = ?`).join(', ')
    this.#db.prepare(`UPDATE items SET ${columns} WHERE id = ?`).run(...values, id)
  }

  /** @returns false when something else became of it meanwhile */
  begin(id: number): boolean {
    const begun = "UPDATE items SET state = 'running', error = '' WHERE id = ? AND state = 'waiting'"
    return this.#db.prepare(begun).run(id).changes > 0
  }

  /** Those that the daemon works on, or did until something ended that suddenly. */
  running(): readonly number[] {
    return this.#db
      .prepare("SELECT id FROM items WHERE state = 'running'")
      .all()
      .map(({ id }) => Number(id))
  }

  /** Nobody works on it any more: its turn comes again, unless somebody has paused or cancelled it. @param error why it waits */
  release(id: number, error = ''): void {
    const released = "UPDATE items SET state = 'waiting', error = ? WHERE id = ? AND state = 'running'"
    this.#db.prepare(released).run(error, id)
  }

  /** @returns whether it is held now: what is over cannot be */
  pause(id: number): boolean {
    const paused = "UPDATE items SET state = 'paused', error = '' WHERE id = ? AND state IN ('waiting', 'running')"
    return this.#db.prepare(paused).run(id).changes > 0
  }

  /** @returns whether it waits for its turn again */
  resume(id: number): boolean {
    const resumed = "UPDATE items SET state = 'waiting' WHERE id = ? AND state = 'paused'"
    return this.#db.prepare(resumed).run(id).changes > 0
  }

  /** Takes off what no server has a transfer of that runs. @returns whether it was there */
  cancelWaiting(id: number): boolean {
    const cancelled = `UPDATE items SET state = 'cancelled', error = '', finished_at = ? WHERE id = ?
      AND (state IN ('waiting', 'paused', 'asking') OR state = 'running' AND transfer_id = '')`
    return this.#db.prepare(cancelled).run(this.#now(), id).changes > 0
  }

  /** Queues the files that were chosen in a file manager. @returns whether there were any */
  send(place: Pick<NewItem, 'server' | 'account' | 'spaceId' | 'groupId' | 'target'>): boolean {
    return this.#transact(() => {
      const paths = this.sending.paths()
      if (paths.length === 0) return false
      if (this.add({ ...place, direction: 'upload', paths, asks: true }) === undefined) return false
      this.sending.clear()
      return true
    })
  }

  /** Queues entries of a watched folder and remembers how they looked: both, or after a sudden end neither. */
  addWatched(
    item: NewItem,
    {
      root,
      entries,
      served = [],
    }: {
      readonly root: string
      readonly entries: readonly WatchedEntry[]
      readonly served?: readonly ServedFile[]
    },
  ): void {
    this.#transact(() => {
      if (this.add(item) !== undefined) this.watched.note(root, entries, served)
    })
  }

  /** All that could go has gone; somebody is to decide about the rest. */
  ask(id: number, found: readonly FoundConflict[], failures: readonly FileFailure[]): void {
    this.#transact(() => {
      this.conflicts.add(id, found)
      const { direction, paths = [], target = '' } = this.get(id) ?? {}
      if (direction === 'download')
        this.watched.settle(
          target,
          paths.map((path) => posix.basename(path)),
        )
      const asking =
        "UPDATE items SET state = 'asking', transfer_id = '', error = '' WHERE id = ? AND state = 'running'"
      this.#db.prepare(asking).run(id)
      this.change(id, { failures })
    })
  }

  /** With the last answer it goes on, or is over when nothing is left to be done. @returns whether there was something to decide */
  decide(id: number, choice: LocalChoice, scope: ConflictScope): boolean {
    return this.#transact(() => {
      const item = this.get(id)
      if (item?.state !== 'asking' || this.conflicts.decide(id, choice, scope) === 0) return false
      if (this.conflicts.undecided(id).count > 0) return true
      const goesOn = this.conflicts.hasWork(id) || item.failures.length > 0
      this.change(id, goesOn ? { state: 'waiting' } : { state: 'done', finishedAt: this.#now() })
      return true
    })
  }

  /** Files have been replaced, and the rest is a transfer of its own. @param failed paths of those that were not */
  replaced(id: number, failed: readonly string[]): void {
    this.#transact(() => {
      this.conflicts.replaced(id, failed)
      this.change(id, { transferId: '' })
    })
  }

  /** Its files are sent again, those alone that are not in place; a cancelled one begins anew. @returns whether there is something to repeat */
  retry(id: number): boolean {
    const { changes } = this.#db
      .prepare(
        `UPDATE items SET state = 'waiting', error = '', failures = '[]', finished_at = 0,
           transfer_id = CASE state WHEN 'cancelled' THEN '' ELSE transfer_id END
         WHERE id = ? AND state IN ('partial', 'failed', 'cancelled')`,
      )
      .run(id)
    return changes > 0
  }

  /** @returns whether one that is over was taken off the list */
  forget(id: number): boolean {
    const { changes } = this.#db.prepare(`DELETE FROM items WHERE id = ? AND state NOT IN ${OPEN}`).run(id)
    this.conflicts.prune()
    return changes > 0
  }

  /** What ran when the daemon ended goes on; the oldest history goes. */
  recover(): void {
    this.#db.exec("UPDATE items SET state = 'waiting' WHERE state = 'running'")
    this.#db
      .prepare(
        `DELETE FROM items WHERE state NOT IN ${OPEN} AND id <=
         (SELECT id FROM items WHERE state NOT IN ${OPEN} ORDER BY id DESC LIMIT 1 OFFSET ?)`,
      )
      .run(HISTORY_MAX)
    this.conflicts.prune()
  }

  [Symbol.dispose](): void {
    this.#db.close()
  }
}

/** The file of the queue cannot be read or written for now: the disk is full, or another program holds it for too long. */
export function isQueueError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'
}

function present(found: unknown): QueueItem {
  const row = found as Row
  return {
    ...{ id: row.id, server: row.server, account: row.account, direction: row.direction },
    ...{ spaceId: row.space_id, groupId: row.group_id, target: row.target, state: row.state, priority: row.priority },
    ...{ transferId: row.transfer_id, error: row.error, files: row.files, bytes: row.bytes, bytesDone: row.bytes_done },
    ...{ createdAt: row.created_at, finishedAt: row.finished_at, asks: row.asks === 1 },
    paths: textsIn(row.paths),
    failures: JSON.parse(row.failures) as readonly FileFailure[],
  }
}

/** An older version kept what a server sent, also where it was no list of texts. */
function textsIn(json: string): readonly string[] {
  const kept: unknown = JSON.parse(json)
  return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : []
}
