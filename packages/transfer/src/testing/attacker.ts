import type { Socket } from 'node:dgram'
import { setImmediate as turn } from 'node:timers/promises'
import { seededRandom } from '@godwit/base'
import { newDice } from '@godwit/transport/sim'
import type { Receiver } from './live-transfer.ts'
import { type Relay, type Side, udpAt } from './relay.ts'

/**
 * random: noise, a third of it with the head of a real packet. mutated: real packets with changed, missing or added bytes.
 * replayed: real packets as they were. transplanted: real packets moved to another path, direction or connection.
 */
export type Hostility = 'random' | 'mutated' | 'replayed' | 'transplanted'

export const HOSTILITIES: readonly Hostility[] = ['random', 'mutated', 'replayed', 'transplanted']

const HEAD_BYTES = 13
const MAX_PACKET = 1442
/** Packets kept of each side: the first ones of a session, then the newest. */
const KEPT_FIRST = 64
const KEPT = 2048
const BURST = 32
const NOISE_BYTES = 1 << 20
const SOURCES = ['127.0.0.21', '127.0.0.22', '127.0.0.23', '127.0.0.24']

/** Somebody on the way who sees every packet, and can send from any address, the real ones included. */
export class Attacker {
  readonly seen: Record<Side, Buffer[]> = { client: [], server: [] }
  /** Packets of an earlier session. */
  readonly older: Record<Side, Buffer[]> = { client: [], server: [] }
  /** Datagrams and bytes that came to addresses of the attacker's own, and bytes that went out from there. */
  readonly own = { answers: 0, bytesIn: 0, bytesOut: 0 }
  readonly #receiver: Receiver
  readonly #sockets: readonly Socket[]
  readonly #noise: Buffer
  readonly #dice: ReturnType<typeof newDice>
  #relay: Relay | undefined

  static async start(receiver: Receiver, seed: number): Promise<Attacker> {
    const sockets = await Promise.all(SOURCES.map((host) => udpAt(host)))
    return new Attacker(receiver, sockets, seed)
  }

  private constructor(receiver: Receiver, sockets: readonly Socket[], seed: number) {
    this.#receiver = receiver
    this.#sockets = sockets
    this.#noise = Buffer.from(seededRandom(seed).fill(new Uint8Array(NOISE_BYTES)))
    this.#dice = newDice(seed)
    for (const socket of sockets)
      socket.on('message', (answer) => {
        this.own.answers++
        this.own.bytesIn += answer.length
      })
  }

  /** Looks on, and keeps what it sees from now on. What it saw before counts as an earlier session's. */
  watch(relay: Relay): void {
    this.#relay = relay
    for (const side of ['client', 'server'] as const) {
      this.older[side].push(...this.seen[side].splice(0))
    }
    let count = 0
    relay.passes = (by, datagram) => {
      const kept = this.seen[by]
      if (kept.length < KEPT) kept.push(Buffer.from(datagram))
      else kept[KEPT_FIRST + (count++ % (KEPT - KEPT_FIRST))] = Buffer.from(datagram)
      return true
    }
  }

  /** Sends `count` packets: most to the server, every fourth to the client, half of them from the true address. */
  async flood(kind: Hostility, count: number): Promise<void> {
    for (let sent = 0; sent < count; sent++) {
      const toClient = sent % 4 === 3
      const datagram = this.#make(kind, toClient ? 'server' : 'client')
      if (toClient) this.#relay?.toClient(datagram)
      else if (sent % 2 === 0) this.#relay?.toServer(datagram)
      else this.#sendOwn(datagram)
      if (sent % BURST === BURST - 1) await turn()
    }
  }

  #sendOwn(datagram: Buffer): void {
    this.own.bytesOut += datagram.length
    const socket = this.#sockets[this.#draw(this.#sockets.length)]
    socket?.send(datagram, this.#receiver.port, this.#receiver.host, () => undefined)
  }

  #make(kind: Hostility, by: Side): Buffer {
    switch (kind) {
      case 'random':
        return this.#makeNoise(by)
      case 'mutated':
        return this.#mutate(this.#pick(this.seen[by]))
      case 'replayed':
        return this.#pick(this.#draw(4) === 0 && this.older[by].length > 0 ? this.older[by] : this.seen[by])
      case 'transplanted':
        return this.#transplant(by)
    }
  }

  #makeNoise(by: Side): Buffer {
    const length = 1 + this.#draw(1500)
    const from = this.#draw(NOISE_BYTES - length)
    const noise = Buffer.from(this.#noise.subarray(from, from + length))
    if (this.#draw(3) === 0) this.#pick(this.seen[by]).copy(noise, 0, 0, HEAD_BYTES - 4)
    return noise
  }

  #mutate(packet: Buffer): Buffer {
    const choice = this.#draw(8)
    if (choice === 0) return packet.subarray(0, this.#draw(packet.length))
    if (choice === 1 && packet.length < MAX_PACKET) return Buffer.concat([packet, Buffer.of(this.#draw(256))])
    const changed = Buffer.from(packet)
    for (let left = 1 + this.#draw(4); left > 0; left--) {
      const at = this.#draw(changed.length)
      // The same byte twice could undo itself.
      changed[at] = (packet[at] ?? 0) ^ (1 + this.#draw(255))
    }
    return changed
  }

  /** Every one of them opens where it was made for, and nowhere else. */
  #transplant(by: Side): Buffer {
    const own = this.#pick(this.seen[by])
    const choice = this.#draw(3)
    const other = by === 'client' ? 'server' : 'client'
    const foreign = choice === 0 ? own : this.#pick(choice === 1 ? this.seen[other] : this.older[by])
    const moved = Buffer.from(foreign)
    if (choice === 0 || foreign === own) moved[0] = (moved[0] ?? 0) ^ ((1 + this.#draw(7)) << 2)
    else own.copy(moved, 1, 1, HEAD_BYTES - 4)
    return moved
  }

  #pick(packets: readonly Buffer[]): Buffer {
    return packets[this.#draw(packets.length)] ?? this.seen.client[0] ?? this.#noise.subarray(0, 600)
  }

  #draw(below: number): number {
    return Math.floor(this.#dice.next() * below)
  }

  close(): void {
    for (const socket of this.#sockets) socket.close()
  }
}
