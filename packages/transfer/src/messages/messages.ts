import { TransferError } from '../errors/transfer-error.ts'
import { HASH_BYTES } from '../hashes/tree-hash.ts'
import type { ManifestEntry } from '../manifests/entry.ts'
import { readBatch, writeBatch } from '../manifests/manifest.codec.ts'
import { WireReader, WireWriter } from './wire.ts'

/** Version of these messages. A sender of another one is refused. */
const VERSION = 2
export const TASK_ID_BYTES = 16
/** Longest message; a full manifest batch of the longest paths stays below it. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** Ranges in one message, at most. */
const MAX_RANGES = 4096
const MAX_LEAVES = 4096
const MAX_CODE_BYTES = 64
const MAX_REASON_BYTES = 200

/** Chunks or files [first, end). */
export type NumberRange = readonly [first: number, end: number]

/**
 * What happens to a file that is at the receiver already and is not the same.
 * `keep-newer`: one that is newer there stays, and counts as a failure. `update`: it stays, and that is as wanted.
 * `keep-existing`: every file that is there stays. `overwrite`: none does.
 */
export const EXISTING_POLICIES = ['keep-newer', 'update', 'keep-existing', 'overwrite'] as const
export type ExistingPolicy = (typeof EXISTING_POLICIES)[number]

/** What the receiver does with a file: bring it, replace another one by it, or leave the one that is there. */
export const VERDICTS = ['new', 'replaced', 'same', 'newer', 'existing'] as const
export type Verdict = (typeof VERDICTS)[number]

/** What a receiver keeps of a file beside bytes, name and time. */
export interface KeptAttributes {
  readonly permissions: boolean
  readonly links: boolean
  readonly holes: boolean
}

/** The messages between the two engines, in order, besides the file bytes. */
export type Message =
  /** Sender, first. The same task id again means: resume where it stopped. */
  | {
      readonly type: 'open'
      readonly taskId: Uint8Array
      readonly hashId: number
      readonly existing: ExistingPolicy
      /** Files of the same size are compared by hash, whatever their times. */
      readonly isChecksum: boolean
      /** Nothing is to be written; the verdicts are all that is wanted. */
      readonly isDryRun: boolean
    }
  /** Receiver's answer. When `isAnswering`, a batch may be sent once its `ready` is there. */
  | { readonly type: 'accept'; readonly isAnswering: boolean; readonly keeps: KeptAttributes }
  | { readonly type: 'manifest'; readonly entries: readonly ManifestEntry[] }
  /** Sender: no more batches. */
  | { readonly type: 'manifest-end'; readonly files: number; readonly bytes: number }
  /** Sender: leaf hashes of one chunk, one for each piece of it, back to back. All zero: the source could not read it. */
  | { readonly type: 'leaves'; readonly chunk: number; readonly hashes: Uint8Array }
  /** Receiver: these chunks need not be sent; it has them from before. */
  | { readonly type: 'have'; readonly ranges: readonly NumberRange[] }
  /** Receiver: it has these leaves of another version of the file. Only their hashes are wanted. */
  | { readonly type: 'compare'; readonly ranges: readonly NumberRange[] }
  /** Receiver: these leaves differ, so their bytes are wanted too. */
  | { readonly type: 'want'; readonly ranges: readonly NumberRange[] }
  /** Receiver: what happens to these files. Those it leaves must not be sent; `new` and `replaced` only in a dry run. */
  | { readonly type: 'verdict'; readonly verdict: Verdict; readonly files: readonly NumberRange[] }
  /** Receiver: its answer to manifest batch `batch` is complete. */
  | { readonly type: 'ready'; readonly batch: number }
  /** Receiver: verified, written and in the journal. */
  | { readonly type: 'done'; readonly ranges: readonly NumberRange[] }
  /** Either side: a file cannot be completed; the others go on. */
  | { readonly type: 'failed'; readonly file: number; readonly code: string }
  | { readonly type: 'pause'; readonly isPaused: boolean }
  /** Receiver, every second: share of time its disk was busy, 0 to 100, and bytes that wait for it. */
  | { readonly type: 'load'; readonly diskPercent: number; readonly waitingBytes: number }
  /** Receiver: everything is in place. */
  | { readonly type: 'complete'; readonly files: number; readonly failed: number }
  /** Either side: it gives up. The reason is for people. */
  | { readonly type: 'cancel'; readonly code: string; readonly reason: string }

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
  verdict: 16,
}

