/** Calls that take effect in the order in which they were made; shared ones that follow each other run side by side. */
export class OrderedCalls {
  #exclusive: Promise<unknown> = Promise.resolve()
  #shared: Array<Promise<unknown>> = []

  shared<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#exclusive.then(work)
    this.#shared.push(result.catch(() => undefined))
    return result
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const before = Promise.all([this.#exclusive, ...this.#shared])
    const result = before.then(work)
    this.#exclusive = result.catch(() => undefined)
    this.#shared = []
    return result
  }
}
