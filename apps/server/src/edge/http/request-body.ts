import type { IncomingMessage } from 'node:http'
import type { RequestBytes } from '../../kernel/endpoint.ts'
import type { BodyMemory } from './body-memory.ts'
import type { DroppedBodies } from './dropped-bodies.ts'

type Step = IteratorResult<Uint8Array>
const DONE: Step = { value: undefined, done: true }

/**
 * The body of a request as Node's parser hands it over, chunk by chunk. Left early it does not take the connection with it:
 * the answer still has to go out. The stream's own iterator costs several times the promises, which shows at 16,384 chunks
 * for each GiB.
 */
export class RequestBody implements RequestBytes {
  readonly #req: IncomingMessage
  readonly #memory: BodyMemory
  readonly #dropped: DroppedBodies
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #waiting: { readonly resolve: (step: Step) => void; readonly reject: (reason: Error) => void } | undefined
  #isAttached = false
  #hasEnded = false
  #failure: Error | undefined
  #giveBackShare = (): void => {}

  constructor(req: IncomingMessage, memory: BodyMemory, dropped: DroppedBodies) {
    this.#req = req
    this.#memory = memory
    this.#dropped = dropped
  }

  /** The parser has memory of its own. */
  fillFrom(): void {}

  next(): Promise<Step> {
    if (!this.#isAttached) this.#attach()
    const chunk = this.#chunks.shift()
    if (chunk !== undefined) {
      this.#bytes -= chunk.length
      if (this.#req.isPaused() && this.#bytes < this.#memory.shareBytes) this.#req.resume()
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

  close(): void {
    this.#dropped.drop(this.#req, () => this.#req.complete)
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
    if (this.#bytes >= this.#memory.shareBytes) this.#req.pause()
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
    this.#giveBackShare = this.#memory.enter()
    this.#req.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onError).on('close', this.#onClose)
    if (this.#req.destroyed) this.#onClose()
  }

  #detach(): void {
    this.#giveBackShare()
    this.#req.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onError).off('close', this.#onClose)
    this.#req.pause()
  }
}
