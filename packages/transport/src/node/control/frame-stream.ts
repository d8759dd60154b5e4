import type { TLSSocket } from 'node:tls'

/** Frames on a TLS stream: type 1 byte, length 3 bytes, payload. */
const HEAD_BYTES = 4
/** Largest payload. The peer names the length; nothing is kept beyond this. */
export const MAX_PAYLOAD = 128 * 1024

export const CONTROL = {
  /** Client, first on its first stream: version, suite, flags, packet size, ticket. */
  hello: 1,
  /** Server's answer: UDP port (0: none), packet size. */
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
} as const

export interface FrameHandler {
  /** @param payload borrowed until it returns */
  onFrame(type: number, payload: Uint8Array): void
  onDrain(): void
  /** Called once; nothing comes after it. */
  onClosed(error: Error | undefined): void
}

/** Cuts a TLS stream into frames. A frame that is too long ends the stream. */
export class FrameStream {
  readonly #socket: TLSSocket
  #handler: FrameHandler | undefined
  #chunks: Buffer[] = []
  #have = 0
  #need = HEAD_BYTES
  #isClosed = false

  constructor(socket: TLSSocket) {
    this.#socket = socket
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

  /** Sets who gets the frames from now on, and lets them flow. */
  handle(handler: FrameHandler): void {
    this.#handler = handler
    this.#socket.resume()
  }

  get isOpen(): boolean {
    return !this.#isClosed
  }

  get isFull(): boolean {
    return this.#socket.writableNeedDrain
  }

  send(type: number, payload: Uint8Array = new Uint8Array(0)): void {
    if (this.#isClosed) return
    if (payload.length > MAX_PAYLOAD) throw new RangeError(`frame of ${payload.length} bytes`)
    const frame = Buffer.allocUnsafe(HEAD_BYTES + payload.length)
    frame.writeUInt8(type, 0)
    frame.writeUIntBE(payload.length, 1, 3)
    frame.set(payload, HEAD_BYTES)
    this.#socket.write(frame)
  }

  setReading(isReading: boolean): void {
    if (isReading) this.#socket.resume()
    else this.#socket.pause()
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
    this.#chunks.push(chunk)
    this.#have += chunk.length
    while (!this.#isClosed && this.#have >= this.#need) this.#cut()
  }

  /** At least `need` bytes are there: a head to read, or a whole frame. */
  #cut(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks)
    if (bytes === undefined) return
    const length = bytes.readUIntBE(1, 3)
    const end = HEAD_BYTES + length
    if (length > MAX_PAYLOAD) {
      this.#socket.destroy()
      this.#closed(new Error('a frame of the peer is too long'))
      return
    }
    this.#chunks = [bytes]
    this.#need = end
    if (this.#have < end) return
    this.#chunks = bytes.length > end ? [bytes.subarray(end)] : []
    this.#have -= end
    this.#need = HEAD_BYTES
    this.#handler?.onFrame(bytes.readUInt8(0), bytes.subarray(HEAD_BYTES, end))
  }

  #closed(error: Error | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#handler?.onClosed(error)
  }
}
