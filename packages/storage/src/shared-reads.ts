/** A reading under way, and the one that follows it. */
interface Turn {
  /** Fulfilled when the reading is over, however it ended. */
  readonly over: Promise<void>
  next: Promise<unknown> | undefined
}

/**
 * One reading for all who ask for the same thing at the same time. A reading that somebody gets always began after they
 * asked: whoever comes while one is under way gets the next, together with all who come until that begins.
 */
export class SharedReads {
  readonly #turns = new Map<string, Turn>()

  /** @param key names what is read: calls with the same key must read the same thing, and none may change what it gets */
  of<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const turn = this.#turns.get(key)
    if (turn === undefined) return this.#begin(key, read)
    turn.next ??= turn.over.then(() => this.#begin(key, read))
    return turn.next as Promise<Result>
  }

  #begin<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const reading = read()
    const end = (): void => {
      if (turn.next === undefined) this.#turns.delete(key)
    }
    const turn: Turn = { over: reading.then(end, end), next: undefined }
    this.#turns.set(key, turn)
    return reading
  }
}
