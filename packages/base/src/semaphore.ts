interface Waiting {
  readonly places: number
  readonly admit: () => void
}

/** Admits holders while there are places. The others wait in order of arrival, so that a large one is never starved. */
export class Semaphore {
  readonly #limit: number
  #free: number
  readonly #waiting: Waiting[] = []

  constructor(limit: number) {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`semaphore limit: ${limit}`)
    this.#limit = limit
    this.#free = limit
  }

  /**
   * Runs `work` while holding this many places, and always releases them.
   * @param places 1 up to the limit: holders, or bytes of a budget
   * @throws RangeError for more places than the limit; the signal's reason
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal, places = 1): Promise<T> {
    if (places > this.#limit) throw new RangeError(`${places} places of ${this.#limit}`)
    await this.#acquire(places, signal)
    try {
      return await work()
    } finally {
      this.#free += places
      this.#admit()
    }
  }

  async #acquire(places: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.#waiting.length === 0 && places <= this.#free) {
      this.#free -= places
      return
    }
    await new Promise<void>((resolve, reject) => {
      const admit = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const waiting = { places, admit }
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
        // Later ones may fit where this one did not.
        this.#admit()
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiting)
    })
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && next.places <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.places
      next.admit()
    }
  }
}
