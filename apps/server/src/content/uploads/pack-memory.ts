import { MiB } from '@godwit/base'
import { AppError } from '../../kernel/errors.ts'
import { FairSemaphore } from '../../kernel/fair-semaphore.ts'
import { PACK_MAX_BODY_BYTES } from './pack-frames.ts'

/** What one account may hold of the memory for packs: the largest pack fits, and nobody keeps the others out alone. */
const ACCOUNT_BYTES = 96 * MiB

/** A body that takes longer is cut: its memory is wanted by others. Who has a slow line sends smaller packs. */
const LONGEST_MS = 10 * 60_000

/** Lets packs in while there is memory for them; the others wait, unread, in order of arrival. */
export class PackMemory {
  readonly #bytes: FairSemaphore

  /** @param totalBytes what all packs together may hold: each is in memory as a whole until its files are written */
  constructor(totalBytes: number) {
    const total = Math.max(totalBytes, PACK_MAX_BODY_BYTES)
    this.#bytes = new FairSemaphore({ total, perOwner: Math.min(total, ACCOUNT_BYTES) })
  }

  /** @param length announced bytes of the body; undefined counts as the largest pack */
  run<T>(
    {
      userId,
      length,
      signal,
    }: { readonly userId: string; readonly length: number | undefined; readonly signal: AbortSignal },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const places = Math.max(1, Math.min(length ?? PACK_MAX_BODY_BYTES, PACK_MAX_BODY_BYTES))
    return this.#bytes.run({ owner: userId, signal, places }, () => inTime(work, signal))
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
