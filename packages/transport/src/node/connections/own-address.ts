import { networkInterfaces } from 'node:os'
import type { Micros } from '../../core/index.ts'

/** Between two looks, and how many must miss the address: a cable that is plugged in anew is no other network. */
const LOOK_US: Micros = 500_000
const LOOKS = 3

/** The own end of a TCP connection. UDP follows a computer to another network, TCP does not, and nobody would say so for a quarter of an hour. */
export class OwnAddress {
  readonly #socket: { readonly localAddress?: string | undefined }
  #lookAt: Micros = 0
  #missed = 0

  constructor(socket: { readonly localAddress?: string | undefined }) {
    this.#socket = socket
  }

  /** Meant to be called often. */
  isGone(now: Micros): boolean {
    if (now >= this.#lookAt) {
      this.#lookAt = now + LOOK_US
      this.#missed = isOwnAddress(this.#socket.localAddress) ? 0 : this.#missed + 1
    }
    return this.#missed >= LOOKS
  }
}

/** Whether this computer still has an address. Undefined, of a socket that is closed, counts as one it has. */
export function isOwnAddress(address: string | undefined): boolean {
  if (address === undefined) return true
  const plain = address.replace(/^::ffff:/, '').replace(/%.*$/, '')
  // All of 127/8 is this computer, and one of it is listed.
  if (plain.startsWith('127.')) return true
  return Object.values(networkInterfaces()).some((known) => known?.some((one) => one.address === plain) ?? false)
}
