import type { Random } from '@godwit/base'
import { gcm } from '@noble/ciphers/aes.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import {
  SEALED_BODY,
  sealedChunks,
  sealedInfo,
  sealedLength,
  sealedNonce,
  type SealedRequest,
} from '@godwit/contract/content/sealed-bodies'

export interface SealedBody {
  /** What a worker hands to the page, which sends it without a copy. */
  readonly body: Blob
  /** For the header that names the key of this page. */
  readonly by: string
}

export interface Sealing {
  /** The key of the server, in base64url. */
  readonly to: string
  readonly request: SealedRequest
}

/** Seals a chunk: the sealed bytes with their tag at the end. */
export type SealChunk = (nonce: Uint8Array<ArrayBuffer>, chunk: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>

const { chunkBytes, saltBytes, tagBytes } = SEALED_BODY
const KEY_BYTES = 32

/**
 * Seals a body for the server alone, as packages/contract/src/content/sealed-bodies.ts describes, with a key pair of its own.
 * @param plain read chunk by chunk, so that no second copy of it is made
 */
export async function sealBody(plain: Blob, { to, request }: Sealing, random: Random): Promise<SealedBody> {
  const { secretKey, publicKey } = x25519.keygen(random.fill(new Uint8Array(KEY_BYTES)))
  const secret = x25519.getSharedSecret(secretKey, fromBase64Url(to))
  const body = new Uint8Array(sealedLength(plain.size))
  const salt = random.fill(body.subarray(0, saltBytes))
  const info = new TextEncoder().encode(sealedInfo(request))
  const seal = await sealerOf(Uint8Array.from(hkdf(sha256, secret, salt, info, KEY_BYTES)))
  const count = sealedChunks(plain.size)
  for (let index = 0; index < count; index++) {
    const chunk = new Uint8Array(await plain.slice(index * chunkBytes, (index + 1) * chunkBytes).arrayBuffer())
    const nonce = Uint8Array.from(sealedNonce(index, index === count - 1))
    body.set(await seal(nonce, chunk), saltBytes + index * (chunkBytes + tagBytes))
  }
  return { body: new Blob([body]), by: toBase64Url(publicKey) }
}

/** AES-256-GCM of the browser; pages without TLS have none, so there the same in plain JavaScript. */
async function sealerOf(key: Uint8Array<ArrayBuffer>): Promise<SealChunk> {
  const subtle = crypto.subtle as SubtleCrypto | undefined
  return subtle === undefined ? portableSealer(key) : nativeSealer(subtle, key)
}

export async function nativeSealer(subtle: SubtleCrypto, key: Uint8Array<ArrayBuffer>): Promise<SealChunk> {
  const imported = await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  return async (iv, chunk) => new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv }, imported, chunk))
}

export function portableSealer(key: Uint8Array): SealChunk {
  return async (nonce, chunk) => gcm(key, nonce).encrypt(chunk)
}

function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
