/** Who waits: all that one sharer asks for together gets a part by its weight. */
export interface Sharer {
  readonly key: string
  /** Above 0. Twice the weight is twice the part, as long as both have something waiting. */
  readonly weight: number
}

interface Waiting<T> {
  readonly sharer: string
  readonly begin: number
  readonly item: T
}

/**
 * What waits for something that comes bit by bit, in an order that is fair to the sharers and not to the requests: start-time fair
 * queueing (Goyal, Vin and Cheng, 1996). Requests of one sharer stay in their order, and nothing is held back while there is room.
 */
export class FairQueue<T> {
  readonly #waiting: Array<Waiting<T>> = []
  /** Where the last request of each sharer ends, in units of size by weight. */
  readonly #ends = new Map<string, number>()
  /** Where the request began that was taken last. */
  #now = 0

  get length(): number {
    return this.#waiting.length
  }

  push({ key, weight }: Sharer, size: number, item: T): void {
    const begin = Math.max(this.#now, this.#ends.get(key) ?? 0)
    this.#ends.set(key, begin + size / weight)
    // From the end: most requests come behind all others.
    let at = this.#waiting.length
    while (at > 0 && (this.#waiting[at - 1]?.begin ?? 0) > begin) at--
    this.#waiting.splice(at, 0, { sharer: key, begin, item })
  }

  /** The next one, which stays. */
  first(): T | undefined {
    return this.#waiting[0]?.item
  }

  shift(): T | undefined {
    const next = this.#waiting.shift()
    if (next === undefined) return undefined
    this.#now = next.begin
    this.#settle()
    return next.item
  }

  /** Takes one out that is not waited for any more. */
  remove(item: T): void {
    const at = this.#waiting.findIndex((each) => each.item === item)
    const [gone] = at < 0 ? [] : this.#waiting.splice(at, 1)
    const isLast = gone !== undefined && !this.#waiting.slice(at).some(({ sharer }) => sharer === gone.sharer)
    if (isLast) this.#ends.set(gone.sharer, gone.begin)
    this.#settle()
  }

  /** When nobody waits, nobody has had more than others: all begin anew. */
  #settle(): void {
    if (this.#waiting.length > 0) return
    this.#now = 0
    this.#ends.clear()
  }
}
