import type { AddressId, Micros, Session } from '../core/index.ts'
import type { EventLoop } from './event-loop.ts'
import { IP_UDP_BYTES, type Link } from './links.ts'

/** Datagram copies that are used again: 10^5 packets a second would otherwise be as many buffers. */
export class DatagramPool {
  readonly #free = new Map<number, Uint8Array[]>()

  copy(source: Uint8Array, start: number, length: number): Uint8Array {
    const datagram = this.#free.get(length)?.pop() ?? new Uint8Array(length)
    datagram.set(source.subarray(start, start + length))
    return datagram
  }

  release(datagram: Uint8Array): void {
    const free = this.#free.get(datagram.length)
    if (free === undefined) this.#free.set(datagram.length, [datagram])
    else if (free.length < 65_536) free.push(datagram)
  }
}

/** Wakes in a row without a datagram that are too many. */
const SPIN = 100

export interface HostOptions {
  readonly loop: EventLoop
  readonly pool: DatagramPool
  /** Towards the other host. */
  readonly link: Link
  /** Timers fire on multiples of this, as a real event loop's do; 1 is exact. */
  readonly timerGrainUs: Micros
  /** The address under which the other host sees packets of this one. */
  readonly address: () => AddressId
  /** The session asks to be woken again and again and does nothing. */
  readonly onSpin: (now: Micros) => void
  readonly onDelivered: (now: Micros, datagram: Uint8Array) => void
}

/** Runs one session in virtual time: what an I/O backend does with sockets and timers. */
export class Host {
  peer: Host | undefined
  readonly #session: Session
  readonly #options: HostOptions
  #timerAt: Micros = Infinity
  #generation = 0
  #idleWakes = 0

  constructor(session: Session, options: HostOptions) {
    this.#session = session
    this.#options = options
  }

  /** The address that this host has now; packets to an older one find nobody. */
  get address(): AddressId {
    return this.#options.address()
  }

  receive(datagram: Uint8Array, to: AddressId, from: AddressId): void {
    if (to !== this.address) return
    const { now } = this.#options.loop
    this.#options.onDelivered(now, datagram)
    this.#session.onDatagram(now, datagram, from)
    this.#options.pool.release(datagram)
    this.run()
  }

  /** Sends what may be sent and sets the timer. */
  run(): void {
    const { loop } = this.#options
    for (let batch = this.#session.poll(loop.now); batch !== undefined; batch = this.#session.poll(loop.now)) {
      for (let start = 0; start < batch.length; start += batch.segmentSize) {
        this.#idleWakes = 0
        this.#send(batch.buffer, { start, length: Math.min(batch.segmentSize, batch.length - start) }, batch.to)
      }
    }
    this.#setTimer()
  }

  #send(buffer: Uint8Array, span: { start: number; length: number }, to: AddressId): void {
    const datagram = this.#options.pool.copy(buffer, span.start, span.length)
    const from = this.address
    this.#options.link.send({
      wireBytes: span.length + IP_UDP_BYTES,
      datagram,
      deliver: (bytes) => {
        if (bytes !== undefined) this.peer?.receive(bytes, to, from)
      },
    })
  }

  #setTimer(): void {
    const { loop, timerGrainUs } = this.#options
    const wake = this.#session.nextWake(loop.now)
    if (wake === Infinity) {
      this.#generation += 1
      this.#timerAt = Infinity
      return
    }
    this.#idleWakes = wake <= loop.now ? this.#idleWakes + 1 : 0
    if (this.#idleWakes === SPIN) this.#options.onSpin(loop.now)
    const at = Math.max(loop.now + 1, Math.ceil(wake / timerGrainUs) * timerGrainUs)
    if (at === this.#timerAt) return
    this.#timerAt = at
    const generation = ++this.#generation
    loop.at(at, () => {
      if (generation !== this.#generation) return
      this.#timerAt = Infinity
      this.#session.onTimer(loop.now)
      this.run()
    })
  }
}
