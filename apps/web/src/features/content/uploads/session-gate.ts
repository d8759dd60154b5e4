import { serverUnavailable } from '@godwit/contract/wire/api-error'

/** Whether somebody is signed in, for work that outlives a session. */
export class SessionGate {
  #isHalted = false
  #begun = Promise.withResolvers<void>()
  readonly #leaving = new Set<() => void>()

  get isHalted(): boolean {
    return this.#isHalted
  }

  halt(): void {
    this.#isHalted = true
    for (const leave of this.#leaving) leave()
  }

  begin(): void {
    this.#isHalted = false
    this.#begun.resolve()
    this.#begun = Promise.withResolvers()
  }

  /** Settles when somebody is signed in: at once, or with the next sign-in. */
  async opened(): Promise<void> {
    if (this.#isHalted) await this.#begun.promise
  }

  /** @throws ApiError SERVER_UNAVAILABLE when the session ends before `work` does: whoever was to answer is gone */
  within<Result>(work: Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const leave = (): void => reject(serverUnavailable())
    this.#leaving.add(leave)
    work.then(resolve, reject).finally(() => this.#leaving.delete(leave))
    return promise
  }
}
