import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { systemClock } from '@godwit/base'

/** Where the relay stands for the client, and where the server sees the client. All of 127/8 is this machine. */
const FRONT = '127.0.0.2'
const BACK = '127.0.0.3'
const BUFFER_BYTES = 4 * 1024 * 1024
/** Shorter pieces are acknowledgements and messages. */
const PAYLOAD_BYTES = 500

export type Side = 'client' | 'server'

/** Ways in which a network may stop UDP, and whose datagrams are lost then. */
export const UDP_CUTS: ReadonlyArray<readonly [string, readonly Side[]]> = [
  ['both ways', ['client', 'server']],
  ['towards the receiver', ['client']],
  ['towards the sender', ['server']],
]

/** A network between two sides, in this process: TCP and UDP under one port number, as a transfer expects them. */
export class Relay {
  readonly host = FRONT
  readonly port: number
  /** Asked for each datagram; false: it is lost. `by` is who sent it, `seen` where the server sees the client then. */
  passes: (by: Side, datagram: Buffer, seen: string) => boolean = () => true
  /** UDP bytes that the server got from and sent to each address where it sees the client. */
  readonly atServer = new Map<string, { in: number; out: number }>()
  /** Datagrams and TCP bytes of payload size that went on, by the client. */
  readonly carried = { udp: 0, tcp: 0 }
  /** Longest time without payload from the client, by either way, milliseconds. */
  longestGapMs = 0
  readonly #target: { host: string; port: number }
  readonly #tcp: Server
  readonly #front: UdpSocket
  #back: UdpSocket
  #seen = BACK
  readonly #former: UdpSocket[] = []
  #client: { address: string; port: number } | undefined
  #lastPayloadAt: number = systemClock.monotonic()
  readonly #sockets = new Set<Socket>()

  /** @param port where the client finds it */
  static async open(target: { host: string; port: number }, port: number = target.port): Promise<Relay> {
    const tcp = createServer()
    const listening = once(tcp, 'listening')
    tcp.listen(port, FRONT)
    await listening
    return new Relay({ target, port }, tcp, { front: await udpAt(FRONT, port), back: await udpAt(BACK) })
  }

  private constructor(
    { target, port }: { readonly target: { host: string; port: number }; readonly port: number },
    tcp: Server,
    udp: { front: UdpSocket; back: UdpSocket },
  ) {
    this.port = port
    this.#target = target
    this.#tcp = tcp
    this.#front = udp.front
    this.#back = udp.back
    tcp.on('connection', (socket) => this.#join(socket))
    this.#front.on('message', (datagram, from) => {
      this.#client = from
      if (!this.passes('client', datagram, this.#seen)) return
      this.#note('udp', datagram.length)
      this.toServer(datagram)
    })
    this.#listenBack(udp.back, BACK)
  }

  #listenBack(back: UdpSocket, seen: string): void {
    back.on('message', (datagram) => {
      this.#trafficOf(seen).out += datagram.length
      if (this.passes('server', datagram, seen)) this.toClient(datagram)
    })
  }

  #trafficOf(seen: string): { in: number; out: number } {
    const known = this.atServer.get(seen) ?? { in: 0, out: 0 }
    this.atServer.set(seen, known)
    return known
  }

  /** From where the server knows the client. */
  toServer(datagram: Uint8Array): void {
    this.#trafficOf(this.#seen).in += datagram.length
    this.#back.send(datagram, this.#target.port, this.#target.host, ignore)
  }

  /** From where the client knows the server. */
  toClient(datagram: Uint8Array): void {
    if (this.#client !== undefined) this.#front.send(datagram, this.#client.port, this.#client.address, ignore)
  }

  /** From now on the server sees the client elsewhere; what it sends to the old place still arrives. */
  async moveTo(host: string): Promise<void> {
    const back = await udpAt(host)
    this.#listenBack(back, host)
    this.#former.push(this.#back)
    this.#back = back
    this.#seen = host
  }

  /** Loses all datagrams of these, and from now on of nobody else. */
  cutUdp(by: readonly Side[]): void {
    this.passes = (side) => !by.includes(side)
  }

  resetGap(): void {
    this.longestGapMs = 0
    this.#lastPayloadAt = systemClock.monotonic()
  }

  #note(way: 'udp' | 'tcp', bytes: number): void {
    if (bytes < PAYLOAD_BYTES) return
    const now = systemClock.monotonic()
    this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastPayloadAt)
    this.#lastPayloadAt = now
    this.carried[way]++
  }

  #join(client: Socket): void {
    const server = connect({ ...this.#target, localAddress: BACK })
    client.setNoDelay(true)
    server.setNoDelay(true)
    client.on('data', (bytes) => this.#note('tcp', bytes.length))
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    for (const socket of [this.#front, this.#back, ...this.#former]) socket.close()
    const closed = once(this.#tcp, 'close')
    this.#tcp.close()
    await closed
  }
}

/** A bound UDP socket of 127.0.0.x with room for bursts. */
export async function udpAt(host: string, port = 0): Promise<UdpSocket> {
  const socket = createSocket({ type: 'udp4', lookup: (name, _options, done) => done(null, name, 4) })
  const listening = once(socket, 'listening')
  socket.bind({ address: host, port })
  await listening
  socket.setRecvBufferSize(BUFFER_BYTES)
  socket.setSendBufferSize(BUFFER_BYTES)
  socket.on('error', ignore)
  return socket
}

function ignore(): void {
  // A refused or full socket loses the datagram, as a network does.
}
