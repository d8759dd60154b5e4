import type { IncomingMessage } from 'node:http'
import { MiB } from '@godwit/base'

/** Bytes that may wait here before the sender is slowed down. */
const WAITING_BYTES = MiB

type Step = IteratorResult<Uint8Array>
const DONE: Step = { value: undefined, done: true }

/**
 * The body of a request, chunk by chunk. Left early it does not take the connection with it: the answer still has to go out.
 * The stream's own iterator costs several times the promises, which shows at 16,384 chunks for each GiB.
 */
export class RequestBody implements AsyncIterableIterator<Uint8Array> {
  readonly #req: IncomingMessage
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #waiting: { readonly resolve: (step: Step) => void; readonly reject: (reason: Error) => void } | undefined
  #isAttached = false
  #hasEnded = false
  #failure: Error | undefined

  constructor(req: IncomingMessage) {
    this.#req = req
  }

  next(): Promise<Step> {
    if (!this.#isAttached) this.#attach()
    const chunk = this.#chunks.shift()
    if (chunk !== undefined) {
      this.#bytes -= chunk.length
      if (this.#req.isPaused() && this.#bytes < WAITING_BYTES) this.#req.resume()
      return Promise.resolve({ value: chunk, done: false })
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#hasEnded) return Promise.resolve(DONE)
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }))
  }

  return(): Promise<Step> {
    if (this.#isAttached) this.#detach()
    this.#isAttached = true
    this.#hasEnded = true
    this.#chunks.length = 0
    this.#waiting?.resolve(DONE)
    return Promise.resolve(DONE)
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  readonly #onData = (chunk: Buffer): void => {
    const waiting = this.#waiting
    if (waiting !== undefined) {
      this.#waiting = undefined
      waiting.resolve({ value: chunk, done: false })
      return
    }
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    if (this.#bytes >= WAITING_BYTES) this.#req.pause()
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    this.#detach()
    this.#waiting?.resolve(DONE)
  }

  readonly #onError = (error: Error): void => {
    this.#failure ??= error
    this.#detach()
    this.#waiting?.reject(error)
  }

  /** Without an end before it, the sender went away. */
  readonly #onClose = (): void => {
    if (!this.#hasEnded) this.#onError(new Error('the request was cut'))
  }

  /** Not before the first byte is asked for: a body that is refused unread flows past. */
  #attach(): void {
    this.#isAttached = true
    this.#req.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose)
    if (this.#req.destroyed) this.#onClose()
  }

  #detach(): void {
    this.#req.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError).off('close', this.#onClose)
    this.#req.pause()
  }
}
