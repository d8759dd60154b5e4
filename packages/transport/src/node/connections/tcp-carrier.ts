import type { Micros, ObjectRange, Session } from '../../core/index.ts'
import { CONTROL, type FrameStream } from '../control/frame-stream.ts'
import { DATA_HEAD_BYTES, readCount, readDataHead, writeCount, writeDataHead } from '../control/messages.ts'
import type { ChannelLink } from './channel.types.ts'

/** Bytes of one DATA frame: four TLS records. */
const FRAME_BYTES = 64 * 1024
/** What the rate limit must allow before a stream goes on. With less, one pump would follow a limit that grows while it writes, for ever. */
const WORTHWHILE_BYTES = 1400
/** Bytes on one stream that the peer has not taken. More only lengthens the way back to UDP. */
const MAX_ON_STREAM = 4 * 1024 * 1024
/** Received bytes that the owner may hold before the streams stop being read. */
const MAX_UNCONSUMED = 32 * 1024 * 1024

interface Stream {
  readonly frames: FrameStream
  /** Ranges written and not taken, oldest first. */
  readonly sent: ObjectRange[]
  /** DATA frames the peer has taken of those sent, and that we have taken of the peer's. */
  sentTaken: number
  taken: number
  onStream: number
  acknowledgeQueued: boolean
}

export interface CarrierDeps {
  readonly session: Session
  readonly link: ChannelLink
  now(): Micros
}

/** Carries ranges on TLS streams. What a stream had not delivered when it ends goes back into the queue. */
export class TcpCarrier {
  readonly #deps: CarrierDeps
  readonly #streams = new Set<Stream>()
  #unconsumed = 0
  #isReading = true
  #sourceBlocked = false
  #heldUntil: Micros = Infinity
  sentBytes = 0
  takenBytes = 0
  receivedBytes = 0

  constructor(deps: CarrierDeps) {
    this.#deps = deps
  }

  get streams(): number {
    return this.#streams.size
  }

  /** Bytes written to streams whose arrival is not known. */
  get underWay(): number {
    let sum = 0
    for (const stream of this.#streams) sum += stream.onStream
    return sum
  }

  add(frames: FrameStream): void {
    this.#streams.add({ frames, sent: [], sentTaken: 0, taken: 0, onStream: 0, acknowledgeQueued: false })
  }

  remove(frames: FrameStream): void {
    const stream = this.#find(frames)
    if (stream === undefined) return
    this.#streams.delete(stream)
    this.#giveBack(stream)
  }

  /** When the rate limit lets `pump` go on; Infinity when it did not stop it. */
  get heldUntil(): Micros {
    return this.#heldUntil
  }

  /** Writes what waits. @param cap bytes that may be under way on each stream */
  pump(cap = MAX_ON_STREAM): void {
    this.#heldUntil = Infinity
    for (const stream of this.#streams) {
      while (!this.#sourceBlocked && !stream.frames.isFull && stream.onStream < cap) {
        if (!this.#writeOne(stream)) return
      }
    }
  }

  #writeOne(stream: Stream): boolean {
    const { session, link } = this.#deps
    const { limit } = session
    const now = this.#deps.now()
    const allowed = Math.floor(Math.min(FRAME_BYTES, limit.available(now)))
    const least = Math.min(WORTHWHILE_BYTES, session.pendingBytes)
    if (allowed < least) {
      this.#heldUntil = limit.readyAt(now, least)
      return false
    }
    const range = session.takePending(allowed)
    if (range === undefined) return false
    const length = range.end - range.start
    const payload = Buffer.allocUnsafe(DATA_HEAD_BYTES + length)
    writeDataHead(payload, { object: range.object, offset: range.start })
    if (!link.read(range.object, range.start, length, payload, DATA_HEAD_BYTES)) {
      session.giveBack(range.object, range.start, range.end)
      this.#sourceBlocked = true
      return false
    }
    limit.take(now, length)
    stream.frames.send(CONTROL.data, payload)
    stream.sent.push(range)
    stream.onStream += length
    this.sentBytes += length
    return true
  }

  sourceReady(): void {
    this.#sourceBlocked = false
  }

  /** @returns false when the frame breaks the format */
  onData(frames: FrameStream, payload: Uint8Array): boolean {
    const head = readDataHead(payload)
    const stream = this.#find(frames)
    if (head === undefined || stream === undefined) return false
    const bytes = payload.subarray(DATA_HEAD_BYTES)
    if (!this.#deps.session.markReceived(head.object, head.offset, head.offset + bytes.length)) return false
    this.#unconsumed += bytes.length
    this.receivedBytes += bytes.length
    stream.taken++
    this.#acknowledgeSoon(stream)
    this.#deps.link.data(head.object, head.offset, bytes)
    this.#watchMemory()
    return true
  }

  /** One TAKEN frame for all DATA frames of a turn of the event loop. */
  #acknowledgeSoon(stream: Stream): void {
    if (stream.acknowledgeQueued) return
    stream.acknowledgeQueued = true
    setImmediate(() => {
      stream.acknowledgeQueued = false
      stream.frames.send(CONTROL.taken, writeCount(stream.taken))
    })
  }

  /** @returns false when the peer claims what was never sent */
  onTaken(frames: FrameStream, payload: Uint8Array): boolean {
    const count = readCount(payload)
    const stream = this.#find(frames)
    if (count === undefined || stream === undefined) return false
    const fresh = count - stream.sentTaken
    if (fresh < 0 || fresh > stream.sent.length) return false
    stream.sentTaken = count
    for (const range of stream.sent.splice(0, fresh)) {
      stream.onStream -= range.end - range.start
      this.takenBytes += range.end - range.start
      this.#deps.session.markDelivered(range.object, range.start, range.end)
      this.#deps.link.acked(range.object, range.start, range.end)
    }
    return true
  }

  /** The owner disposed of bytes. @returns those that did not come over these streams */
  consumed(bytes: number): number {
    const own = Math.min(bytes, this.#unconsumed)
    this.#unconsumed -= own
    this.#watchMemory()
    return bytes - own
  }

  #watchMemory(): void {
    const isReading = this.#unconsumed < MAX_UNCONSUMED
    if (isReading === this.#isReading) return
    this.#isReading = isReading
    for (const { frames } of this.#streams) frames.setReading(isReading)
  }

  /** Back to UDP: what is still on its way goes there too, since a slow stream may take long. */
  reclaim(): void {
    for (const stream of this.#streams) this.#giveBack(stream, true)
  }

  #giveBack(stream: Stream, keep = false): void {
    for (const range of stream.sent) this.#deps.session.giveBack(range.object, range.start, range.end)
    if (!keep) stream.sent.length = 0
  }

  closeStreams(): void {
    for (const { frames } of this.#streams) frames.end()
    this.#streams.clear()
  }

  #find(frames: FrameStream): Stream | undefined {
    for (const stream of this.#streams) if (stream.frames === frames) return stream
    return undefined
  }
}
