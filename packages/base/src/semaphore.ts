/** Admits at most `limit` holders; the others wait in order of arrival. */
export class Semaphore {
  #free: number
  readonly #waiting: Array<() => void> = []

  constructor(limit: number) {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`semaphore limit: ${limit}`)
    this.#free = limit
  }

  /** Runs `work` while holding one place; the place is given back whatever happens. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#acquire(signal)
    try {
      return await work()
    } finally {
      this.#release()
    }
  }

  async #acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const admitted = () => {
        signal?.removeEventListener('abort', aborted)
        resolve()
      }
      const aborted = () => {
        this.#waiting.splice(this.#waiting.indexOf(admitted), 1)
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
      }
      signal?.addEventListener('abort', aborted, { once: true })
      this.#waiting.push(admitted)
    })
  }

  #release(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free++
  }
}
