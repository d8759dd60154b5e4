import { AppError } from '../../kernel/errors.ts'
import { FairSemaphore } from '../../kernel/fair-semaphore.ts'
import type { Decoder, DecodeJob } from './decoder.ts'

/** Gives the decoders to everybody in turn. */
export interface Turns {
  /**
   * @param owner whose turn it is
   * @throws AppError SERVER_BUSY when too many wait; as {@link Decoder.decode}
   */
  decode(owner: string, job: DecodeJob): Promise<Uint8Array>
}

/** Requests that wait for a decoder; of these, those of one person. A page asks for a few at a time. */
const WAITING = { total: 512, perOwner: 64 } as const

export function createTurns(decoders: readonly Decoder[]): Turns {
  const turns = new FairSemaphore({ total: decoders.length, perOwner: decoders.length })
  const free = [...decoders]
  const waiting = new Map<string, number>()
  let total = 0

  function count(owner: string, change: 1 | -1): void {
    const own = (waiting.get(owner) ?? 0) + change
    total += change
    if (own === 0) waiting.delete(owner)
    else waiting.set(owner, own)
  }

  async function withDecoder(job: DecodeJob): Promise<Uint8Array> {
    const decoder = free.pop()
    if (decoder === undefined) throw new Error('more turns than decoders')
    try {
      return await decoder.decode(job)
    } finally {
      free.push(decoder)
    }
  }

  return {
    async decode(owner, job) {
      const isFull = total >= WAITING.total || (waiting.get(owner) ?? 0) >= WAITING.perOwner
      if (isFull) throw new AppError('SERVER_BUSY', { retryAfterSeconds: 5 })
      count(owner, 1)
      try {
        return await turns.run({ owner, signal: job.signal }, () => withDecoder(job))
      } finally {
        count(owner, -1)
      }
    },
  }
}
