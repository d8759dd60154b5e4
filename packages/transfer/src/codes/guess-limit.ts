import { networkOf } from '@godwit/transport/node'

/** Attempts at once from one network, and after those one in this time. */
const PER_NETWORK = 5
const NETWORK_MS = 10_000
/** The same for all of them together. */
const OVERALL = 50
const OVERALL_MS = 1000
/** Networks that are remembered. */
const MAX_NETWORKS = 4096

interface Bucket {
  tokens: number
  at: number
}

/**
 * Limits how often a code can be tried. Every connection that begins a proof counts until it has ended it: a guess that breaks
 * off is still a guess.
 */
export class GuessLimit {
  readonly #nowMs: () => number
  readonly #networks = new Map<string, Bucket>()
  readonly #overall: Bucket

  /** @param nowMs monotonic */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
    this.#overall = { tokens: OVERALL, at: nowMs() }
  }

  /**
   * Counts an attempt.
   * @returns a function that refunds the attempt once it has succeeded; undefined when there were too many
   */
  begin(address: string): (() => void) | undefined {
    const network = this.#bucketOf(networkOf(address))
    refill(network, { most: PER_NETWORK, everyMs: NETWORK_MS, now: this.#nowMs() })
    refill(this.#overall, { most: OVERALL, everyMs: OVERALL_MS, now: this.#nowMs() })
    if (network.tokens < 1 || this.#overall.tokens < 1) return undefined
    network.tokens--
    this.#overall.tokens--
    return () => {
      network.tokens = Math.min(PER_NETWORK, network.tokens + 1)
      this.#overall.tokens = Math.min(OVERALL, this.#overall.tokens + 1)
    }
  }

  /** The oldest network is forgotten first; the limit over all holds for one that comes back. */
  #bucketOf(network: string): Bucket {
    const bucket = this.#networks.get(network) ?? { tokens: PER_NETWORK, at: this.#nowMs() }
    this.#networks.delete(network)
    this.#networks.set(network, bucket)
    const [oldest] = this.#networks.keys()
    if (oldest !== undefined && this.#networks.size > MAX_NETWORKS) this.#networks.delete(oldest)
    return bucket
  }
}

function refill(bucket: Bucket, { most, everyMs, now }: { most: number; everyMs: number; now: number }): void {
  const gained = Math.floor((now - bucket.at) / everyMs)
  if (gained === 0) return
  bucket.tokens = Math.min(most, bucket.tokens + gained)
  bucket.at += gained * everyMs
}
