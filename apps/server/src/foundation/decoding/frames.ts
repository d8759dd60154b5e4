/**
 * What server and decoder say to each other, over a pipe. The decoder begins with an empty frame: it is ready. A request is a JSON frame, then frames of the file's bytes and an
 * empty one. The answer is a JSON frame, and one of the picture where there is one. A frame is its length in 4 bytes, then that much.
 */

/** Of any frame but what was made; what comes is read in pieces of 64 KiB at most a MiB. */
export const MAX_FRAME_BYTES = 2 * 1024 * 1024

/** What every decoder is asked, whatever it makes of the file. */
export interface FileRequest {
  /** Of the file; the frames that follow have as many together. 0 for a document that the decoder holds. */
  readonly bytes: number
  /** Names the content of the document, which is held for its other pages. */
  readonly document?: string
}

/** Why nothing is made of a file. */
export type Fault = 'unsupported' | 'unreadable' | 'too-large'

export interface DecodeAnswer {
  /** Absent: what was made follows. */
  readonly fault?: Fault
  /** Resident memory of the process afterwards, bytes. */
  readonly memory: number
}

export function frameHead(length: number): Uint8Array {
  const head = new Uint8Array(4)
  new DataView(head.buffer).setUint32(0, length)
  return head
}

/** Reads frames from the chunks of a stream. */
export class FrameReader {
  readonly #chunks: AsyncIterator<Uint8Array>
  #rest: Uint8Array = new Uint8Array()

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  /** @returns undefined when the stream ended between two frames @throws Error when it ended within one, or the frame is too long */
  async next(maxBytes: number): Promise<Uint8Array | undefined> {
    const head = await this.#take(4)
    if (head === undefined) return undefined
    const length = new DataView(head.buffer, head.byteOffset, 4).getUint32(0)
    if (length > maxBytes) throw new Error(`a frame of ${length} bytes`)
    const frame = length === 0 ? new Uint8Array() : await this.#take(length)
    if (frame === undefined) throw new Error('the stream ended within a frame')
    return frame
  }

  /** @throws Error when there are some bytes, and not enough */
  async #take(length: number): Promise<Uint8Array | undefined> {
    if (this.#rest.length >= length) return this.#cut(length)
    const whole = new Uint8Array(length)
    let filled = 0
    for (;;) {
      const part = this.#cut(Math.min(this.#rest.length, length - filled))
      whole.set(part, filled)
      filled += part.length
      if (filled === length) return whole
      const chunk = await this.#chunks.next()
      if (chunk.done === true) {
        if (filled === 0) return undefined
        throw new Error('the stream ended within a frame')
      }
      this.#rest = chunk.value
    }
  }

  #cut(length: number): Uint8Array {
    const part = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(length)
    return part
  }
}
