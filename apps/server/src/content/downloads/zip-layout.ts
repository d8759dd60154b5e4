import type { Span } from './downloads.ranges.ts'
import {
  BLOCK_BYTES,
  descriptor,
  descriptorBytes,
  directoryRecord,
  directoryRecordBytes,
  endRecords,
  localHeader,
  localHeaderBytes,
  ZIP_FORMAT,
  type ZipEntry,
  type ZipLimits,
} from './zip-format.ts'

/** Where everything stands in an archive of known entries, so that any part of it can be made without what is before it. */
export interface ZipLayout<Entry extends ZipEntry = ZipEntry> {
  readonly entries: readonly Entry[]
  /** Of the header of each entry. */
  readonly offsets: Float64Array
  readonly directoryStart: number
  readonly directoryBytes: number
  readonly totalBytes: number
  readonly limits: ZipLimits
}

export function layoutOf<Entry extends ZipEntry>(entries: readonly Entry[], limits = ZIP_FORMAT): ZipLayout<Entry> {
  const offsets = new Float64Array(entries.length)
  let at = 0
  let directoryBytes = 0
  for (const [index, entry] of entries.entries()) {
    offsets[index] = at
    directoryBytes += directoryRecordBytes(entry, at, limits)
    at += localHeaderBytes(entry, limits) + entry.size + descriptorBytes(entry, limits)
  }
  const end = endRecords({ count: entries.length, bytes: directoryBytes, start: at }, limits)
  return { entries, offsets, directoryStart: at, directoryBytes, totalBytes: at + directoryBytes + end.length, limits }
}

export type ZipPiece =
  | { readonly kind: 'frame'; readonly bytes: Uint8Array }
  /** Bytes of the content of an entry, counted from its beginning. */
  | { readonly kind: 'content'; readonly index: number; readonly span: Span }

/** The checksum of the content of an entry; asked for only when it is part of what is sent. */
export type ChecksumOf = (index: number) => number | Promise<number>

/** The bytes of a span of the archive, in order. */
export async function* piecesOf(layout: ZipLayout, span: Span, checksumOf: ChecksumOf): AsyncGenerator<ZipPiece> {
  for (let index = indexAt(layout.offsets, span.start); index < layout.entries.length; index++) {
    if (offsetOf(layout, index) >= span.end) return
    yield* entryPieces(layout, index, { span, checksumOf })
  }
  yield* directoryPieces(layout, span, checksumOf)
  const { entries, directoryStart: start, directoryBytes: bytes, limits } = layout
  yield* framePiece(start + bytes, endRecords({ count: entries.length, bytes, start }, limits), span)
}

interface Asked {
  readonly span: Span
  readonly checksumOf: ChecksumOf
}

async function* entryPieces(layout: ZipLayout, index: number, { span, checksumOf }: Asked): AsyncGenerator<ZipPiece> {
  const entry = entryOf(layout, index)
  const { limits } = layout
  const header = localHeader(entry, limits)
  const offset = offsetOf(layout, index)
  yield* framePiece(offset, header, span)
  const begin = offset + header.length
  const content = { start: Math.max(0, span.start - begin), end: Math.min(entry.size, span.end - begin) }
  if (content.start < content.end) yield { kind: 'content', index, span: content }
  const end = begin + entry.size
  if (span.end <= end || span.start >= end + descriptorBytes(entry, limits)) return
  yield* framePiece(end, descriptor(entry, await checksumOf(index), limits), span)
}

async function* directoryPieces(layout: ZipLayout, span: Span, checksumOf: ChecksumOf): AsyncGenerator<ZipPiece> {
  const { limits, entries } = layout
  let at = layout.directoryStart
  let block: Buffer[] = []
  let held = 0
  for (let index = 0; index < entries.length && at < span.end; index++) {
    const entry = entryOf(layout, index)
    const offset = offsetOf(layout, index)
    const length = directoryRecordBytes(entry, offset, limits)
    if (at + length > span.start) {
      const known = checksumOf(index)
      const crc = typeof known === 'number' ? known : await known
      block.push(directoryRecord({ entry, offset, crc }, limits))
      held += length
    }
    at += length
    if (held < BLOCK_BYTES) continue
    yield* framePiece(at - held, Buffer.concat(block), span)
    block = []
    held = 0
  }
  yield* framePiece(at - held, Buffer.concat(block), span)
}

/** What of some bytes that begin at a place of the archive lies in the span. */
function* framePiece(at: number, bytes: Buffer, span: Span): Generator<ZipPiece> {
  const part = bytes.subarray(Math.max(0, span.start - at), Math.max(0, Math.min(bytes.length, span.end - at)))
  if (part.length > 0) yield { kind: 'frame', bytes: part }
}

/** The last entry that begins at or before a place. */
function indexAt(offsets: Float64Array, at: number): number {
  let [low, high] = [0, offsets.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((offsets[middle] ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

function entryOf<Entry extends ZipEntry>({ entries }: ZipLayout<Entry>, index: number): Entry {
  const entry = entries[index]
  if (entry === undefined) throw new Error('no such entry in the archive')
  return entry
}

function offsetOf({ offsets }: ZipLayout, index: number): number {
  return offsets[index] ?? Infinity
}
