import { errorSpec, type ErrorName } from '@godwit/contract/errors/catalogue'
import { ApiError } from '@godwit/contract/wire/api-error'

/** Waits between attempts, milliseconds; the last one repeats. */
const WAITS_MS = [250, 500, 1000, 2000, 4000, 6000]
/** Attempts in a row without progress before a call gives up: about a minute. */
const MAX_TRIES = 14

/**
 * True when the same call may succeed by itself after a while: the server is overloaded, restarting or out of reach, or this
 * side was so slow to send the call that the server gave up on it.
 */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  if (error.status === 408 || error.status === 429 || error.status >= 500 || error.name === 'UPLOAD_BUSY') return true
  return error.name === 'SERVER_UNAVAILABLE' && error.status === 0
}

/** An error of the catalogue that is found out on this side. */
export function failed(name: ErrorName, message: string): ApiError {
  return new ApiError({ code: errorSpec(name).wire, message })
}

/** Counts attempts in a row without progress, and waits before the next one. */
export class Patience {
  #tries = 0

  /** Something has arrived: the count begins anew. */
  renew(): void {
    this.#tries = 0
  }

  /** @throws the error when it does not mend by itself or has lasted too long; the reason of the signal when aborted */
  async after(error: unknown, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (!isTemporary(error) || this.#tries >= MAX_TRIES) throw error
    const waitMs = WAITS_MS[Math.min(this.#tries++, WAITS_MS.length - 1)] ?? 0
    await pause(waitMs, signal)
  }

  /** The result of a call that may be repeated. @throws as {@link after} */
  async of<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        await this.after(error, signal)
      }
    }
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
