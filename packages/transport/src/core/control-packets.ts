import type { Challenge } from './challenges.ts'
import { FRAME, writeClose, writeFiller, writeMaxData, writePing, writeToken } from './frames.ts'
import type { PacketWriter } from './packet-writer.ts'
import { HEADER_LENGTH, MIN_PACKET, TAG_LENGTH } from './packets.ts'
import type { Path } from './path.ts'
import { BASE_PACKET } from './pmtud.ts'
import type { SessionState } from './session-state.ts'
import type { Batch, Micros } from './session.types.ts'

/** Packets without data: the farewell, answers, acknowledgements, challenges, PINGs and size probes. */
export class ControlPackets {
  readonly #state: SessionState
  readonly #writer: PacketWriter

  constructor(state: SessionState, writer: PacketWriter) {
    this.#state = state
    this.#writer = writer
  }

  pollClose(now: Micros): Batch | undefined {
    const state = this.#state
    const { closed } = state
    if (closed === undefined || state.closesOwed === 0) return undefined
    state.closesOwed -= 1
    const path = state.firstOpenPath
    if (path === undefined) return undefined
    const end = writeClose(this.#writer.buffer, HEADER_LENGTH, closed)
    if (path.challenge?.address === path.address) {
      // The address may be forged, and a reason is longer than what may have come from there.
      if (path.challenge.allowance < end + TAG_LENGTH) return undefined
      path.challenge.onSent(end + TAG_LENGTH)
    }
    return this.#writer.control(now, path, { to: path.address, end, elicitsAck: false })
  }

  /** One packet, or undefined when none is due. */
  poll(now: Micros, path: Path): Batch | undefined {
    if (path.state === 'dead') return undefined
    const challenge = path.challenge
    if (challenge !== undefined && now >= challenge.nextAt) {
      const batch = this.#pollChallenge(now, path, challenge)
      if (batch !== undefined) return batch
    }
    if (path.owedResponse !== undefined) return this.#pollResponse(now, path)
    if (path.gcc === undefined) return undefined
    if (now >= path.acks.dueAt || path.owedPings > 0) return this.#pollAck(now, path)
    const probe = path.isOpen ? path.sizes.probeDue(now) : 0
    return probe > 0 ? this.#pollSizeProbe(now, path, probe) : undefined
  }

  #pollChallenge(now: Micros, path: Path, challenge: Challenge): Batch | undefined {
    const { config } = this.#state
    const { buffer } = this.#writer
    const isFirst = path.gcc === undefined
    const isLarge = isFirst && challenge.tries % 2 === 0 && challenge.allowance >= BASE_PACKET
    const size = Math.min(isLarge ? BASE_PACKET : MIN_PACKET, config.maxPacketSize ?? Infinity)
    if (challenge.allowance < size) return undefined
    const token = challenge.issue(now, config.random, size)
    let end = writeToken(buffer, HEADER_LENGTH, { type: FRAME.pathChallenge, token })
    if (path.owedResponse?.to === challenge.address) {
      end = writeToken(buffer, end, { type: FRAME.pathResponse, token: path.owedResponse.token })
      path.owedResponse = undefined
    }
    end = writeFiller(buffer, end, size - TAG_LENGTH)
    challenge.onSent(size)
    return this.#writer.control(now, path, { to: challenge.address, end, elicitsAck: true })
  }

  #pollResponse(now: Micros, path: Path): Batch | undefined {
    const { buffer } = this.#writer
    const owed = path.owedResponse
    if (owed === undefined) return undefined
    path.owedResponse = undefined
    const limit = path.challenge?.address === owed.to ? path.challenge.allowance : owed.size
    const size = Math.min(owed.size, limit)
    let end = writeToken(buffer, HEADER_LENGTH, { type: FRAME.pathResponse, token: owed.token })
    if (end + TAG_LENGTH > size) return undefined
    end = writeFiller(buffer, end, size - TAG_LENGTH)
    if (path.challenge?.address === owed.to) path.challenge.onSent(size)
    return this.#writer.control(now, path, { to: owed.to, end, elicitsAck: true })
  }

  #pollAck(now: Micros, path: Path): Batch {
    const { buffer } = this.#writer
    let end = writeMaxData(buffer, HEADER_LENGTH, this.#state.window.announce())
    const elicitsAck = path.owedPings > 0
    if (elicitsAck) {
      path.owedPings -= 1
      end = writePing(buffer, end)
    }
    end = path.received.writeAck(now, buffer, { at: end, end: path.sizes.current - TAG_LENGTH })
    path.acks.onSent()
    return this.#writer.control(now, path, { to: path.address, end, elicitsAck })
  }

  #pollSizeProbe(now: Micros, path: Path, size: number): Batch {
    path.sizes.onProbeSent(size)
    const end = writeFiller(this.#writer.buffer, HEADER_LENGTH, size - TAG_LENGTH)
    return this.#writer.control(now, path, { to: path.address, end, elicitsAck: true })
  }
}
