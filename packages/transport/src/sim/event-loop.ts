/** Virtual time: events in integer microseconds, run in order of time, then of scheduling. */
export class EventLoop {
  #now = 0
  #sequence = 0
  #count = 0
  #times = new Float64Array(1024)
  #orders = new Float64Array(1024)
  readonly #actions: Array<() => void> = []

  get now(): number {
    return this.#now
  }

  /** Runs `action` at `time`, rounded up to a whole microsecond and never in the past. */
  at(time: number, action: () => void): void {
    if (this.#count === this.#times.length) this.#grow()
    const at = Math.max(this.#now, Math.ceil(time))
    let index = this.#count++
    const order = this.#sequence++
    while (index > 0) {
      const parent = (index - 1) >> 1
      if ((this.#times[parent] ?? 0) <= at) break
      this.#move(parent, index)
      index = parent
    }
    this.#place(index, { at, order, action })
  }

  /** Runs everything up to `end`, or until `isDone`, and answers the time then. */
  run(end: number, isDone: () => boolean): number {
    while (this.#count > 0 && (this.#times[0] ?? 0) <= end && !isDone()) {
      this.#now = this.#times[0] ?? 0
      this.#takeFirst()()
    }
    if (!isDone()) this.#now = end
    return this.#now
  }

  #takeFirst(): () => void {
    const action = this.#actions[0]
    if (action === undefined) throw new Error('event loop is empty')
    this.#count -= 1
    const last = this.#count
    const lastAction = this.#actions[last]
    if (last > 0 && lastAction !== undefined) {
      this.#sink({ at: this.#times[last] ?? 0, order: this.#orders[last] ?? 0, action: lastAction })
    }
    this.#actions.length = last
    return action
  }

  #sink(event: { at: number; order: number; action: () => void }): void {
    let index = 0
    for (;;) {
      let child = index * 2 + 1
      if (child >= this.#count) break
      if (child + 1 < this.#count && this.#isBefore(child + 1, child)) child += 1
      const childTime = this.#times[child] ?? 0
      if (event.at < childTime || (event.at === childTime && event.order < (this.#orders[child] ?? 0))) break
      this.#move(child, index)
      index = child
    }
    this.#place(index, event)
  }

  #isBefore(left: number, right: number): boolean {
    const a = this.#times[left] ?? 0
    const b = this.#times[right] ?? 0
    return a < b || (a === b && (this.#orders[left] ?? 0) < (this.#orders[right] ?? 0))
  }

  #move(from: number, to: number): void {
    const action = this.#actions[from]
    if (action !== undefined) this.#place(to, { at: this.#times[from] ?? 0, order: this.#orders[from] ?? 0, action })
  }

  #place(index: number, event: { at: number; order: number; action: () => void }): void {
    this.#times[index] = event.at
    this.#orders[index] = event.order
    this.#actions[index] = event.action
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2)
    const orders = new Float64Array(this.#times.length * 2)
    times.set(this.#times)
    orders.set(this.#orders)
    this.#times = times
    this.#orders = orders
  }
}
