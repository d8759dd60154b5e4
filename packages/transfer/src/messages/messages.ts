import { TransferError } from '../errors/transfer-error.ts'
import { HASH_BYTES } from '../hashes/tree-hash.ts'
import type { ManifestEntry } from '../manifests/entry.ts'
import { readBatch, writeBatch } from '../manifests/manifest.codec.ts'
import { WireReader, WireWriter } from './wire.ts'

/** Version of these messages. */
const VERSION = 1
export const TASK_ID_BYTES = 16
/** Longest message; a full manifest batch of the longest paths stays below it. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** Ranges in one message, at most. */
const MAX_RANGES = 4096
const MAX_LEAVES = 4096

/** Chunks [first, end). */
export type ChunkRange = readonly [first: number, end: number]

/** What the two engines say to each other, in order, beside the file bytes. */
export type Message =
  /** Sender, first. The same task id again means: go on where it stopped. */
  | { readonly type: 'open'; readonly taskId: Uint8Array; readonly hashId: number }
  /** Receiver's answer. What it has follows as `have` before `ready` when it resumes. */
  | { readonly type: 'accept'; readonly isResumed: boolean }
  | { readonly type: 'manifest'; readonly entries: readonly ManifestEntry[] }
  /** Sender: no more batches. */
  | { readonly type: 'manifest-end'; readonly files: number; readonly bytes: number }
  /** Sender: leaf hashes of one chunk, one for each piece of it, back to back. All zero: the source gave nothing. */
  | { readonly type: 'leaves'; readonly chunk: number; readonly hashes: Uint8Array }
  /** Receiver: these chunks need not be sent; it has them from before. */
  | { readonly type: 'have'; readonly ranges: readonly ChunkRange[] }
  /** Receiver: it has these leaves of another version of the file. Only their hashes are to come. */
  | { readonly type: 'compare'; readonly ranges: readonly ChunkRange[] }
  /** Receiver: these leaves differ, their bytes are to come too. */
  | { readonly type: 'want'; readonly ranges: readonly ChunkRange[] }
  /** Receiver: its answer to manifest batch `batch` is complete. */
  | { readonly type: 'ready'; readonly batch: number }
  /** Receiver: verified, written and in the journal. */
  | { readonly type: 'done'; readonly ranges: readonly ChunkRange[] }
  /** Either side: a file cannot be completed; the others go on. */
  | { readonly type: 'failed'; readonly file: number; readonly code: string }
  | { readonly type: 'pause'; readonly isPaused: boolean }
  /** Receiver, every second: share of time its disk was busy, 0 to 100, and bytes that wait for it. */
  | { readonly type: 'load'; readonly diskPercent: number; readonly waitingBytes: number }
  /** Receiver: everything is in place. */
  | { readonly type: 'complete'; readonly files: number; readonly failed: number }
  | { readonly type: 'cancel'; readonly code: string }

const TYPES: Record<Message['type'], number> = {
  open: 1,
  accept: 2,
  manifest: 3,
  'manifest-end': 4,
  leaves: 5,
  have: 6,
  ready: 7,
  done: 8,
  failed: 9,
  pause: 10,
  load: 11,
  complete: 12,
  cancel: 13,
  compare: 14,
  want: 15,
}

export function encodeMessage(message: Message): Uint8Array {
  const out = new WireWriter().byte(TYPES[message.type])
  switch (message.type) {
    case 'open':
      return out.byte(VERSION).raw(message.taskId).byte(message.hashId).finish()
    case 'accept':
      return out.byte(message.isResumed ? 1 : 0).finish()
    case 'manifest':
      writeBatch(out, message.entries)
      return out.finish()
    case 'manifest-end':
      return out.integer(message.files).integer(message.bytes).finish()
    case 'leaves':
      return out.integer(message.chunk).bytes(message.hashes).finish()
    case 'have':
    case 'done':
    case 'compare':
    case 'want':
      return writeRanges(out, message.ranges).finish()
    case 'ready':
      return out.integer(message.batch).finish()
    case 'failed':
      return out.integer(message.file).text(message.code).finish()
    case 'pause':
      return out.byte(message.isPaused ? 1 : 0).finish()
    case 'load':
      return out.integer(message.diskPercent).integer(message.waitingBytes).finish()
    case 'complete':
      return out.integer(message.files).integer(message.failed).finish()
    case 'cancel':
      return out.text(message.code).finish()
  }
}

/** @throws TransferError MESSAGE_INVALID, PATH_REFUSED, MANIFEST_INVALID */
export function decodeMessage(bytes: Uint8Array): Message {
  const input = new WireReader(bytes)
  const message = readBody(input, input.byte())
  input.end()
  return message
}

function readBody(input: WireReader, type: number): Message {
  switch (type) {
    case TYPES.open:
      return readOpen(input)
    case TYPES.accept:
      return { type: 'accept', isResumed: readFlag(input) }
    case TYPES.manifest:
      return { type: 'manifest', entries: readBatch(input) }
    case TYPES['manifest-end']:
      return { type: 'manifest-end', files: input.integer(), bytes: input.integer() }
    case TYPES.leaves:
      return { type: 'leaves', chunk: input.integer(), hashes: readHashes(input) }
    case TYPES.have:
      return { type: 'have', ranges: readRanges(input) }
    case TYPES.ready:
      return { type: 'ready', batch: input.integer() }
    case TYPES.done:
      return { type: 'done', ranges: readRanges(input) }
    case TYPES.compare:
      return { type: 'compare', ranges: readRanges(input) }
    case TYPES.want:
      return { type: 'want', ranges: readRanges(input) }
    case TYPES.failed:
      return { type: 'failed', file: input.integer(), code: input.text(64) }
    case TYPES.pause:
      return { type: 'pause', isPaused: readFlag(input) }
    case TYPES.load:
      return { type: 'load', diskPercent: input.integer(100), waitingBytes: input.integer() }
    case TYPES.complete:
      return { type: 'complete', files: input.integer(), failed: input.integer() }
    case TYPES.cancel:
      return { type: 'cancel', code: input.text(64) }
    default:
      throw new TransferError('MESSAGE_INVALID', { reason: 'unknown type', type })
  }
}

function readOpen(input: WireReader): Message {
  if (input.byte() !== VERSION) throw new TransferError('MESSAGE_INVALID', { reason: 'another version' })
  return { type: 'open', taskId: new Uint8Array(input.raw(TASK_ID_BYTES)), hashId: input.byte() }
}

function readFlag(input: WireReader): boolean {
  const value = input.byte()
  if (value > 1) throw new TransferError('MESSAGE_INVALID', { reason: 'not a flag' })
  return value === 1
}

function readHashes(input: WireReader): Uint8Array {
  const hashes = input.bytes(MAX_LEAVES * HASH_BYTES)
  if (hashes.length % HASH_BYTES !== 0) throw new TransferError('MESSAGE_INVALID', { reason: 'half a hash' })
  return new Uint8Array(hashes)
}

/** Ascending and disjoint, as gap before and length. */
function writeRanges(out: WireWriter, ranges: readonly ChunkRange[]): WireWriter {
  out.integer(ranges.length)
  let at = 0
  for (const [first, end] of ranges) {
    out.integer(first - at).integer(end - first)
    at = end
  }
  return out
}

function readRanges(input: WireReader): ChunkRange[] {
  const count = input.integer(MAX_RANGES)
  const ranges: ChunkRange[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    const first = at + input.integer()
    at = first + input.integer()
    if (!Number.isSafeInteger(at)) throw new TransferError('MESSAGE_INVALID', { reason: 'range too large' })
    ranges.push([first, at])
  }
  return ranges
}
