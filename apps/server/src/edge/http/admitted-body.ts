import type { BlockLender } from '@godwit/storage'
import type { RequestBytes } from '../../kernel/endpoint.ts'
import type { BodyMemory } from './body-memory.ts'

type Step = IteratorResult<Uint8Array>

export interface AdmittedBodyDeps {
  readonly memory: BodyMemory
  /** Called with the length of whatever was taken. */
  readonly onBytes: (bytes: number) => void
  /** There is memory for the body, and its reader asks for it. */
  readonly onAdmitted?: () => void
}

/** A body that is not read before there is memory for it. Until then its sender is held back by the connection itself. */
export class AdmittedBody implements RequestBytes {
  readonly #body: RequestBytes
  readonly #memory: BodyMemory
  readonly #left = new AbortController()
  readonly #onBytes: (bytes: number) => void
  readonly #onAdmitted: (() => void) | undefined
  #release: (() => void) | undefined

  constructor(body: RequestBytes, { memory, onBytes, onAdmitted }: AdmittedBodyDeps) {
    this.#onBytes = onBytes
    this.#onAdmitted = onAdmitted
    this.#body = body
    this.#memory = memory
  }

  fillFrom(lender: BlockLender): void {
    this.#body.fillFrom(lender)
  }

  next(): Promise<Step> {
    return this.#release === undefined ? this.#firstStep() : this.#step()
  }

  return(): Promise<Step> {
    this.#leave()
    return this.#body.return?.() ?? Promise.resolve({ value: undefined, done: true })
  }

  close(): void {
    this.#leave()
    this.#body.close()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async #firstStep(): Promise<Step> {
    // Whoever asks again after the body was left gets its end.
    if (!this.#left.signal.aborted) {
      const release = await this.#memory.admit(this.#left.signal)
      if (this.#left.signal.aborted) release()
      else {
        this.#release = release
        this.#onAdmitted?.()
      }
    }
    return this.#step()
  }

  async #step(): Promise<Step> {
    const step = await this.#body.next()
    if (step.done !== true) this.#onBytes(step.value.length)
    return step
  }

  #leave(): void {
    this.#left.abort(new Error('the body was left'))
    this.#release?.()
    this.#release = undefined
  }
}
