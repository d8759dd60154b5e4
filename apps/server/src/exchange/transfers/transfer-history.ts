import type { TransferState } from '@godwit/contract'
import { isOver } from './transfers.machine.ts'
import { historyStore } from './history.store.ts'
import type { TransferRow } from './transfers.schema.ts'
import { publishTransfer } from './transfers.service.ts'
import { transfersStore } from './transfers.store.ts'
import type { TransfersDeps } from './transfers.deps.ts'
import type { Book, TransferBooks } from './transfer-books.ts'

export const WRITE_MS = 1_000
/** A burst is over when nothing came for so long. */
const REST_MS = 2_000
/** What rests longer than this is forgotten here; its row stays. */
const FORGET_MS = 60_000
/** Weight of the newest second in the rate that is shown. */
const NEWEST = 0.4

type Deps = Pick<TransfersDeps, 'db' | 'clock' | 'bus' | 'log'>

/** Writes the books down: a row for each transfer, at most one write a second, whatever number of files it has. */
export class TransferHistory {
  readonly #deps: Deps
  readonly #books: TransferBooks
  /** One round after another. */
  #rounds: Promise<void> = Promise.resolve()

  constructor(deps: Deps, books: TransferBooks) {
    this.#deps = deps
    this.#books = books
  }

  /** Writes down all that happened. */
  write(): Promise<void> {
    this.#rounds = this.#rounds.then(async () => {
      for (const book of this.#books.all) await this.#attempt(book)
    })
    return this.#rounds
  }

  /** Stops what a cancelled transfer still moves. */
  stop(id: string): void {
    for (const stop of this.#books.find(id)?.stops ?? []) stop()
  }

  async #attempt(book: Book): Promise<void> {
    const now = this.#deps.clock.monotonic()
    const isQuiet = !book.isDirty && now - book.touchedAt > REST_MS + WRITE_MS && book.rate === 0
    if (isQuiet) {
      if (now - book.touchedAt > FORGET_MS) this.#books.drop(book)
      return
    }
    const taken = this.#books.take(book)
    try {
      const row = await this.#put(book, taken)
      if (row === undefined) return this.#books.drop(book)
      await this.#conclude(book, row, taken)
    } catch (thrown) {
      this.#books.putBack(book, taken)
      this.#deps.log.warn({ err: thrown, transferId: book.id }, 'writing down a transfer failed')
      // Its account may be gone, and with it whoever would read this.
      if (now - book.touchedAt > FORGET_MS) this.#books.drop(book)
    }
  }

  /** @returns the row after it; undefined for what is not, or no longer, the account's */
  async #put(book: Book, { figures, failed }: Pick<Book, 'figures' | 'failed'>): Promise<TransferRow | undefined> {
    const { db, clock } = this.#deps
    const now = clock.monotonic()
    const seconds = Math.max(0.001, (now - book.writtenAt) / 1_000)
    const newest = figures.bytesMoved / seconds
    book.rate = Math.round(book.rate === 0 ? newest : book.rate * (1 - NEWEST) + newest * NEWEST)
    if (figures.bytesMoved === 0 && now - book.touchedAt > REST_MS) book.rate = 0
    book.writtenAt = now
    const paths = book.arePathsNew ? { paths: JSON.stringify(book.paths) } : {}
    const change = { bytes_per_second: book.rate, updated_at: clock.now(), error: book.error, ...paths }
    if (book.row === undefined) await historyStore.add(db, book, { figures, change })
    else await historyStore.insert(db, { ...book.row, ...change }, figures)
    book.row = undefined
    book.arePathsNew = false
    await historyStore.addFiles(db, book.id, failed)
    const row = await transfersStore.byId(db, book.id)
    return row?.user_id === book.userId ? row : undefined
  }

  /** Brings the state in line with what happened, and lets open pages know. */
  async #conclude(book: Book, row: TransferRow, { figures }: Pick<Book, 'figures'>): Promise<void> {
    const { db, bus, clock } = this.#deps
    if (row.state === 'cancelled') this.stop(book.id)
    const isResting = book.open === 0 && clock.monotonic() - book.touchedAt >= REST_MS
    const state = isResting ? endOf(book, row) : reopened(book, row, figures.bytesMoved + figures.files > 0)
    let shown = row
    if (state !== undefined && state !== row.state) {
      const isEnd = isOver(state)
      const change = {
        ...{ state, finished_at: isEnd ? book.lastAt : 0, updated_at: clock.now() },
        ...(isEnd ? { bytes_per_second: 0 } : { is_cleared: 0 }),
      }
      if (await transfersStore.change(db, row, change)) shown = { ...row, ...change }
    }
    publishTransfer({ bus }, shown)
  }
}

/** What became of a transfer in which nothing happens any more; undefined where somebody else knows. */
function endOf(book: Book, row: TransferRow): TransferState | undefined {
  if (row.state !== 'running' && row.state !== 'interrupted') return undefined
  const isWhole = row.files_done + row.failures >= row.files
  if (!isWhole && (book.isReported || book.isElsewhere)) return undefined
  return finalState({ ...row, failures: row.failures + (isWhole ? 0 : 1) })
}

export function finalState({
  failures,
  files_done: done,
  error,
}: Pick<TransferRow, 'failures' | 'files_done' | 'error'>): TransferState {
  if (failures <= 0) return 'completed'
  if (done > 0) return 'partial'
  return error === '' ? 'cancelled' : 'failed'
}

/** A burst that goes on after a rest, and an upload that somebody came back to, are under way again. */
function reopened(book: Book, row: TransferRow, hasMoved: boolean): TransferState | undefined {
  if (!hasMoved || row.state === 'cancelled' || row.state === 'running' || row.state === 'paused') return undefined
  return isOver(row.state) && (book.isReported || book.isElsewhere) ? undefined : 'running'
}
