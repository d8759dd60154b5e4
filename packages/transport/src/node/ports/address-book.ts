import type { AddressId } from '../../core/index.ts'
import type { Endpoint } from './port.types.ts'

/** Peers remembered at once. Only who sent something genuine is, so that forged sources push nobody out. */
const MAX_PEERS = 4096

interface Peer<Extra> {
  readonly endpoint: Endpoint
  readonly extra: Extra
}

/** Numbers endpoints. `key` is the form in which the backend sees a peer; equal keys mean the same peer. */
export class AddressBook<Extra> {
  readonly #ids = new Map<string, AddressId>()
  readonly #peers = new Map<AddressId, Peer<Extra>>()
  #next = 1

  /** The number of a peer, or a fresh one for an unknown peer, which is forgotten unless `keep` follows. */
  find(key: string): AddressId {
    const known = this.#ids.get(key)
    return known === undefined ? this.#next++ : this.#touch(key, known)
  }

  /** Remembers what `find` has numbered. @returns the number */
  keep(id: AddressId, key: string, peer: Peer<Extra>): AddressId {
    if (this.#ids.has(key)) return id
    this.#ids.set(key, id)
    this.#peers.set(id, peer)
    this.#forgetOldest()
    return id
  }

  get(id: AddressId): Peer<Extra> | undefined {
    return this.#peers.get(id)
  }

  #touch(key: string, id: AddressId): AddressId {
    // Map order is the order of use: only worth keeping once something may be pushed out.
    if (this.#ids.size > MAX_PEERS / 2) {
      this.#ids.delete(key)
      this.#ids.set(key, id)
    }
    return id
  }

  #forgetOldest(): void {
    if (this.#ids.size <= MAX_PEERS) return
    const [oldest] = this.#ids
    if (oldest === undefined) return
    this.#ids.delete(oldest[0])
    this.#peers.delete(oldest[1])
  }
}
