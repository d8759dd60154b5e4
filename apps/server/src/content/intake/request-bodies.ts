import type { IncomingMessage } from 'node:http'
import type { Ctx } from '../../kernel/context.ts'
import type { RequestBytes } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { BlockLender, ByteSource } from '@godwit/storage'
import type { Pace } from '../account-speeds/index.ts'
import type { BodyRates } from './body-rates.ts'
import type { IntakeDeps } from './intake.deps.ts'
import type { Destination } from './running-bodies.ts'

/** Whose bytes come, and to where. */
export interface WatchedBody extends Destination {
  readonly body: RequestBytes
}

export interface WatchedRequest {
  readonly source: ByteSource
  /** Ends with the request, with the right to send there, and when its sender is too slow. */
  readonly signal: AbortSignal
}

/** Announced bytes of a body; the parser has already refused anything but digits. */
export function lengthOf(req: IncomingMessage): number | undefined {
  const header = req.headers['content-length']
  return header === undefined ? undefined : Number(header)
}

/** The body of a request, no faster than its sender may send, and cut when the sender is too slow or loses the right. */
export function watchedBody(deps: IntakeDeps, ctx: Ctx, { body, ...destination }: WatchedBody): WatchedRequest {
  const cut = new AbortController()
  const stop = (reason: AppError): void => cut.abort(reason)
  const source = deps.rates.watch(body, () => stop(new AppError('UPLOAD_PART_INVALID', { reason: 'too-slow' })))
  const signal = AbortSignal.any([ctx.signal, cut.signal])
  const forget = deps.running.begin(destination, stop)
  if (signal.aborted) forget()
  else signal.addEventListener('abort', forget, { once: true })
  const { principal, place } = destination
  return { source: new PacedBody(source, deps.speeds.paceOf(principal, 'upload', place), { signal, forget }), signal }
}

/**
 * Runs `work`; when it leaves without having read the body, the sender is given a moment to read the answer and is then cut,
 * so that an unwanted body costs neither memory nor a connection.
 */
export async function closing<T>(body: RequestBytes, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    body.close()
  }
}

/** How often a running part counts as activity of the session that began it. */
const KEEP_ALIVE_MS = 60_000

/** @returns a function that ends it */
export function keepSessionAlive(deps: IntakeDeps, sessionId: string): () => void {
  if (sessionId === '') return () => {}
  const touch = (): void => {
    deps.sessions.keepAlive(sessionId).catch((thrown: unknown) => {
      deps.log.warn({ err: thrown }, 'a session was not kept alive')
    })
  }
  const timer = setInterval(touch, KEEP_ALIVE_MS)
  timer.unref()
  return () => clearInterval(timer)
}

type Body = ReturnType<BodyRates['watch']>

/** Passes bytes on no faster than an account may send. Written by hand, not as a generator, for the same reason as RequestBody. */
class PacedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: Body
  readonly #pace: Pace
  readonly #signal: AbortSignal
  readonly #forget: () => void

  constructor(
    source: Body,
    pace: Pace,
    { signal, forget }: { readonly signal: AbortSignal; readonly forget: () => void },
  ) {
    this.#source = source
    this.#pace = pace
    this.#signal = signal
    this.#forget = forget
  }

  fillFrom(lender: BlockLender): void {
    this.#source.fillFrom(lender)
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const step = await this.#source.next()
    if (step.done === true) this.#forget()
    const wait = step.done === true ? undefined : this.#pace(step.value.length, this.#signal)
    if (wait !== undefined) await wait
    return step
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#forget()
    return this.#source.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
