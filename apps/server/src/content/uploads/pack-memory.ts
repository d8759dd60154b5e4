import { MiB, Semaphore } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'
import { PACK_MAX_BODY_BYTES } from './pack-frames.ts'

/** Bytes that all packs together hold: each is in memory as a whole until its files are written. */
const PROCESS_BYTES = 256 * MiB
/** Of these, so many for one account: the largest pack fits, and nobody keeps the others out alone. */
const ACCOUNT_BYTES = 96 * MiB

/** A body that takes longer is cut: its memory is wanted by others. Who has a slow line sends smaller packs. */
const LONGEST_MS = 10 * 60_000

interface Share {
  readonly places: Semaphore
  users: number
}

/** Lets packs in while there is memory for them; the others wait, unread, in order of arrival. */
export class PackMemory {
  readonly #process = new Semaphore(PROCESS_BYTES)
  readonly #accounts = new Map<string, Share>()

  /** @param length announced bytes of the body; undefined counts as the largest pack */
  async run<T>(
    {
      userId,
      length,
      signal,
    }: { readonly userId: string; readonly length: number | undefined; readonly signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const places = Math.max(1, Math.min(length ?? PACK_MAX_BODY_BYTES, PACK_MAX_BODY_BYTES))
    const share = this.#accounts.get(userId) ?? { places: new Semaphore(ACCOUNT_BYTES), users: 0 }
    this.#accounts.set(userId, share)
    share.users++
    try {
      return await share.places.run(() => this.#process.run(() => inTime(work, signal), signal, places), signal, places)
    } finally {
      share.users--
      if (share.users === 0) this.#accounts.delete(userId)
    }
  }
}

async function inTime<T>(work: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new AppError('UPLOAD_PART_INVALID', { reason: 'too-slow' })), LONGEST_MS)
  try {
    return await work(AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}
