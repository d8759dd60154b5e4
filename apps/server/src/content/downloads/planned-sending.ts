import { crc32 } from 'node:zlib'
import { AppError } from '../../kernel/errors.ts'
import { ArchiveChecksums, CHECKPOINT_BYTES, type ChecksumDeps } from './archive-checksums.ts'
import { openPlanned, type ArchivePlan, type PlannedEntry } from './archive-plan.ts'
import type { Span } from './downloads.ranges.ts'
import { patiently, write, type SendExchange, type Sender } from './downloads.send.ts'
import { piecesOf } from './zip-layout.ts'

/** Checksums that wait in memory to be written down. */
const UNWRITTEN_MAX = 10_000

interface Deps {
  readonly sender: Sender
  readonly zips: ChecksumDeps
}

type Exchange = Pick<SendExchange, 'res' | 'signal' | 'isStillShown'>

/** Sends any part of a planned archive, and keeps the checksums of what passed for whoever goes on. */
export class PlannedSending {
  readonly #sender: Sender
  readonly #plan: ArchivePlan
  readonly #exchange: Exchange
  readonly #checksums: ArchiveChecksums
  #sinceWritten = 0

  constructor({ sender, zips }: Deps, plan: ArchivePlan, exchange: Exchange) {
    this.#sender = sender
    this.#plan = plan
    this.#exchange = exchange
    this.#checksums = new ArchiveChecksums(zips, plan.layout.entries, exchange.signal)
  }

  /**
   * @throws StorageError 'conflict', 'not-found', 'permission' when a file is not what was planned; AppError PERMISSION_DENIED when
   * one may be sent no longer; the reason of the signal
   */
  async send(span: Span): Promise<void> {
    const { res, signal } = this.#exchange
    const checksumOf = (index: number): number | Promise<number> => {
      const known = this.#checksums.of(index)
      // A large file may have to be read for it while nothing is sent.
      return typeof known === 'number' ? known : patiently(res, known)
    }
    try {
      for await (const piece of piecesOf(this.#plan.layout, span, checksumOf)) {
        signal.throwIfAborted()
        if (piece.kind === 'frame') await write(res, piece.bytes)
        else await this.#content(piece.index, piece.span)
      }
    } catch (thrown) {
      await this.#checksums.write()
      throw thrown
    }
  }

  async #content(index: number, span: Span): Promise<void> {
    const entry = this.#plan.layout.entries[index]
    if (entry === undefined) throw new Error('no such entry in the archive')
    if (entry.text === undefined) await this.#file({ entry, index }, span)
    else await write(this.#exchange.res, entry.text.subarray(span.start, span.end))
  }

  async #file({ entry, index }: { readonly entry: PlannedEntry; readonly index: number }, span: Span): Promise<void> {
    const { res, signal, isStillShown } = this.#exchange
    // The length of the archive was announced with it.
    if (entry.location !== undefined && isStillShown?.(entry.location, false) === false)
      throw new AppError('PERMISSION_DENIED')
    await using reader = await openPlanned(entry)
    // What ends within the file needs no checksum of it.
    const before = span.end < entry.size ? undefined : await patiently(res, this.#checksums.before(index, span.start))
    const isFromStart = before !== undefined || span.start === 0
    let crc = before ?? 0
    const tap = (chunk: Uint8Array): void => void (crc = crc32(chunk, crc))
    for (let at = span.start; at < span.end;) {
      const end = Math.min(span.end, at + CHECKPOINT_BYTES)
      await this.#sender.send(res, { reader, span: { start: at, end }, signal, tap })
      if (isFromStart) this.#checksums.note(index, { upTo: end, crc })
      await this.#writeNowAndThen(end - at)
      at = end
    }
    if (!isFromStart && span.end === entry.size) this.#checksums.noteTail(index, span.start, crc)
  }

  async #writeNowAndThen(bytes: number): Promise<void> {
    this.#sinceWritten += bytes
    if (this.#sinceWritten < CHECKPOINT_BYTES && this.#checksums.unwritten < UNWRITTEN_MAX) return
    this.#sinceWritten = 0
    await this.#checksums.write()
  }
}
