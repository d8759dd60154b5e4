import type { AddressId } from '../../core/index.ts'
import type { Endpoint } from './port.types.ts'

/** Peers remembered at once. Spoofed sources can push out at most each other: those in use are touched by every packet. */
const MAX_PEERS = 4096

/** Numbers endpoints. `key` is the form in which the backend sees a peer; equal keys mean the same peer. */
export class AddressBook<Extra> {
  readonly #ids = new Map<string, AddressId>()
  readonly #peers = new Map<AddressId, { key: string; endpoint: Endpoint; extra: Extra }>()
  #next = 1

  idOf(key: string, make: () => { endpoint: Endpoint; extra: Extra }): AddressId {
    const known = this.#ids.get(key)
    if (known !== undefined) return this.#touch(key, known)
    const id = this.#next++
    this.#ids.set(key, id)
    this.#peers.set(id, { key, ...make() })
    this.#forgetOldest()
    return id
  }

  get(id: AddressId): { readonly endpoint: Endpoint; readonly extra: Extra } | undefined {
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
