/**
 * Files of end-to-end encrypted links, as they lie on the storage: the server keeps them and cannot open them. The format is
 * described in docs/sealed-files.md; this is its arithmetic, which needs no key.
 *
 * A file is a head of 60 bytes (magic, key of the sender, id, length of the padded metadata) and then records, each a nonce,
 * AES-256-GCM and its tag. Record 0 is the metadata, the others are the content, padded so that its length says little.
 */
export const SEALED_FILE = {
  magic: 'GODWITE1',
  /** Of the name on the server, after the id in hex. */
  ending: '.gwe',
  headBytes: 60,
  keyBytes: 32,
  idBytes: 16,
  nonceBytes: 12,
  tagBytes: 16,
  /** Of content in one record; only the last one may be shorter. */
  chunkBytes: 256 * 1024,
  /** Metadata is a multiple of it, so that the length of a name does not show. */
  metadataStep: 256,
  metadataMax: 16 * 1024,
} as const

const { magic, ending, headBytes, keyBytes, idBytes, nonceBytes, tagBytes, chunkBytes, metadataMax } = SEALED_FILE
const KEY_AT = magic.length
const ID_AT = KEY_AT + keyBytes
const LENGTH_AT = ID_AT + idBytes

/** What a record is longer than what it holds. */
export const SEALED_RECORD_EXTRA = nonceBytes + tagBytes

export interface SealedHead {
  /** X25519 key of the sender, for this link alone. */
  readonly sender: Uint8Array<ArrayBuffer>
  readonly id: Uint8Array<ArrayBuffer>
  /** Bytes of the metadata, padding included. */
  readonly metadataBytes: number
}

export function sealedHeadBytes({ sender, id, metadataBytes }: SealedHead): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(headBytes)
  head.set(new TextEncoder().encode(magic))
  head.set(sender, KEY_AT)
  head.set(id, ID_AT)
  new DataView(head.buffer).setUint32(LENGTH_AT, metadataBytes)
  return head
}

/** @returns undefined for bytes that do not begin a sealed file */
export function sealedHeadOf(bytes: Uint8Array): SealedHead | undefined {
  if (bytes.length < headBytes || new TextDecoder('latin1').decode(bytes.subarray(0, KEY_AT)) !== magic)
    return undefined
  const metadataBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(LENGTH_AT)
  if (metadataBytes > metadataMax) return undefined
  return { sender: bytes.slice(KEY_AT, ID_AT), id: bytes.slice(ID_AT, LENGTH_AT), metadataBytes }
}

/** Bytes before the first record of content. */
export function sealedContentAt(metadataBytes: number): number {
  return headBytes + SEALED_RECORD_EXTRA + metadataBytes
}

/** The most that lies before the content of any file. */
export const SEALED_START_MAX = sealedContentAt(metadataMax)

/**
 * Bytes of content with its padding: at most 12 % more, 1.6 % from 4 GiB on, and one of few lengths for files of similar size.
 * Source: Padmé, "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", 2019.
 */
export function paddedBytes(size: number): number {
  if (size < 2) return size
  const exponent = Math.floor(Math.log2(size))
  const kept = Math.floor(Math.log2(exponent)) + 1
  const step = 2 ** Math.max(0, exponent - kept)
  return Math.ceil(size / step) * step
}

/** Records of the content of a file of `size` bytes; an empty one has one. */
export function sealedRecords(size: number): number {
  return Math.max(1, Math.ceil(paddedBytes(size) / chunkBytes))
}

/** Bytes of the whole sealed file. */
export function sealedFileBytes(size: number, metadataBytes: number): number {
  return sealedContentAt(metadataBytes) + paddedBytes(size) + sealedRecords(size) * SEALED_RECORD_EXTRA
}

/** What a record is bound to besides the key: the head, its number, and whether it is the last one. */
export function sealedRecordFacts(
  head: Uint8Array,
  { index, isLast }: { readonly index: number; readonly isLast: boolean },
): Uint8Array<ArrayBuffer> {
  const facts = new Uint8Array(headBytes + 5)
  facts.set(head)
  new DataView(facts.buffer).setUint32(headBytes, index)
  facts[headBytes + 4] = isLast ? 1 : 0
  return facts
}

/** The name that a sealed file has on the server. */
export function sealedFileName(id: Uint8Array): string {
  return `${[...id].map((byte) => byte.toString(16).padStart(2, '0')).join('')}${ending}`
}

/** `sealedBy` of a link: 22 characters of base64url, from which nobody learns a key. '' for a link that is not encrypted. */
export const SEALED_BY = /^[A-Za-z0-9_-]{22}$/
