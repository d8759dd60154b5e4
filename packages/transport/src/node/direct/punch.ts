import type { Random } from '@godwit/base'
import type { AddressId, Micros } from '../../core/index.ts'
import { MAX_CANDIDATES } from './candidates.ts'
import { NONCE_BYTES, readProbe, type Side, writeProbe } from './probes.ts'

/** Both sides probe at once; a router lets the other's probes in after it has let one out. Then more and more seldom, to the end. */
const QUICK_US: Micros = 100_000
const QUICK_FOR_US: Micros = 2_000_000
const SLOW_US: Micros = 500_000
const GIVE_UP_US: Micros = 15_000_000
/** Places that probes came from and that nobody named: routers that give each destination another port. */
const MAX_TARGETS = 2 * MAX_CANDIDATES

export interface Outgoing {
  readonly to: AddressId
  readonly datagram: Uint8Array
}

/** What a datagram of the peer leads to. */
export interface Heard {
  readonly answer: Outgoing | undefined
  /** The first address from which the peer has answered a probe of this side. */
  readonly found: AddressId | undefined
}

export interface PunchDeps {
  readonly side: Side
  readonly key: Uint8Array
  readonly random: Random
}

/** Probes all addresses of the peer until one answers. Without sockets and timers. */
export class Punch {
  readonly #deps: PunchDeps
  readonly #targets = new Map<AddressId, Uint8Array>()
  #startedAt: Micros = Infinity
  #nextAt: Micros = Infinity
  #isFound = false

  constructor(deps: PunchDeps) {
    this.#deps = deps
  }

  /** When to call `poll` next; Infinity: not of its own accord. */
  get nextAt(): Micros {
    return this.#nextAt
  }

  aim(now: Micros, targets: readonly AddressId[]): void {
    for (const target of targets) this.#add(target)
    if (this.#targets.size === 0 || this.#isFound) return
    if (this.#startedAt === Infinity) this.#startedAt = now
    this.#nextAt = now
  }

  #add(target: AddressId): void {
    if (this.#targets.has(target) || this.#targets.size >= MAX_TARGETS) return
    this.#targets.set(target, this.#deps.random.fill(new Uint8Array(NONCE_BYTES)))
  }

  poll(now: Micros): Outgoing[] {
    if (now < this.#nextAt) return []
    const age = now - this.#startedAt
    this.#nextAt = age > GIVE_UP_US ? Infinity : now + (age < QUICK_FOR_US ? QUICK_US : SLOW_US)
    const { key, side } = this.#deps
    return [...this.#targets].map(([to, nonce]) => ({ to, datagram: writeProbe(key, side, { kind: 'ask', nonce }) }))
  }

  /** Undefined: not from the peer. */
  onDatagram(now: Micros, datagram: Uint8Array, from: AddressId): Heard | undefined {
    const { key, side } = this.#deps
    const probe = readProbe(key, side === 'client' ? 'server' : 'client', datagram)
    if (probe === undefined) return undefined
    const nonce = this.#targets.get(from)
    if (nonce === undefined) this.aim(now, [from])
    if (probe.kind === 'ask') {
      const answer = { to: from, datagram: writeProbe(key, side, { kind: 'answer', nonce: probe.nonce }) }
      return { answer, found: undefined }
    }
    const isFirst = !this.#isFound && nonce !== undefined && Buffer.compare(nonce, probe.nonce) === 0
    if (isFirst) {
      this.#isFound = true
      this.#nextAt = Infinity
    }
    return { answer: undefined, found: isFirst ? from : undefined }
  }
}
