import type { ServerResponse } from 'node:http'
import { KiB, MiB, type Clock } from '@godwit/base'
import type { Locale } from '@godwit/i18n'
import type { ObjectReader } from '@godwit/storage'
import type { RawExchange } from '../../kernel/endpoint.ts'
import type { Pace } from '../account-speeds/index.ts'
import type { Span } from './downloads.ranges.ts'
import type { StillShown } from './still-shown.ts'

/** What is sent first, out of one small buffer instead of two of 1 MiB. */
const FIRST_SPAN = 64 * KiB
/** Bytes sent out of it afterwards, before the buffers are chosen anew. */
const SMALL_SPAN = 4 * MiB
/** Bytes sent out of the big ones until then. */
const BIG_SPAN = 64 * MiB
/** Downloads that may hold big buffers at once, 2 MiB each: 500 clients that never read must not hold 1 GiB. */
const BIG_MAX = 8
/** A reader that took longer than this for one buffer gets small ones from then on. */
const SLOW_MS = 1_000
/** A connection on which nothing moves for so long is cut. */
const STALL_MS = 60_000

/** The part of an exchange that bytes are sent by. */
export interface SendExchange extends Pick<RawExchange, 'req' | 'res'> {
  readonly signal: AbortSignal
  readonly locale: Locale
  /** Asked of everything in a zip when its turn comes; left out where nothing but the whole is taken away. */
  readonly isStillShown?: StillShown
}

/** Sends bytes of files at the speed of their readers, within a bound on memory for all of them together. */
export interface Sender {
  /**
   * @param tap sees every chunk before it is sent
   * @throws StorageError 'conflict' when the file changed underneath; the reason of the signal
   */
  send(res: ServerResponse, source: Source): Promise<void>
}

export interface Source {
  readonly reader: ObjectReader
  readonly span: Span
  readonly signal: AbortSignal
  readonly tap?: (chunk: Uint8Array) => void
  /** How fast the reader's account may receive. */
  readonly pace?: Pace
}

/** @param onSent is called with the length of whatever left, for the figures of the server */
export function createSender(clock: Clock, onSent: (bytes: number) => void = () => undefined): Sender {
  let bigHolders = 0

  async function sendSpan(
    res: ServerResponse,
    { reader, span, signal, tap, pace, isFrugal }: Source & { readonly isFrugal: boolean },
  ): Promise<number> {
    let slowest = 0
    for await (const chunk of reader.stream({ ...span, isFrugal }, signal)) {
      tap?.(chunk)
      const startedAt = clock.monotonic()
      const wait = pace?.(chunk.length, signal)
      if (wait !== undefined) await wait
      await write(res, chunk)
      onSent(chunk.length)
      slowest = Math.max(slowest, clock.monotonic() - startedAt)
    }
    return slowest
  }

  return {
    async send(res, source) {
      let at = source.span.start
      let isFast = true
      while (at < source.span.end) {
        // The first bytes go out small: whoever does not even take those holds no more than that.
        const isFirst = at === source.span.start
        const isBig: boolean = isFast && !isFirst && bigHolders < BIG_MAX
        const most = isFirst ? FIRST_SPAN : isBig ? BIG_SPAN : SMALL_SPAN
        const end = Math.min(source.span.end, at + most)
        if (isBig) bigHolders++
        try {
          isFast = (await sendSpan(res, { ...source, span: { start: at, end }, isFrugal: !isBig })) < SLOW_MS
        } finally {
          if (isBig) bigHolders--
        }
        at = end
      }
    },
  }
}

/** The same sender, watched. */
export function countingSender(sender: Sender, onChunk: (bytes: number) => void): Sender {
  return {
    send(res, source) {
      const tap = (chunk: Uint8Array): void => {
        onChunk(chunk.length)
        source.tap?.(chunk)
      }
      return sender.send(res, { ...source, tap })
    },
  }
}

/** The same sender, no faster than one account may receive. */
export function pacedSender(sender: Sender, pace: Pace): Sender {
  return { send: (res, source) => sender.send(res, { ...source, pace }) }
}

/** Cuts the connection when the reader takes nothing for a minute. */
export function cutWhenStalled(res: ServerResponse): void {
  res.setTimeout(STALL_MS, () => res.destroy())
}

/** Waits for work during which nothing is sent: a reader that waits with us is not one that takes nothing. */
export async function patiently<T>(res: ServerResponse, work: Promise<T>): Promise<T> {
  res.setTimeout(0)
  try {
    return await work
  } finally {
    res.setTimeout(STALL_MS)
  }
}

/** Ends an answer. What its bytes come from is kept until the last one has left. */
export function finished(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    res.once('close', resolve)
    res.end(resolve)
  })
}

/** Why a write to a reader that went away ends. */
const GONE = 'the reader went away'
const pendingWrites = new WeakMap<ServerResponse, (reason: Error) => void>()

/**
 * Resolves when the bytes have left this process: only then may their buffer be used again. One write at a time for each response.
 * @throws Error when the reader went away, also in the moment when Node knows of the broken socket and the response does not:
 * `res.write` then drops the bytes and never calls back
 */
export function write(res: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (!pendingWrites.has(res)) res.once('close', () => pendingWrites.get(res)?.(new Error(GONE)))
    pendingWrites.set(res, reject)
    if (res.closed) reject(new Error(GONE))
    else res.write(chunk, (error) => (error == null ? resolve() : reject(error)))
  })
}