export function encodeMessage(message: Message): Uint8Array {
  const out = new WireWriter().byte(TYPES[message.type])
  switch (message.type) {
    case 'open':
      return writeOpen(out, message).finish()
    case 'accept':
      return writeFlag(writeKeeps(out, message.keeps), message.isAnswering).finish()
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
    case 'verdict':
      return writeRanges(out.byte(VERDICTS.indexOf(message.verdict)), message.files).finish()
    case 'ready':
      return out.integer(message.batch).finish()
    case 'failed':
      return out.integer(message.file).text(message.code).finish()
    case 'pause':
      return writeFlag(out, message.isPaused).finish()
    case 'load':
      return out.integer(message.diskPercent).integer(message.waitingBytes).finish()
    case 'complete':
      return out.integer(message.files).integer(message.failed).finish()
    case 'cancel':
      return out.text(message.code).text(cutText(message.reason, MAX_REASON_BYTES)).finish()
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
      return { type: 'accept', keeps: readKeeps(input), isAnswering: readFlag(input) }
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
      return { type: 'failed', file: input.integer(), code: input.text(MAX_CODE_BYTES) }
    case TYPES.verdict:
      return { type: 'verdict', verdict: readWord(input, VERDICTS), files: readRanges(input) }
    case TYPES.pause:
      return { type: 'pause', isPaused: readFlag(input) }
    case TYPES.load:
      return { type: 'load', diskPercent: input.integer(100), waitingBytes: input.integer() }
    case TYPES.complete:
      return { type: 'complete', files: input.integer(), failed: input.integer() }
    case TYPES.cancel:
      return { type: 'cancel', code: input.text(MAX_CODE_BYTES), reason: input.text(MAX_REASON_BYTES) }
    default:
      throw new TransferError('MESSAGE_INVALID', { reason: 'unknown type', type })
  }
}

function readOpen(input: WireReader): Message {
  if (input.byte() !== VERSION) throw new TransferError('MESSAGE_INVALID', { reason: 'another version' })
  return {
    type: 'open',
    taskId: new Uint8Array(input.raw(TASK_ID_BYTES)),
    hashId: input.byte(),
    existing: readWord(input, EXISTING_POLICIES),
    isChecksum: readFlag(input),
    isDryRun: readFlag(input),
  }
}

function writeOpen(out: WireWriter, open: Extract<Message, { type: 'open' }>): WireWriter {
  out.byte(VERSION).raw(open.taskId).byte(open.hashId).byte(EXISTING_POLICIES.indexOf(open.existing))
  return writeFlag(writeFlag(out, open.isChecksum), open.isDryRun)
}

function writeKeeps(out: WireWriter, { permissions, links, holes }: KeptAttributes): WireWriter {
  return writeFlag(writeFlag(writeFlag(out, permissions), links), holes)
}

function readKeeps(input: WireReader): KeptAttributes {
  return { permissions: readFlag(input), links: readFlag(input), holes: readFlag(input) }
}

function writeFlag(out: WireWriter, flag: boolean): WireWriter {
  return out.byte(flag ? 1 : 0)
}

/** One byte that counts in a list of words. */
function readWord<Word>(input: WireReader, words: readonly Word[]): Word {
  const word = words[input.byte()]
  if (word === undefined) throw new TransferError('MESSAGE_INVALID', { reason: 'unknown word' })
  return word
}

/** As much of a text as fits, without half a character at its end. */
function cutText(text: string, maxBytes: number): string {
  let cut = text.toWellFormed()
  while (Buffer.byteLength(cut) > maxBytes) cut = cut.slice(0, -1).toWellFormed()
  return cut
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
function writeRanges(out: WireWriter, ranges: readonly NumberRange[]): WireWriter {
  out.integer(ranges.length)
  let at = 0
  for (const [first, end] of ranges) {
    out.integer(first - at).integer(end - first)
    at = end
  }
  return out
}

function readRanges(input: WireReader): NumberRange[] {
  const count = input.integer(MAX_RANGES)
  const ranges: NumberRange[] = []
  let at = 0
  for (let index = 0; index < count; index++) {
    const first = at + input.integer()
    at = first + input.integer()
    if (!Number.isSafeInteger(at)) throw new TransferError('MESSAGE_INVALID', { reason: 'range too large' })
    ranges.push([first, at])
  }
  return ranges
}
