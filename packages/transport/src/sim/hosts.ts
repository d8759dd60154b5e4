import type { AddressId, Micros, Session } from '../core/index.ts'
import type { Dice } from './dice.ts'
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

/** How late a real host is. Dice decide when. */
export interface HostTiming {
  /** A busy loop looks at socket and timers once in this time. */
  readonly tickUs?: Micros
  /** Mean time between two pauses in which nothing of the program runs, and their mean length; both exponential. */
  readonly pauseEveryUs?: Micros
  readonly pauseUs?: Micros
  /** The kernel notes when a datagram arrived, so a pause does not change that. */
  readonly isStamped?: boolean
}

export interface HostOptions {
  readonly loop: EventLoop
  readonly dice: Dice
  readonly timing: HostTiming
  readonly pool: DatagramPool
  /** Towards the other host. */
  readonly link: Link
  /** Timers fire on multiples of this, as a real event loop's do; 1 is exact. */
  readonly timerGrainUs: Micros
  /** The address under which the other host sees packets of this one. */
  readonly address: () => AddressId
  /** The session keeps requesting wake-ups and does nothing. */
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
  /** Nothing of the program runs before. */
  #awayUntil: Micros = 0
  #inbox: Array<{ datagram: Uint8Array; from: AddressId; at: Micros }> = []

  constructor(session: Session, options: HostOptions) {
    this.#session = session
    this.#options = options
    this.#schedulePause()
  }

  #schedulePause(): void {
    const { loop, dice, timing } = this.#options
    const { pauseEveryUs = 0, pauseUs = 0 } = timing
    if (pauseEveryUs === 0) return
    const draw = (mean: number): number => -mean * Math.log(1 - dice.next())
    loop.at(loop.now + draw(pauseEveryUs), () => {
      this.#leave(draw(pauseUs))
      this.#schedulePause()
    })
  }

  #leave(micros: Micros): void {
    const { loop } = this.#options
    const until = loop.now + micros
    if (until <= this.#awayUntil) return
    this.#awayUntil = until
    loop.at(until, () => this.#comeBack())
  }

  #comeBack(): void {
    const { loop, pool } = this.#options
    if (loop.now < this.#awayUntil) return
    const inbox = this.#inbox
    this.#inbox = []
    for (const { datagram, from, at } of inbox) {
      this.#session.onDatagram(this.#options.timing.isStamped === true ? at : loop.now, datagram, from)
      pool.release(datagram)
    }
    if (inbox.length > 0 && this.#timerAt > loop.now) {
      this.run()
    } else if (inbox.length > 0 || this.#timerAt <= loop.now) {
      this.#timerAt = Infinity
      this.#generation += 1
      this.#session.onTimer(loop.now)
      this.run()
    }
  }

  /** The current address of this host; packets to an older one are lost. */
  get address(): AddressId {
    return this.#options.address()
  }

  receive(datagram: Uint8Array, to: AddressId, from: AddressId): void {
    if (to !== this.address) return
    const { now } = this.#options.loop
    this.#options.onDelivered(now, datagram)
    if (now < this.#awayUntil || this.#options.timing.tickUs !== undefined) {
      this.#inbox.push({ datagram, from, at: now })
      if (now >= this.#awayUntil) this.#leave(1)
      return
    }
    this.#session.onDatagram(now, datagram, from)
    this.#options.pool.release(datagram)
    this.run()
  }

  /** Sends what may be sent and sets the timer. */
  run(): void {
    const { loop, timing } = this.#options
    if (timing.tickUs !== undefined) this.#leave(timing.tickUs)
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
      if (generation !== this.#generation || loop.now < this.#awayUntil) return
      this.#timerAt = Infinity
      this.#session.onTimer(loop.now)
      this.run()
    })
  }
}
