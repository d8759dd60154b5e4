import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { crc32 } from 'node:zlib'
import type { Check } from '../../content/intake/index.ts'
import { AppError } from '../../kernel/errors.ts'

export const TUS_VERSION = '1.0.0'
export const TUS_PATH = '/files/uploads'
export const CHUNK_TYPE = 'application/offset+octet-stream'
export const CHECKSUMS = ['sha1', 'sha256', 'md5', 'crc32'] as const

/** The only value of a header; twice the same header reads as one with a comma, which no rule below accepts. */
export function headerOf(req: IncomingMessage, name: string): string | undefined {
  const value = req.headers[name]
  return Array.isArray(value) ? value.join(',') : value
}

/**
 * A count of bytes: digits only, so no sign, exponent, fraction or list.
 * @throws AppError UPLOAD_SIZE_INVALID
 */
export function bytesIn(text: string): number {
  const bytes = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(bytes)) throw new AppError('UPLOAD_SIZE_INVALID')
  return bytes
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Upload-Metadata: `key base64,key base64,key`. A key without a value has the value ''.
 * @throws AppError PARAMETER_INVALID
 */
export function metadataIn(header: string | undefined): ReadonlyMap<string, string> {
  const metadata = new Map<string, string>()
  for (const pair of header === undefined || header === '' ? [] : header.split(',')) {
    const [key = '', value = '', ...rest] = pair.trim().split(' ')
    const isValid = /^[\u0021-\u007e]+$/.test(key) && BASE64.test(value) && rest.length === 0 && !metadata.has(key)
    if (!isValid) throw new AppError('PARAMETER_INVALID', { field: 'Upload-Metadata' })
    metadata.set(key, decoded(value))
  }
  return metadata
}

/** @throws AppError PARAMETER_INVALID when the bytes are not UTF-8 */
function decoded(base64: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, 'base64'))
  } catch (cause) {
    throw new AppError('PARAMETER_INVALID', { field: 'Upload-Metadata' }, { cause })
  }
}

/**
 * Upload-Checksum: `algorithm base64`.
 * @throws AppError PARAMETER_INVALID for an algorithm that OPTIONS does not name
 */
export function checkIn(header: string | undefined): Check | undefined {
  if (header === undefined) return undefined
  const [algorithm = '', wanted = ''] = header.split(' ')
  const known = CHECKSUMS.find((name) => name === algorithm)
  if (known === undefined || wanted === '' || !BASE64.test(wanted)) {
    throw new AppError('PARAMETER_INVALID', { field: 'Upload-Checksum' })
  }
  return known === 'crc32' ? crcCheck(wanted) : digestCheck(known, wanted)
}

function digestCheck(algorithm: string, wanted: string): Check {
  const digest = createHash(algorithm)
  return {
    update: (chunk) => void digest.update(chunk),
    matches: () => digest.digest('base64') === wanted,
  }
}

function crcCheck(wanted: string): Check {
  let sum = 0
  return {
    update: (chunk) => {
      sum = crc32(chunk, sum)
    },
    matches() {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(sum)
      return bytes.toString('base64') === wanted
    },
  }
}

export type Concat = { readonly kind: 'partial' } | { readonly kind: 'final'; readonly ids: readonly string[] }

/** A final upload joins at most as many partial ones as a client may upload at once, many times over. */
const MAX_PIECES = 1_000

/** Upload-Concat: `partial`, or `final;` and the addresses of the partial uploads. @throws AppError PARAMETER_INVALID */
export function concatIn(header: string | undefined): Concat | undefined {
  if (header === undefined) return undefined
  if (header === 'partial') return { kind: 'partial' }
  const urls = header.startsWith('final;') ? header.slice('final;'.length).trim().split(/ +/) : []
  const ids = urls.map((url) => /\/files\/uploads\/([0-9a-f]{32})$/.exec(url)?.[1])
  const found = ids.filter((id) => id !== undefined)
  if (found.length === 0 || found.length !== ids.length || found.length > MAX_PIECES) {
    throw new AppError('PARAMETER_INVALID', { field: 'Upload-Concat' })
  }
  return { kind: 'final', ids: found }
}
