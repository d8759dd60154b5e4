import { StorageError } from './errors.ts'
import type { ByteSource } from './object-store.ts'

/**
 * The source, stopped by the signal even while it is idle; its own failures become StorageError 'source'.
 * Written by hand: a generator costs three turns of the microtask queue for each chunk, and there are 16,384 in a GiB.
 */
export function abortable(source: ByteSource, signal: AbortSignal | undefined): AsyncIterableIterator<Uint8Array> {
  return new Stoppable(source[Symbol.asyncIterator](), signal)
}

const DONE: IteratorResult<Uint8Array> = { value: undefined, done: true }

class Stoppable implements AsyncIterableIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #signal: AbortSignal | undefined
  #reject: (reason: unknown) => void = () => {}
  #hasEnded = false

  constructor(source: AsyncIterator<Uint8Array>, signal: AbortSignal | undefined) {
    this.#source = source
    this.#signal = signal
    signal?.addEventListener('abort', this.#stop)
  }

  readonly #stop = (): void => {
    this.#reject(this.#signal?.reason)
    this.#leave()
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#signal?.aborted === true) return this.#refuse(this.#signal)
    return new Promise((resolve, reject) => {
      this.#reject = reject
      this.#source.next().then(
        (step) => {
          if (step.done === true) this.#end()
          resolve(step)
        },
        (cause: unknown) => {
          this.#end()
          reject(new StorageError('source', { cause }))
        },
      )
    })
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#leave()
    return Promise.resolve(DONE)
  }

  async #refuse(signal: AbortSignal): Promise<never> {
    this.#leave()
    signal.throwIfAborted()
    throw new Error('stopped')
  }

  /** Ends a source early. Not awaited: an idle source responds only when its peer does. */
  #leave(): void {
    if (this.#hasEnded) return
    this.#end()
    this.#source.return?.().catch(() => {})
  }

  #end(): void {
    this.#hasEnded = true
    this.#signal?.removeEventListener('abort', this.#stop)
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
