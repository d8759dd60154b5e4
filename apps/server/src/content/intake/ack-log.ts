import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { uploadsStore, type DurableSpan } from './intake.store.ts'

/** Acknowledgements in one transaction. */
const BATCH = 500

interface Waiting {
  readonly span: DurableSpan
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/**
 * Writes down which bytes are durable. What arrives while a transaction is under way shares the next one: with many parts
 * in flight the flush of the database is paid once for all of them.
 */
export class AckLog {
  readonly #db: Db
  #waiting: Waiting[] = []
  #isRunning = false

  constructor(db: Db) {
    this.#db = db
  }

  /** Resolves when the record itself is durable; only then may a caller be told. */
  record(span: DurableSpan): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ span, resolve, reject })
      if (!this.#isRunning) void this.#drain()
    })
  }

  /** Never rejects: each caller is told of its own batch. */
  async #drain(): Promise<void> {
    this.#isRunning = true
    // Lets callers that became ready in the same turn join the first batch.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH)
      try {
        await inTransaction(this.#db, async (tx) => {
          for (const { span } of batch) await uploadsStore.putSpan(tx, span)
        })
        for (const { resolve } of batch) resolve()
      } catch (thrown) {
        for (const { reject } of batch) reject(thrown)
      }
    }
    this.#isRunning = false
  }
}
