import type { TLSSocket } from 'node:tls'

/** Frames on a TLS stream: type 1 byte, length 3 bytes, payload. */
const HEAD_BYTES = 4
/** Largest payload. The peer names the length; nothing is kept beyond this. */
export const MAX_PAYLOAD = 128 * 1024
/** Pieces of a frame up to this size share a buffer: a peer that sends single bytes would cost a hundred for each. */
const SMALL_BYTES = 4096
/** Bytes queued for a peer that does not read. Data stops far earlier, so such a peer only sends requests. */
const MAX_UNREAD_BYTES = 1024 * 1024

export const CONTROL = {
  /** Client, first on its first stream: version, suite, flags, packet size, ticket. */
  hello: 1,
  /** Server's answer: UDP port (0: none), packet size, proof. */
  welcome: 2,
  /** First on a further stream: connection id, proof. */
  join: 3,
  /** Object, offset, bytes. */
  data: 4,
  /** DATA frames of this stream taken so far. */
  taken: 5,
  /** The path the sender of this frame now uses. */
  path: 6,
  /** Code, reason. */
  close: 7,
  ping: 8,
  pong: 9,
  /** Client, after WELCOME, when the server requires a proof: the client's proof. */
  confirm: 10,
  /** UDP addresses of its sender, when a third party carries this stream. */
  candidates: 11,
} as const

export interface FrameHandler {
  /** @param payload borrowed until it returns */
  onFrame(type: number, payload: Uint8Array): void
  onDrain(): void
  /** Called once; nothing comes after it. */
  onClosed(error: Error | undefined): void
}

/** Cuts a TLS stream into frames. A frame that is too long ends the stream, and so does a peer that never reads. */
export class FrameStream {
  readonly #socket: TLSSocket
  #maxPayload: number
  #handler: FrameHandler | undefined
  #chunks: Buffer[] = []
  #have = 0
  #need = HEAD_BYTES
  #isClosed = false
  #isHeld = false
  #fault: Error | undefined

  /** @param maxPayload bytes; less than `MAX_PAYLOAD` for a peer that has not proven who it is, until `trust` */
  constructor(socket: TLSSocket, maxPayload = MAX_PAYLOAD) {
    this.#socket = socket
    this.#maxPayload = maxPayload
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('drain', () => this.#handler?.onDrain())
    socket.on('error', (error: Error) => this.#closed(error))
    socket.on('close', () => this.#closed(undefined))
    socket.pause()
  }

  get socket(): TLSSocket {
    return this.#socket
  }

  /** Sets the handler of the frames from now on, and resumes the stream. */
  handle(handler: FrameHandler): void {
    this.#handler = handler
    // The new handler of a stream that has just ended must be notified too.
    if (this.#isClosed) setImmediate(() => handler.onClosed(this.#fault))
    else this.setReading(true)
  }

  /** The peer has proven who it is: its frames may be of any length from now on. */
  trust(): void {
    this.#maxPayload = MAX_PAYLOAD
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#socket.destroyed
  }

  get isFull(): boolean {
    return this.#socket.writableNeedDrain
  }

  send(type: number, payload: Uint8Array = new Uint8Array(0)): void {
    if (!this.isOpen) return
    if (payload.length > MAX_PAYLOAD) throw new RangeError(`frame of ${payload.length} bytes`)
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) return this.#break('the peer does not read')
    const frame = Buffer.allocUnsafe(HEAD_BYTES + payload.length)
    frame.writeUInt8(type, 0)
    frame.writeUIntBE(payload.length, 1, 3)
    frame.set(payload, HEAD_BYTES)
    this.#socket.write(frame)
  }

  /** False holds frames back that have arrived already, too. */
  setReading(isReading: boolean): void {
    this.#isHeld = !isReading
    if (!isReading) return void this.#socket.pause()
    setImmediate(() => this.#cutAll())
    this.#socket.resume()
  }

  /** Sends what is written, then closes; a peer that does not read is cut off. */
  end(): void {
    this.#socket.end()
    setTimeout(() => this.#socket.destroy(), 1000).unref()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    const last = this.#chunks.at(-1)
    if (last !== undefined && last.length + chunk.length <= SMALL_BYTES)
      this.#chunks[this.#chunks.length - 1] = Buffer.concat([last, chunk])
    else this.#chunks.push(chunk)
    this.#have += chunk.length
    this.#cutAll()
  }

  #cutAll(): void {
    while (!this.#isClosed && !this.#isHeld && this.#have >= this.#need) this.#cut()
  }

  /** At least `need` bytes are there: a head to read, or a whole frame. */
  #cut(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
    if (bytes === undefined) return
    const length = bytes.readUIntBE(1, 3)
    const end = HEAD_BYTES + length
    if (length > this.#maxPayload) return this.#break('a frame of the peer is too long')
    this.#chunks = [bytes]
    this.#need = end
    if (this.#have < end) return
    this.#chunks = bytes.length > end ? [bytes.subarray(end)] : []
    this.#have -= end
    this.#need = HEAD_BYTES
    this.#handler?.onFrame(bytes.readUInt8(0), bytes.subarray(HEAD_BYTES, end))
  }

  #break(reason: string): void {
    this.#socket.destroy()
    this.#closed(new Error(reason))
  }

  #closed(error: Error | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#fault = error
    this.#handler?.onClosed(error)
  }
}
