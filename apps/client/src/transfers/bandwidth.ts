import type { RateCeiling } from '@godwit/transport/core'
import { createRateLimit } from '@godwit/transport/core'
import { systemMicros } from '@godwit/transport/node'

/** A download that runs: its speed is the server's to keep, because the sender paces. */
export interface PacedDownload {
  readonly id: number
  /** @param rateMbps 0: no limit */
  limit(rateMbps: number): Promise<unknown>
}

export interface BandwidthDeps {
  readonly rateMbps: number
  readonly downloads: () => Promise<readonly PacedDownload[]>
}

/** What all transfers of this computer may take together, changed while they run. */
export class Bandwidth {
  /** Everything that is sent draws on it. */
  readonly ceiling: RateCeiling
  readonly #downloads: BandwidthDeps['downloads']
  readonly #agreed = new Map<number, number>()
  #rateMbps: number

  constructor({ rateMbps, downloads }: BandwidthDeps) {
    this.#rateMbps = rateMbps
    this.#downloads = downloads
    this.ceiling = createRateLimit(systemMicros(), bitsOf(rateMbps))
  }

  get rateMbps(): number {
    return this.#rateMbps
  }

  /** Holds at once for what is sent; what is fetched follows with the answer of its server. */
  async set(rateMbps: number): Promise<void> {
    this.#rateMbps = rateMbps
    this.ceiling.setRate(systemMicros(), bitsOf(rateMbps))
    await this.fit()
  }

  /** Divides the rate between the downloads that run now. A server that does not answer is asked again by the next call. */
  async fit(): Promise<void> {
    const downloads = await this.#downloads()
    for (const id of this.#agreed.keys()) if (!downloads.some((one) => one.id === id)) this.#agreed.delete(id)
    const share = this.#rateMbps === 0 ? 0 : this.#rateMbps / downloads.length
    for (const { id, limit } of downloads) {
      // A limit that an administrator set is left alone while this computer has none.
      if ((this.#agreed.get(id) ?? 0) === share) continue
      const isSet = await limit(share).then(
        () => true,
        () => false,
      )
      if (isSet) this.#agreed.set(id, share)
    }
  }
}

function bitsOf(rateMbps: number): number {
  return rateMbps === 0 ? Infinity : rateMbps * 1e6
}
