import { readSpan } from '../read-spans.ts'
import { type ArchiveEntry, type ArchiveSource, entryPath } from './archive-entries.ts'

const BLOCK = 512
/** Headers stand between contents, so small files come several to a request. */
const WINDOW = 256 * 1024
/** A long name or a pax record beyond this is damage. */
const MAX_RECORD = 1024 * 1024

interface Header {
  readonly name: string
  readonly size: number
  readonly time: number
  readonly type: string
}

/** What a record of its own says about the entry after it. */
interface Extra {
  readonly name?: string
  readonly size?: number
}

/**
 * The entries of a tar (ustar, GNU and pax names) in the order of the archive. There is no directory: the headers are read one
 * after another, so an archive of large files takes a request for each.
 * @throws ApiError from the server, Error when the archive is damaged
 */
export async function* readTar(source: ArchiveSource): AsyncGenerator<ArchiveEntry> {
  const read = windowReader(source)
  let extra: Extra = {}
  for (let at = 0; at + BLOCK <= source.size;) {
    const block = await read(at, BLOCK)
    const header = headerOf(block)
    // Two empty blocks are the end; one is enough to know.
    if (header === undefined) return
    const content = at + BLOCK
    const size = extra.size ?? header.size
    at = content + Math.ceil(size / BLOCK) * BLOCK
    if (header.type === 'x' || header.type === 'L') {
      if (size > MAX_RECORD) throw new Error('a record of the archive is too long')
      extra = { ...extra, ...extraOf(header.type, await read(content, size)) }
      continue
    }
    const path = entryPath(extra.name ?? header.name)
    extra = {}
    // '0' and NUL are files, '5' folders; links and devices have no content of their own.
    const isFolder = header.type === '5'
    if (path === '' || !(isFolder || header.type === '0' || header.type === '\0')) continue
    yield { path, isFolder, size, time: header.time, isEncrypted: false, open: () => blobOf(source, content, size) }
  }
}

async function blobOf({ url, signal }: ArchiveSource, start: number, size: number): Promise<Blob> {
  if (size === 0) return new Blob()
  return new Blob([Uint8Array.from(await readSpan(url, start, start + size, signal))])
}

/** Reads through a window, so that neighbours share a request. */
function windowReader({ url, size, signal }: ArchiveSource) {
  let start = 0
  let bytes: Uint8Array = new Uint8Array()
  return async (at: number, length: number): Promise<Uint8Array> => {
    if (at < start || at + length > start + bytes.length) {
      start = at
      bytes = await readSpan(url, at, Math.min(size, at + Math.max(length, WINDOW)), signal)
    }
    return bytes.subarray(at - start, at - start + length)
  }
}

/** @returns undefined at the end of the archive @throws Error when the checksum does not fit */
export function headerOf(block: Uint8Array): Header | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  let sum = 0
  // The field of the checksum itself counts as blanks.
  for (const [at, byte] of block.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  if (sum !== numberAt(block, 148, 8)) throw new Error('the archive is damaged')
  const prefix = textAt(block, 257, 5) === 'ustar' && block[262] === 0 ? textAt(block, 345, 155) : ''
  const name = textAt(block, 0, 100)
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: numberAt(block, 124, 12),
    time: numberAt(block, 136, 12),
    type: String.fromCharCode(block[156] ?? 0),
  }
}

function textAt(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length)
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}

/** Octal digits, or with the first bit set a binary number (GNU, for files over 8 GiB). */
function numberAt(block: Uint8Array, start: number, length: number): number {
  const field = block.subarray(start, start + length)
  const [first = 0] = field
  const value =
    (first & 0x80) === 0
      ? Number.parseInt(textAt(block, start, length).trim() || '0', 8)
      : field.subarray(1).reduce((sum, byte) => sum * 256 + byte, first & 0x7f)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('the archive is damaged')
  return value
}

/** `L` is a long name (GNU); `x` holds lines of "length key=value" (pax). */
function extraOf(type: string, record: Uint8Array): Extra {
  const text = new TextDecoder().decode(record)
  if (type === 'L') return { name: text.replace(/\0.*$/s, '') }
  const values = paxValues(record)
  const path = values.get('path')
  const size = Number(values.get('size') ?? Number.NaN)
  return { ...(path === undefined ? {} : { name: path }), ...(Number.isSafeInteger(size) && size >= 0 ? { size } : {}) }
}

/** Lengths count bytes, not letters. */
function paxValues(record: Uint8Array): Map<string, string> {
  const values = new Map<string, string>()
  for (let at = 0; at < record.length;) {
    const blank = record.indexOf(32, at)
    const length = blank < 0 ? 0 : Number.parseInt(new TextDecoder().decode(record.subarray(at, blank)), 10)
    if (!(length > blank - at) || at + length > record.length) break
    const [key = '', ...rest] = new TextDecoder().decode(record.subarray(blank + 1, at + length - 1)).split('=')
    values.set(key, rest.join('='))
    at += length
  }
  return values
}
