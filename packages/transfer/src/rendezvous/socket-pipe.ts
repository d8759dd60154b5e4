import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** Bytes of one frame; a server takes no longer ones. */
const FRAME_BYTES = 64 * 1024

/** The binary frames of a WebSocket as a stream of bytes. Text is left to others. */
export class SocketPipe extends Duplex {
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    super()
    this.#socket = socket
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary && !this.push(data)) socket.pause()
    })
    socket.once('close', () => this.destroy())
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return done(new Error('the connection to the server ended'))
    for (let at = FRAME_BYTES; at < chunk.length; at += FRAME_BYTES)
      this.#socket.send(chunk.subarray(at - FRAME_BYTES, at))
    const rest = Math.floor((chunk.length - 1) / FRAME_BYTES) * FRAME_BYTES
    this.#socket.send(chunk.subarray(Math.max(0, rest)), (error) => done(error))
  }

  override _final(done: () => void): void {
    this.#socket.close(1000)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // A close frame leaves behind what was written; a server that does not answer it is not waited for.
    this.#socket.resume()
    this.#socket.close(1000)
    setTimeout(() => this.#socket.terminate(), 2000).unref()
    done(error)
  }
}
