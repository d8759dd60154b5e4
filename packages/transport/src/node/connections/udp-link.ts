import type { Batch, Micros, Session } from '../../core/index.ts'
import type { DatagramPort, Received } from '../ports/port.types.ts'

/** Batches sent in one turn, so that a fast sender still reads its acknowledgements in time. */
const MAX_BATCHES = 64

/** Moves datagrams between one session and a port. */
export class UdpLink {
  readonly session: Session
  readonly #port: DatagramPort
  /** A batch that did not fit into the socket's buffer. The session's buffer is unchanged until the next poll. */
  #held: Batch | undefined
  /** When the last genuine packet of the peer arrived. */
  lastHeard: Micros = -Infinity

  constructor(session: Session, port: DatagramPort) {
    this.session = session
    this.#port = port
  }

  get port(): DatagramPort {
    return this.#port
  }

  /** @returns true when any of them came from the peer */
  onDatagrams(now: Micros, received: Received): boolean {
    const { buffer, segmentSize, from } = received
    let isGenuine = false
    for (let at = 0; at < buffer.length; at += segmentSize) {
      const datagram = segmentSize >= buffer.length ? buffer : buffer.subarray(at, at + segmentSize)
      if (this.session.onDatagram(now, datagram, from)) isGenuine = true
    }
    if (isGenuine) this.lastHeard = now
    return isGenuine
  }

  /** Sends what is due. @returns when to be called again */
  pump(now: Micros): Micros {
    this.session.onTimer(now)
    for (let count = 0; count < MAX_BATCHES; count++) {
      const batch = this.#held ?? this.session.poll(now)
      if (batch === undefined) break
      this.#held = this.#port.send(batch.to, batch) ? undefined : batch
      if (this.#held !== undefined) return now + 1000
    }
    return this.session.nextWake(now)
  }
}
