import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as tlsConnect } from 'node:tls'
import { seededRandom } from '@godwit/base'
import { CLIENT_TLS } from '../codes/code-proof.ts'
import { type Receiver, transferWhole } from './live-transfer.ts'
import { udpAt } from './relay.ts'

/** Connections of one address, and addresses of one wave. */
const PER_ADDRESS = 100
const WAVE = 200
const UDP_SOURCES = 64
/** Makes a receiver's memory that of a receiver in use. */
const FIRST_TRANSFER_MIB = 64

/** What any crowd may cost. */
export const MOST_CROWD_MIB = 64

/** Callers who begin a connection and never end its handshake, from as many addresses as they need. */
export class HalfOpenCrowd {
  readonly #receiver: Receiver
  readonly #hello: Buffer
  readonly #sockets = new Set<Socket>()
  readonly #memoryBefore: number
  #count = 0
  #peakMiB = 0

  /** Before a receiver that has served somebody. */
  static async gather(receiver: Receiver): Promise<HalfOpenCrowd> {
    await transferWhole(receiver, 'first.bin', FIRST_TRANSFER_MIB)
    const memoryBefore = await receiver.residentMiB()
    return new HalfOpenCrowd(receiver, await recordHello(), memoryBefore)
  }

  private constructor(receiver: Receiver, hello: Buffer, memoryBefore: number) {
    this.#receiver = receiver
    this.#hello = hello
    this.#memoryBefore = memoryBefore
  }

  /** What they made the receiver take at most, MiB. */
  get costMiB(): number {
    return this.#peakMiB - this.#memoryBefore
  }

  async #lookAtMemory(): Promise<void> {
    this.#peakMiB = Math.max(this.#peakMiB, await this.#receiver.residentMiB())
  }

  /** Those the receiver has not cut off. */
  get waiting(): number {
    return this.#sockets.size
  }

  async call(count: number): Promise<void> {
    for (let left = count; left > 0; left -= WAVE) {
      await Promise.all(Array.from({ length: Math.min(left, WAVE) }, () => this.#callOnce()))
      await this.#lookAtMemory()
    }
  }

  async #callOnce(): Promise<void> {
    const index = this.#count++
    const host = Math.floor(index / PER_ADDRESS)
    const { host: to, port } = this.#receiver
    const socket = connect({ host: to, port, localAddress: `127.1.${host >>> 8}.${host & 0xff || 1}` })
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.resume()
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
    const words = this.#wordsOf(index % 4)
    if (words !== undefined && socket.writable) socket.write(words)
  }

  /** Nothing at all; the start of a TLS record; a whole ClientHello; one with noise behind it. */
  #wordsOf(kind: number): Buffer | undefined {
    if (kind === 0) return undefined
    if (kind === 1) return this.#hello.subarray(0, 20)
    if (kind === 2) return this.#hello
    return Buffer.concat([this.#hello, Buffer.from('1703030400', 'hex')])
  }

  /** Datagrams that name connections which nobody knows, many of them the first of a handshake by their looks. */
  async shout(count: number): Promise<number> {
    const sources = await Promise.all(
      Array.from({ length: UDP_SOURCES }, (_value, index) => udpAt(`127.2.0.${index + 1}`)),
    )
    const noise = Buffer.from(seededRandom(64).fill(new Uint8Array(1 << 16)))
    let answers = 0
    for (const socket of sources) socket.on('message', () => answers++)
    for (let sent = 0; sent < count; sent++) {
      const datagram = Buffer.from(noise.subarray(sent % 60_000, (sent % 60_000) + 1200))
      datagram[0] = 0x40
      datagram.writeUInt32BE(sent, 1)
      sources[sent % UDP_SOURCES]?.send(datagram, this.#receiver.port, this.#receiver.host, () => undefined)
      if (sent % 64 === 63) await sleep(1)
    }
    await this.#lookAtMemory()
    for (const socket of sources) socket.close()
    return answers
  }

  async untilWaiting(most: number): Promise<void> {
    while (this.waiting > most) await sleep(50)
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** The first bytes that a client sends. */
async function recordHello(): Promise<Buffer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const client = tlsConnect({
    ...CLIENT_TLS,
    host: '127.0.0.1',
    port,
    minVersion: 'TLSv1.3',
    ALPNProtocols: ['gwt/1'],
  })
  client.on('error', () => undefined)
  const [socket] = await accepted
  const [hello] = (await once(socket, 'data')) as [Buffer]
  client.destroy()
  socket.destroy()
  server.close()
  return hello
}
