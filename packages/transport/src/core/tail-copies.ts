import type { PacketWriter } from './packet-writer.ts'
import type { Path } from './path.ts'
import type { Piece } from './send-queue.ts'
import { PACKET_STATE, SENT } from './sent-packets.ts'
import type { SessionState } from './session-state.ts'
import type { Batch, Micros } from './session.types.ts'

/** At most this share of all delivered bytes goes out as copies, beside a first allowance. */
const TAIL_SHARE = 0.01
const TAIL_ALLOWANCE = 256 * 1024
const MAX_COPIES = 2

/** Nothing new to send and the window open: bytes still under way go out again, newest first, so that a lost tail costs no round trip. */
export class TailCopies {
  readonly #state: SessionState
  readonly #writer: PacketWriter
  readonly #piece: Piece = { object: 0, offset: 0, length: 0, isRepair: true }
  #sent = 0
  #cursor = -1
  #restartAt: Micros = 0

  constructor(state: SessionState, writer: PacketWriter) {
    this.#state = state
    this.#writer = writer
  }

  /** Newer packets are under way: the next look begins with them. */
  startOver(): void {
    this.#cursor = -1
  }

  /** When the window may be looked through again; -Infinity in the middle of a look. */
  get readyAt(): Micros {
    return this.#cursor < 0 ? this.#restartAt : -Infinity
  }

  /** Copies are worth while on a line that loses, and within their budget. */
  areDue(path: Path): boolean {
    const { counts, queue } = this.#state
    const budget = TAIL_ALLOWANCE + counts.ackedBytes * TAIL_SHARE - this.#sent
    return path.recovery.lostPackets > 0 && queue.unackedBytes > 0 && budget >= path.sizes.current
  }

  poll(now: Micros, path: Path): Batch | undefined {
    const { counts, isPaused, limit } = this.#state
    const size = path.sizes.current
    if (isPaused || !this.areDue(path)) return undefined
    if (path.room < size || path.pacer.available(now) < size) return undefined
    if (limit.available(now) < size) return undefined
    const original = this.#next(now, path)
    if (original < 0) return undefined
    const { sent } = path.recovery
    const piece = this.#piece
    piece.object = sent.object(original)
    piece.offset = sent.offset(original)
    piece.length = Math.min(sent.length(original), this.#writer.roomFor(piece, size))
    const first = sent.next
    const packet = this.#writer.writePiece(path, 0, piece)
    if (packet === 0) return undefined
    if (piece.length === sent.length(original)) sent.addFlag(original, SENT.superseded)
    this.#writer.recordPiece(now, path, { piece, packet, copies: sent.copies(original) + 1 })
    this.#sent += packet
    counts.repeatedBytes += piece.length
    return this.#writer.launch(now, path, { first, count: 1, length: packet })
  }

  /** The newest packet under way that deserves a copy, or -1. Looks through the window once per round trip. */
  #next(now: Micros, path: Path): number {
    const { queue } = this.#state
    const { sent } = path.recovery
    if (this.#cursor < 0) {
      if (now < this.#restartAt) return -1
      this.#cursor = sent.next - 1
      this.#restartAt = now + path.recovery.rtt.smoothed
    }
    while (this.#cursor >= sent.oldest) {
      const candidate = this.#cursor--
      if (sent.state(candidate) !== PACKET_STATE.inFlight || sent.length(candidate) === 0) continue
      if (sent.has(candidate, SENT.superseded) || sent.copies(candidate) >= MAX_COPIES) continue
      const offset = sent.offset(candidate)
      if (!queue.isAcked(sent.object(candidate), offset, offset + sent.length(candidate))) return candidate
    }
    this.#cursor = -1
    return -1
  }
}
