import { MAX_BURST_BYTES, type PacketWriter } from './packet-writer.ts'
import { PACKETS_PER_PHASE } from './packets.ts'
import type { Path } from './path.ts'
import type { Piece } from './send-queue.ts'
import type { SessionState } from './session-state.ts'
import type { Batch, HoldTimes, Micros } from './session.types.ts'
import { TailCopies } from './tail-copies.ts'

const DEFAULT_BURST = 40
/** One UDP send call takes this many segments. */
const MOST_SEGMENTS = 64
/** A burst is worth a wake-up when it holds this much time of the pacing rate. */
const BURST_US = 1000

/** Packets with data: which path sends how many of them, and when. */
export class DataPackets {
  readonly #state: SessionState
  readonly #writer: PacketWriter
  readonly #tail: TailCopies
  readonly #maxBurst: number
  readonly #piece: Piece = { object: 0, offset: 0, length: 0, isRepair: false }
  #turn = 0

  constructor(state: SessionState, writer: PacketWriter) {
    this.#state = state
    this.#writer = writer
    this.#tail = new TailCopies(state, writer)
    this.#maxBurst = Math.min(MOST_SEGMENTS, state.config.maxBurst ?? DEFAULT_BURST)
  }

  /** Paths take turns, so that none starves behind a faster one; each takes what its own pace allows. */
  poll(now: Micros): Batch | undefined {
    const { paths } = this.#state
    for (let tries = 0; tries < paths.length; tries++) {
      const path = paths[this.#turn % paths.length]
      const batch = path?.isOpen === true ? this.#pollBurst(now, path) : undefined
      if (batch !== undefined) return batch
      this.#turn = (this.#turn + 1) % paths.length
    }
    return undefined
  }

  #pollBurst(now: Micros, path: Path): Batch | undefined {
    const cause = this.#whyHeld(now, path)
    if (cause !== undefined) {
      this.#state.held.set(now, cause)
      if (cause !== 'network') path.recovery.markAppLimited()
      return cause === 'idle' ? this.#tail.poll(now, path) : undefined
    }
    const count = this.#burstSize(now, path)
    return this.#fillBurst(now, path, count)
  }

  /** What keeps this path from sending at this instant; undefined when nothing does. */
  #whyHeld(now: Micros, path: Path): keyof HoldTimes | undefined {
    const { credit, isPaused, isSourceReady, limit, queue } = this.#state
    const size = path.sizes.current
    if (isPaused || queue.pendingBytes === 0) return 'idle'
    if (!isSourceReady) return 'source'
    if (credit.left <= 0 && queue.repairBytes === 0) {
      credit.onBlocked(now)
      return 'peerWindow'
    }
    const worthwhile = this.#worthwhile(path)
    if (limit.available(now) < worthwhile) return 'limit'
    if (path.room < size || path.pacer.available(now) < worthwhile) return 'network'
    return undefined
  }

  /** Credit that is worth a wake-up, bytes. */
  #worthwhile(path: Path): number {
    const { queue } = this.#state
    const size = path.sizes.current
    const limit = this.#state.limit.rate() / 8e6
    const packets = Math.min(
      this.#maxBurst,
      Math.max(1, (Math.min(path.gcc?.pacingRate ?? 0, limit) * BURST_US) / size),
    )
    const needed = Math.ceil(queue.pendingBytes / size)
    return Math.floor(Math.min(packets, needed)) * size
  }

  #burstSize(now: Micros, path: Path): number {
    const size = path.sizes.current
    const limit = this.#state.limit.available(now)
    const bytes = Math.min(path.room, path.pacer.available(now), limit)
    const phaseLeft = PACKETS_PER_PHASE - (path.recovery.sent.next % PACKETS_PER_PHASE)
    const fits = Math.min(this.#maxBurst, Math.floor(MAX_BURST_BYTES / size), phaseLeft)
    return Math.max(1, Math.min(fits, Math.floor(bytes / size)))
  }

  /** Fills up to `wanted` packets of the same size; a shorter one ends the batch. */
  #fillBurst(now: Micros, path: Path, wanted: number): Batch | undefined {
    const { counts, credit, queue } = this.#state
    const piece = this.#piece
    this.#writer.makeRoomForBurst()
    const size = path.sizes.current
    const first = path.recovery.sent.next
    let count = 0
    let length = 0
    let packet = size
    while (count < wanted && packet === size && !path.recovery.sent.isFull) {
      packet = this.#writeNext(path, length, size)
      if (packet === 0) break
      queue.take(piece)
      if (piece.isRepair) counts.repeatedBytes += piece.length
      else credit.take(piece.length)
      this.#writer.recordPiece(now, path, { piece, packet, copies: 0 })
      count += 1
      length += packet
    }
    if (count === 0) return undefined
    this.#tail.startOver()
    return this.#writer.launch(now, path, { first, count, length })
  }

  /** Writes one packet at `start` from the queue; answers its size with tag, or 0 when nothing can be sent. */
  #writeNext(path: Path, start: number, size: number): number {
    const piece = this.#piece
    if (!this.#state.queue.peek(piece, size, this.#state.credit.left)) return 0
    piece.length = Math.min(piece.length, this.#writer.roomFor(piece, size))
    return this.#writer.writePiece(path, start, piece)
  }

  /** When this path may send data again by time alone; Infinity when it waits for something else. */
  readyAt(now: Micros, path: Path): Micros {
    const { limit, queue } = this.#state
    const isTail = queue.pendingBytes === 0
    if (!this.#mayPace(path, isTail)) {
      path.pacer.stopWaiting()
      return Infinity
    }
    const wanted = isTail ? path.sizes.current : this.#worthwhile(path)
    const wake = Math.max(path.pacer.readyAt(now, wanted), limit.readyAt(now, wanted))
    return isTail ? Math.max(wake, this.#tail.readyAt) : wake
  }

  /** Nothing but time is missing for the next packet. */
  #mayPace(path: Path, isTail: boolean): boolean {
    const { credit, isPaused, isSourceReady, queue } = this.#state
    if (!path.isOpen || isPaused || !isSourceReady || path.room < path.sizes.current) return false
    return isTail ? this.#tail.areDue(path) : credit.left > 0 || queue.repairBytes > 0
  }
}
