import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { uploadsStore, type DurableSpan } from './intake.store.ts'
import type { Leases } from './leases.ts'

/** Acknowledgements in one transaction. */
const BATCH = 500

interface Waiting {
  readonly span: DurableSpan
  readonly fence: number
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/**
 * Records which bytes are durable. What arrives while a transaction is under way shares the next one: with many parts in
 * flight the flush of the database is paid once for all of them.
 */
export class AckLog {
  readonly #db: Db
  readonly #leases: Leases
  #waiting: Waiting[] = []
  #isRunning = false
  /** Uploads that bytes arrived for since somebody last asked. */
  #touched = new Set<string>()

  constructor(db: Db, leases: Leases) {
    this.#db = db
    this.#leases = leases
  }

  /**
   * Resolves when the record itself is durable; only then may a caller be answered.
   * @param fence of the lease under which the bytes were written
   * @throws AppError UPLOAD_BUSY when another node took the bytes over meanwhile
   */
  record(span: DurableSpan, fence: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ span, fence, resolve, reject })
      if (!this.#isRunning) void this.#drain()
    })
  }

  /** Ids of the uploads that bytes arrived for since the last call. */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched
    this.#touched = new Set()
    return touched
  }

  /** Never rejects: each caller learns of its own record. */
  async #drain(): Promise<void> {
    this.#isRunning = true
    // Lets callers that became ready in the same turn join the first batch.
    await new Promise(setImmediate)
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH)
      try {
        const refused = await this.#write(batch)
        for (const one of batch) {
          if (refused.has(one)) one.reject(new AppError('UPLOAD_BUSY'))
          else {
            this.#touched.add(one.span.uploadId)
            one.resolve()
          }
        }
      } catch (thrown) {
        for (const { reject } of batch) reject(thrown)
      }
    }
    this.#isRunning = false
  }

  /** @returns those whose lease is lost */
  #write(batch: readonly Waiting[]): Promise<Set<Waiting>> {
    return inTransaction(this.#db, async (tx) => {
      const refused = new Set<Waiting>()
      for (const one of batch) {
        if (await this.#leases.confirm(tx, one.span.uploadId, one.fence)) await uploadsStore.putSpan(tx, one.span)
        else refused.add(one)
      }
      return refused
    })
  }
}
