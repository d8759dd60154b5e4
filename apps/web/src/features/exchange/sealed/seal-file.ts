import {
  SEALED_FILE,
  SEALED_RECORD_EXTRA,
  sealedContentAt,
  sealedFileBytes,
  sealedFileName,
  sealedHeadBytes,
  sealedRecordFacts,
  sealedRecords,
} from '@godwit/contract/exchange/sealed-files'
import { type FileFacts, fileIdOf, keysForSender, type LinkKey, type Sender } from './seal-keys.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A file as it leaves: sealed piece by piece while it is read, the same bytes each time. */
export interface SealedFile {
  /** On the server. */
  readonly name: string
  /** Of what is sent. */
  readonly size: number
  /** The sealed bytes `[start, end)`. Rejects when the file on this device cannot be read any more. */
  read(start: number, end: number): Promise<Blob>
}

interface Content extends Pick<Blob, 'size' | 'slice'> {
  readonly lastModified: number
}

export interface Sealing {
  readonly link: LinkKey
  readonly sender: Sender
}

const { chunkBytes, metadataStep, metadataMax, nonceBytes } = SEALED_FILE

/** @param path the name below what was chosen; it leaves sealed, like the size and the time */
export async function sealFile(content: Content, path: string, { link, sender }: Sealing): Promise<SealedFile> {
  const facts = { path: path.normalize(), size: content.size, modified: content.lastModified }
  const id = fileIdOf(sender, facts)
  const metadata = metadataOf(facts)
  const head = sealedHeadBytes({ sender: sender.open, id, metadataBytes: metadata.length })
  const seal = await sealerOf(keysForSender(sender, link, id), head)
  const first = await seal(metadata, { index: 0, isLast: false })
  const start = new Uint8Array(head.length + first.length)
  start.set(head)
  start.set(first, head.length)
  const count = sealedRecords(content.size)
  const size = sealedFileBytes(content.size, metadata.length)
  const contentAt = sealedContentAt(metadata.length)
  const record = async (index: number): Promise<Bytes> => {
    const from = (index - 1) * chunkBytes
    const held = index === count ? size - contentAt - count * SEALED_RECORD_EXTRA - from : chunkBytes
    const chunk = new Uint8Array(held)
    chunk.set(new Uint8Array(await content.slice(from, Math.min(from + held, content.size)).arrayBuffer()))
    return seal(chunk, { index, isLast: index === count })
  }
  return {
    name: sealedFileName(id),
    size,
    async read(from, to) {
      const pieces: Bytes[] = from < contentAt ? [start.slice(from, to)] : []
      const step = chunkBytes + SEALED_RECORD_EXTRA
      const begin = Math.max(from, contentAt)
      for (let index = Math.floor((begin - contentAt) / step) + 1; index <= count; index++) {
        const at = contentAt + (index - 1) * step
        if (at >= to) break
        const sealed = await record(index)
        pieces.push(sealed.subarray(Math.max(0, begin - at), Math.max(0, to - at)))
      }
      return new Blob(pieces)
    },
  }
}

/** @throws RangeError for a path that no folder could have */
function metadataOf(facts: FileFacts): Bytes {
  const text = new TextEncoder().encode(JSON.stringify(facts))
  if (text.length > metadataMax) throw new RangeError('the path is too long')
  const padded = new Uint8Array(Math.ceil(text.length / metadataStep) * metadataStep).fill(0x20)
  padded.set(text)
  return padded
}

interface Place {
  readonly index: number
  readonly isLast: boolean
}

/**
 * Nonces are made from what they seal: the same chunk is sealed to the same bytes, so that an upload goes on after a reload, and
 * another chunk under the same key, of a file that was changed in between, never has its nonce.
 */
async function sealerOf({ content, nonces }: Readonly<Record<'content' | 'nonces', Bytes>>, head: Bytes) {
  const { subtle } = crypto
  const key = await subtle.importKey('raw', content, 'AES-GCM', false, ['encrypt'])
  const nonceKey = await subtle.importKey('raw', nonces, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (chunk: Bytes, place: Place): Promise<Bytes> => {
    const additionalData = sealedRecordFacts(head, place)
    const said = new Uint8Array(additionalData.length + chunk.length)
    said.set(additionalData)
    said.set(chunk, additionalData.length)
    const iv = new Uint8Array(await subtle.sign('HMAC', nonceKey, said)).slice(0, nonceBytes)
    const sealed = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, chunk))
    const record = new Uint8Array(nonceBytes + sealed.length)
    record.set(iv)
    record.set(sealed, nonceBytes)
    return record
  }
}
