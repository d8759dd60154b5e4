import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** The label under which both ends of the TLS connection derive the secret of the datagrams. */
export const EXPORTER_LABEL = 'godwit udp v1'
export const SECRET_BYTES = 32

export type SuiteName = 'aes-256-gcm' | 'chacha20-poly1305' | 'aes-256-gmac'

/** Which end seals with a key. The two directions never share one. */
export type Direction = 'client' | 'server'

export interface PacketKey {
  readonly key: KeyObject
  /** 12 bytes; the nonce is this with the packet number added by exclusive or to its last 8 bytes. */
  readonly iv: Uint8Array
}

/** One key for each direction, path, phase and suite, all from the TLS exporter: nothing secret crosses the network. */
export function packetKey(
  secret: Uint8Array,
  use: { suite: SuiteName; direction: Direction; path: number; phase: number },
): PacketKey {
  const info = `gwt1 ${use.suite} ${use.direction} path ${use.path} phase ${use.phase}`
  const material = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), info, 32 + 12))
  return { key: createSecretKey(material.subarray(0, 32)), iv: material.slice(32) }
}

/** The two connection ids, one for each direction, known to both ends without a message. */
export function connectionIds(secret: Uint8Array): Record<Direction, Uint8Array> {
  const material = new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'gwt1 connection ids', 16))
  return { client: material.slice(0, 8), server: material.slice(8) }
}

/** Writes the 12-byte nonce of a packet to `target` at `at`. */
export function writeNonce(target: Uint8Array, at: number, iv: Uint8Array, packetNumber: number): void {
  for (let index = 0; index < 4; index++) target[at + index] = iv[index] ?? 0
  const high = Math.floor(packetNumber / 0x1_0000_0000)
  for (let index = 0; index < 4; index++) {
    const shift = 24 - 8 * index
    target[at + 4 + index] = (iv[4 + index] ?? 0) ^ (high >>> shift)
    target[at + 8 + index] = (iv[8 + index] ?? 0) ^ (packetNumber >>> shift)
  }
}

/** Builds a value per (path, phase) once and keeps the newest few: packets of two phases overlap while a key rolls. */
export class KeyRing<Value> {
  readonly #make: (path: number, phase: number) => Value
  readonly #drop: (value: Value) => void
  readonly #paths: Array<Map<number, Value>> = []
  #lastPath = -1
  #lastPhase = -1
  #last: Value | undefined

  constructor(make: (path: number, phase: number) => Value, drop: (value: Value) => void = () => undefined) {
    this.#make = make
    this.#drop = drop
  }

  get(path: number, phase: number): Value {
    if (path === this.#lastPath && phase === this.#lastPhase && this.#last !== undefined) return this.#last
    const phases = (this.#paths[path] ??= new Map())
    let value = phases.get(phase)
    if (value === undefined) {
      value = this.#make(path, phase)
      phases.set(phase, value)
      this.#forgetOldest(phases)
    }
    this.#lastPath = path
    this.#lastPhase = phase
    this.#last = value
    return value
  }

  #forgetOldest(phases: Map<number, Value>): void {
    if (phases.size <= KEPT_PHASES) return
    const [oldest] = phases
    if (oldest === undefined) return
    phases.delete(oldest[0])
    this.#drop(oldest[1])
  }

  clear(): void {
    for (const phases of this.#paths) for (const value of phases?.values() ?? []) this.#drop(value)
    this.#paths.length = 0
    this.#last = undefined
    this.#lastPath = -1
  }
}

const KEPT_PHASES = 4
