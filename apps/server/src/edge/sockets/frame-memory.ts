import type { Duplex } from 'node:stream'
import { KiB, type Clock } from '@godwit/base'
import type { WebSocket } from 'ws'
import type { Lease, MemoryPool } from '../../kernel/request-memory.ts'

/** Answers and messages below this are not counted: they are what an ordinary connection needs. */
const FREE_BYTES = 16 * KiB
/** What the library and the runtime keep for each piece of a message besides its bytes. */
const PIECE_BYTES = 256
/** Who signs in needs a handful. */
const STRANGER_PIECES = 64
/** A message is whole by then, or its sender is cut. */
const LONGEST_MS = 60_000
/** The header of a ping or pong from a client. */
const CONTROL_HEADER_BYTES = 6
const TRY_AGAIN_LATER = 1013

export interface FramesDeps {
  readonly socket: Duplex
  readonly connection: WebSocket
  readonly calls: MemoryPool
  readonly clock: Clock
  /** Undefined until somebody signed in. */
  readonly userId: () => string | undefined
  /** What a stranger may send altogether. */
  readonly strangerBytes: number
}

/** Counts messages of a connection that have begun and not ended: the library keeps all their pieces until they are whole. */
export class FrameMemory {
  readonly #deps: FramesDeps
  #received = 0
  #pieces = 0
  /** Of messages that are not whole. */
  #pendingBytes = 0
  #pendingPieces = 0
  #pendingSince = 0
  #lease: Lease | undefined
  #leased = 0

  constructor(deps: FramesDeps) {
    this.#deps = deps
    const { socket, connection } = deps
    // Before the library's own listener, which hands messages on while it takes a chunk.
    socket.prependListener('data', this.#take)
    connection.on('message', () => this.#settle(this.#pendingBytes))
    const settleControl = (data: Buffer): void => this.#settle(data.length + CONTROL_HEADER_BYTES)
    connection.on('ping', settleControl).on('pong', settleControl)
    connection.on('close', () => this.#release())
  }

  /** Cuts a connection whose message takes too long. */
  sweep(): void {
    if (this.#pendingBytes > 0 && this.#deps.clock.monotonic() - this.#pendingSince > LONGEST_MS)
      this.#deps.connection.terminate()
  }

  readonly #take = (chunk: Buffer): void => {
    const { socket, strangerBytes } = this.#deps
    if (this.#pendingBytes === 0) this.#pendingSince = this.#deps.clock.monotonic()
    this.#pendingBytes += chunk.length
    this.#pendingPieces++
    const userId = this.#deps.userId()
    if (userId === undefined) {
      this.#received += chunk.length
      this.#pieces++
      if (this.#received > strangerBytes || this.#pieces > STRANGER_PIECES) socket.destroy()
    } else this.#cover(userId)
  }

  #cover(userId: string): void {
    const { calls, connection, socket } = this.#deps
    const needed = this.#pendingBytes + PIECE_BYTES * this.#pendingPieces
    if (needed <= FREE_BYTES) return
    this.#lease ??= calls.lease(userId)
    if (attempt(() => this.#lease?.grow(needed - this.#leased))) {
      this.#leased = needed
    } else {
      connection.close(TRY_AGAIN_LATER, 'server busy')
      socket.destroy()
    }
  }

  #settle(bytes: number): void {
    this.#pendingBytes = Math.max(0, this.#pendingBytes - bytes)
    if (this.#pendingBytes === 0) this.#release()
  }

  #release(): void {
    this.#pendingPieces = 0
    this.#leased = 0
    this.#lease?.release()
    this.#lease = undefined
  }
}

/** Counts the answers of a connection that its peer has not taken yet. */
export class AnswerMemory {
  readonly #connection: WebSocket
  readonly #calls: MemoryPool

  constructor(connection: WebSocket, calls: MemoryPool) {
    this.#connection = connection
    this.#calls = calls
  }

  /** @returns false when there is no memory for it, and it was not sent */
  send(text: string, userId: string | undefined): boolean {
    const lease = this.#calls.lease(userId ?? '')
    const isCounted = this.#connection.bufferedAmount + text.length > FREE_BYTES
    if (isCounted && !attempt(() => lease.grow(text.length))) return false
    this.#connection.send(text, () => lease.release())
    return true
  }
}

/** Holds memory for a long frame while what it asks for is done. @throws AppError SERVER_BUSY */
export function holdFrame(calls: MemoryPool, userId: string, frame: Buffer): Lease {
  const lease = calls.lease(userId)
  if (frame.length > FREE_BYTES) lease.grow(frame.length)
  return lease
}

function attempt(grow: () => void): boolean {
  try {
    grow()
    return true
  } catch {
    return false // The pool refuses and throws nothing else.
  }
}
