/** Discards that can still be undone; each is carried out when its time is over. */
export class UndoableDiscards<Subject> {
  readonly #delayMs: number
  readonly #timers = new Map<Subject, ReturnType<typeof setTimeout>>()

  constructor(delayMs: number) {
    this.#delayMs = delayMs
  }

  /** Whether the subject is discarded but can still be brought back. */
  has(subject: Subject): boolean {
    return this.#timers.has(subject)
  }

  add(subject: Subject, discard: () => void): void {
    const run = (): void => {
      this.#timers.delete(subject)
      discard()
    }
    this.#timers.set(subject, setTimeout(run, this.#delayMs))
  }

  /** @returns false when it is too late */
  undo(subject: Subject): boolean {
    clearTimeout(this.#timers.get(subject))
    return this.#timers.delete(subject)
  }

  /** Forgets everything that is not carried out yet. */
  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
  }
}
