import type { Random } from '@godwit/base'

import { CHALLENGE_LENGTH } from './frames.ts'
import type { AddressId, Micros } from './session.types.ts'

const REMEMBERED = 4
/** Waits before the tries after the first; then half a second, growing to 2 s. */
const EARLY_WAITS_US = [100_000, 150_000, 250_000]
const LATE_WAIT_US = 500_000
const MAX_WAIT_US = 2_000_000
/** RFC 9000 section 8.1: before validation at most three times what came from the address. */
const AMPLIFICATION = 3

/** Validation of one address: challenges sent there, and how much may be sent before one is answered. */
export class Challenge {
  readonly address: AddressId
  readonly #tokens: Array<{ token: Uint8Array; size: number; sentAt: Micros }> = []
  readonly #isLimited: boolean
  #tries = 0
  #nextAt: Micros
  #bytesIn = 0
  #bytesOut = 0

  /** `isLimited`: the address sent the first packet, so it may be forged. */
  constructor(now: Micros, address: AddressId, isLimited: boolean) {
    this.address = address
    this.#isLimited = isLimited
    this.#nextAt = now
  }

  get nextAt(): Micros {
    return this.#nextAt
  }

  get tries(): number {
    return this.#tries
  }

  onReceived(bytes: number): void {
    this.#bytesIn += bytes
  }

  onSent(bytes: number): void {
    this.#bytesOut += bytes
  }

  /** Bytes that may be sent to the address now. */
  get allowance(): number {
    return this.#isLimited ? Math.max(0, this.#bytesIn * AMPLIFICATION - this.#bytesOut) : Infinity
  }

  /** A fresh token for a packet of `size` bytes that leaves now. */
  issue(now: Micros, random: Random, size: number): Uint8Array {
    const token = random.fill(new Uint8Array(CHALLENGE_LENGTH))
    this.#tokens.push({ token, size, sentAt: now })
    if (this.#tokens.length > REMEMBERED) this.#tokens.shift()
    const late = Math.min(MAX_WAIT_US, LATE_WAIT_US * Math.max(1, this.#tries - EARLY_WAITS_US.length))
    this.#nextAt = now + (EARLY_WAITS_US[this.#tries] ?? late)
    this.#tries += 1
    return token
  }

  /** The challenge that these 8 bytes answer: the packet size it proved and when it left. */
  match(source: Uint8Array, at: number): { readonly size: number; readonly sentAt: Micros } | undefined {
    return this.#tokens.find(({ token }) => token.every((byte, index) => byte === source[at + index]))
  }
}
