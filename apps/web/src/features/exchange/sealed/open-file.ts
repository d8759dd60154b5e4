import {
  SEALED_FILE,
  SEALED_RECORD_EXTRA,
  sealedContentAt,
  sealedFileBytes,
  sealedHeadOf,
  sealedRecordFacts,
  sealedRecords,
} from '@godwit/contract/exchange/sealed-files'
import { type FileFacts, keysForReader, type SecretKey } from './seal-keys.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** The bytes are not those that were sealed: changed, cut, moved, or sealed for another link. */
export class SealBroken extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`sealed file: ${what}`, options)
    this.name = 'SealBroken'
  }
}

/** A sealed file whose beginning was opened. */
export interface OpenedFile extends FileFacts {
  /** Of its id, as hex: what its name on the server begins with. */
  readonly id: string
  /** The sealed beginning, up to the first record of content. */
  readonly start: Bytes
  /** Bytes that the whole sealed file must have. */
  readonly sealedBytes: number
  readonly records: number
  /** Opens a record of content, from 1 on. @returns what of it belongs to the file @throws SealBroken */
  open(index: number, record: Bytes): Promise<Bytes>
}

const { headBytes, nonceBytes, chunkBytes } = SEALED_FILE

/** Bytes of the records of content of a whole file, but the last one. */
export const RECORD_BYTES = chunkBytes + SEALED_RECORD_EXTRA

/** @param start at least everything before the content @throws SealBroken */
export async function openStart(link: SecretKey, start: Bytes): Promise<OpenedFile> {
  const head = sealedHeadOf(start)
  if (head === undefined) throw new SealBroken('no head')
  const contentAt = sealedContentAt(head.metadataBytes)
  if (start.length < contentAt) throw new SealBroken('the head is cut')
  const open = await openerOf(link, { ...head, bytes: start.slice(0, headBytes) })
  const facts = factsIn(await open(start.slice(headBytes, contentAt), { index: 0, isLast: false }))
  const records = sealedRecords(facts.size)
  return {
    ...facts,
    id: [...head.id].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    start: start.slice(0, contentAt),
    sealedBytes: sealedFileBytes(facts.size, head.metadataBytes),
    records,
    async open(index, record) {
      const plain = await open(record, { index, isLast: index === records })
      return plain.subarray(0, Math.max(0, Math.min(plain.length, facts.size - (index - 1) * chunkBytes)))
    },
  }
}

async function openerOf(
  link: SecretKey,
  { bytes, ...head }: { readonly bytes: Bytes; readonly id: Bytes; readonly sender: Bytes },
) {
  const { content } = keysOf(link, head)
  const key = await crypto.subtle.importKey('raw', content, 'AES-GCM', false, ['decrypt'])
  return async (record: Bytes, place: { readonly index: number; readonly isLast: boolean }): Promise<Bytes> => {
    if (record.length < SEALED_RECORD_EXTRA) throw new SealBroken(`record ${place.index} is cut`)
    const iv = record.slice(0, nonceBytes)
    const additionalData = sealedRecordFacts(bytes, place)
    try {
      return new Uint8Array(
        await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, record.slice(nonceBytes)),
      )
    } catch (cause) {
      throw new SealBroken(`record ${place.index} is not what was sealed`, { cause })
    }
  }
}

function keysOf(link: SecretKey, head: { readonly id: Bytes; readonly sender: Bytes }) {
  try {
    return keysForReader(link, head)
  } catch (cause) {
    throw new SealBroken('the key of the sender is none', { cause })
  }
}

/** What the sender says of the file. It is authentic, not harmless: a guest may have made it. @throws SealBroken */
function factsIn(metadata: Bytes): FileFacts {
  let read: Partial<FileFacts>
  try {
    read = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(metadata)) as Partial<FileFacts>
  } catch (cause) {
    throw new SealBroken('the metadata is no JSON', { cause })
  }
  const { path, size, modified } = read
  const isPath = typeof path === 'string' && path.split('/').every((name) => name !== '' && !/^\.{1,2}$/.test(name))
  if (!isPath || !isCount(size) || !isCount(modified)) throw new SealBroken('the metadata is malformed')
  return { path, size, modified }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/**
 * Opens a sealed file as it arrives, one record in memory at a time.
 * @param chunks its bytes from the first record that is wanted on
 * @param from number of that record
 * @throws SealBroken when anything is missing, moved, changed or too much
 */
export async function* openContent(file: OpenedFile, chunks: AsyncIterable<Bytes>, from = 1): AsyncGenerator<Bytes> {
  let index = from
  let rest = new Uint8Array(0)
  const bytesOf = (at: number): number =>
    at < file.records ? RECORD_BYTES : file.sealedBytes - file.start.length - (file.records - 1) * RECORD_BYTES
  for await (const chunk of chunks) {
    let bytes = chunk
    if (rest.length > 0) {
      bytes = new Uint8Array(rest.length + chunk.length)
      bytes.set(rest)
      bytes.set(chunk, rest.length)
    }
    let at = 0
    while (index <= file.records && bytes.length - at >= bytesOf(index)) {
      const end = at + bytesOf(index)
      yield await file.open(index, bytes.slice(at, end))
      at = end
      index += 1
    }
    rest = bytes.slice(at)
    if (index > file.records && rest.length > 0) throw new SealBroken('there is more than was sealed')
  }
  if (index <= file.records) throw new SealBroken('the end is missing')
}
