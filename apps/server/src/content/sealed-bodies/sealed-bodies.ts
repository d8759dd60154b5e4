import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  openedLength,
  SEALED_BODY,
  sealedInfo,
  sealedNonce,
  type SealedRequest,
} from '@godwit/contract/content/sealed-bodies'
import type { ByteSource } from '@godwit/storage'
import { AppError } from '../../kernel/errors.ts'
import type { Vault } from '../../kernel/crypto/index.ts'

/** A body as its sender meant it. */
export interface OpenedBody {
  readonly source: ByteSource
  /** Undefined when the sender did not announce it. */
  readonly length: number | undefined
}

export interface SealedBodies {
  /** The X25519 key that pages seal for, in base64url. The same on every server of an installation. */
  readonly publicKey: string
  /**
   * The body of a request without its seal; as it came when it has none.
   * @throws AppError UPLOAD_PART_INVALID, also while the source is read, when it was not sealed for this request
   */
  open(req: IncomingMessage, request: SealedRequest, body: OpenedBody): OpenedBody
}

const { saltBytes, chunkBytes, tagBytes, header } = SEALED_BODY
/** PKCS #8 around the 32 bytes of an X25519 key (RFC 8410 §7). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b656e04220420', 'hex')
const KEY_BYTES = 32

export function createSealedBodies(vault: Vault): SealedBodies {
  const seed = Buffer.from(vault.mac('sealed-bodies', 'x25519'), 'hex')
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
  return {
    publicKey: createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '',
    open(req, request, body) {
      const by = req.headers[header]
      if (by === undefined) return body
      const secret = sharedSecret(privateKey, by)
      const length = body.length === undefined ? undefined : openedLength(body.length)
      if (body.length !== undefined && length === undefined) throw broken()
      return { length, source: openedBytes(body.source, { secret, info: sealedInfo(request) }) }
    },
  }
}

/** @throws AppError UPLOAD_PART_INVALID */
function sharedSecret(privateKey: KeyObject, by: string | readonly string[]): Buffer {
  if (typeof by !== 'string' || Buffer.from(by, 'base64url').length !== KEY_BYTES) throw broken()
  try {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: by }, format: 'jwk' })
    return diffieHellman({ privateKey, publicKey })
  } catch (thrown) {
    // A key of low order, which would make a secret that everybody knows.
    throw broken(thrown)
  }
}

interface Seal {
  readonly secret: Buffer
  readonly info: string
}

async function* openedBytes(source: ByteSource, { secret, info }: Seal): AsyncGenerator<Uint8Array> {
  const pieces = new Pieces(source)
  try {
    const salt = await pieces.take(saltBytes)
    if (salt.length < saltBytes) throw broken()
    const key = Buffer.from(hkdfSync('sha256', secret, salt, info, KEY_BYTES))
    for (let index = 0, isLast = false; !isLast; index++) {
      const sealed = await pieces.take(chunkBytes + tagBytes)
      isLast = await pieces.isAtEnd()
      const opened = openChunk(key, { index, isLast }, sealed)
      if (opened.length > 0) yield opened
    }
  } finally {
    await pieces.close()
  }
}

/** @throws AppError UPLOAD_PART_INVALID */
function openChunk(key: Buffer, place: { readonly index: number; readonly isLast: boolean }, sealed: Buffer): Buffer {
  if (sealed.length < tagBytes) throw broken()
  const decipher = createDecipheriv('aes-256-gcm', key, sealedNonce(place.index, place.isLast), {
    authTagLength: tagBytes,
  })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const opened = decipher.update(sealed.subarray(0, -tagBytes))
  try {
    decipher.final()
  } catch (thrown) {
    throw broken(thrown)
  }
  return opened
}

function broken(cause?: unknown): AppError {
  return new AppError('UPLOAD_PART_INVALID', { reason: 'sealed' }, { cause })
}

/** The bytes of a source in pieces of a size of one's own. */
class Pieces {
  readonly #source: AsyncIterator<Uint8Array>
  #rest: Buffer = Buffer.alloc(0)
  #isDone = false

  constructor(source: ByteSource) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next `bytes`; fewer at the end only. */
  async take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let missing = bytes
    while (missing > 0 && !(await this.isAtEnd())) {
      const part = this.#rest.subarray(0, missing)
      this.#rest = this.#rest.subarray(part.length)
      missing -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  async close(): Promise<void> {
    await this.#source.return?.()
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#rest.length === 0 && !this.#isDone) {
      const step = await this.#source.next()
      if (step.done === true) this.#isDone = true
      else this.#rest = Buffer.from(step.value.buffer, step.value.byteOffset, step.value.length)
    }
    return this.#rest.length === 0
  }
}
