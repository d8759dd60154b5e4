/** Connections on which nobody has signed in yet, altogether and from one IPv4 address or IPv6 /64. */
const STRANGERS_MAX = 2_000
const STRANGERS_PER_SOURCE = 512

/** Counts connections on which nobody has signed in yet, by where they come from. */
export class Strangers<Socket extends { readonly principal: unknown; readonly memoryOwner?: unknown }> {
  readonly #sources = new Map<Socket, string>()

  add(socket: Socket, source: string): void {
    this.#sources.set(socket, source)
  }

  delete(socket: Socket): void {
    this.#sources.delete(socket)
  }

  hasPlaceFor(source: string): boolean {
    let fromSource = 0
    for (const [socket, from] of this.#sources) {
      if ((socket.principal ?? socket.memoryOwner) !== undefined) this.#sources.delete(socket)
      else if (from === source) fromSource++
    }
    return this.#sources.size < STRANGERS_MAX && fromSource < STRANGERS_PER_SOURCE
  }
}
