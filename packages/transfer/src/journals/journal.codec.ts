import { crc32 } from 'node:zlib'
import { TransferError } from '../errors/transfer-error.ts'
import { HASH_BYTES } from '../hashes/tree-hash.ts'
import { WireReader, WireWriter } from '../messages/wire.ts'

/** First bytes of every journal: name and version of the format. */
const MAGIC = new TextEncoder().encode('gwjournal1\n')

/** One fact about a transfer, appended after it is true on disk (not yet: durable; see `replay`). */
export type JournalRecord =
  /** Which file `file` stands for in the records that follow. */
  | {
      readonly type: 'file'
      readonly file: number
      readonly path: string
      readonly size: number
      readonly mtimeMs: number
    }
  /** A leaf of a large file is verified and written to its part file. */
  | { readonly type: 'block'; readonly file: number; readonly leaf: number; readonly hash: Uint8Array }
  /** The file is verified, durable and in its place. */
  | { readonly type: 'done'; readonly file: number }
  /** The same of a file that came in one piece: `file` and `done` in one. */
  | { readonly type: 'whole'; readonly path: string; readonly size: number; readonly mtimeMs: number }
  /** Everything before is durable: the side stopped in good order. */
  | { readonly type: 'clean' }

const TYPES: Record<JournalRecord['type'], number> = { file: 1, block: 2, done: 3, clean: 4, whole: 5 }

export function journalHead(taskId: Uint8Array, hashId: number): Uint8Array {
  return seal(new WireWriter().raw(MAGIC).bytes(taskId).byte(hashId).finish())
}

/** Record = length, body, CRC-32 of both. */
export function encodeRecord(record: JournalRecord): Uint8Array {
  const out = new WireWriter(64).byte(TYPES[record.type])
  switch (record.type) {
    case 'file':
      out.integer(record.file).text(record.path).integer(record.size).integer(record.mtimeMs)
      break
    case 'block':
      out.integer(record.file).integer(record.leaf).raw(record.hash)
      break
    case 'done':
      out.integer(record.file)
      break
    case 'whole':
      out.text(record.path).integer(record.size).integer(record.mtimeMs)
      break
    case 'clean':
      break
  }
  return seal(out.finish())
}

function seal(body: Uint8Array): Uint8Array {
  const out = new WireWriter(body.length + 8).bytes(body)
  const sum = crc32(out.written)
  return out.raw(Uint8Array.of(sum >>> 24, sum >>> 16, sum >>> 8, sum)).written
}

export interface JournalText {
  readonly records: readonly JournalRecord[]
  /** Bytes that are whole; what follows is cut off before the journal grows again. */
  readonly wholeBytes: number
}

/**
 * Reads a journal as far as it is whole: a crash may have cut or garbled its end.
 * @returns undefined when it belongs to another task, hash or version, or is no journal
 */
export function decodeJournal(
  bytes: Uint8Array,
  expected: { taskId: Uint8Array; hashId: number },
): JournalText | undefined {
  const head = journalHead(expected.taskId, expected.hashId)
  if (Buffer.compare(bytes.subarray(0, head.length), head) !== 0) return undefined
  const records: JournalRecord[] = []
  let at = head.length
  for (let next = readSealed(bytes, at); next !== undefined; next = readSealed(bytes, at)) {
    const record = readRecord(next.body)
    if (record === undefined) break
    records.push(record)
    at = next.end
  }
  return { records, wholeBytes: at }
}

/** The record at `at`, or undefined when it is not whole. */
function readSealed(bytes: Uint8Array, at: number): { body: Uint8Array; end: number } | undefined {
  if (at >= bytes.length) return undefined
  try {
    const input = new WireReader(bytes.subarray(at))
    const body = input.bytes(64 * 1024)
    const length = bytes.length - at - input.remaining
    const sum = new DataView(new Uint8Array(input.raw(4)).buffer).getUint32(0)
    return sum === crc32(bytes.subarray(at, at + length)) ? { body, end: at + length + 4 } : undefined
  } catch (error) {
    if (error instanceof TransferError) return undefined
    throw error
  }
}

function readRecord(body: Uint8Array): JournalRecord | undefined {
  const input = new WireReader(body)
  switch (input.byte()) {
    case TYPES.file:
      return {
        type: 'file',
        file: input.integer(),
        path: input.text(65_536),
        size: input.integer(),
        mtimeMs: input.integer(),
      }
    case TYPES.block:
      return {
        type: 'block',
        file: input.integer(),
        leaf: input.integer(),
        hash: new Uint8Array(input.raw(HASH_BYTES)),
      }
    case TYPES.done:
      return { type: 'done', file: input.integer() }
    case TYPES.whole:
      return { type: 'whole', path: input.text(65_536), size: input.integer(), mtimeMs: input.integer() }
    case TYPES.clean:
      return { type: 'clean' }
    default:
      return undefined
  }
}
