/**
 * Bodies of uploads that the page sealed, on top of TLS: proxies that open TLS see only what the server alone can open.
 *
 * `X-Sealed-By` names the page's X25519 key. The body is a random salt and then chunks, each AES-256-GCM with its tag at the
 * end. Their key is HKDF-SHA-256 of the shared secret with that salt and {@link sealedInfo}, so that a body fits its own request
 * alone; the nonce counts the chunks and marks the last one, so that nothing is left out or moved (docs/protocol-upload.md).
 */
export const SEALED_BODY = {
  header: 'x-sealed-by',
  saltBytes: 32,
  /** Of what is sealed; only the last chunk may be shorter. */
  chunkBytes: 256 * 1024,
  tagBytes: 16,
  nonceBytes: 12,
} as const

export type SealedRequest = 'pack' | { readonly uploadId: string; readonly offset: number }

const { saltBytes, chunkBytes, tagBytes, nonceBytes } = SEALED_BODY

/** What the key of a body is bound to. */
export function sealedInfo(request: SealedRequest): string {
  const what = request === 'pack' ? 'pack' : `part ${request.uploadId} ${request.offset}`
  return `godwit sealed body v1 ${what}`
}

export function sealedNonce(index: number, isLast: boolean): Uint8Array {
  const nonce = new Uint8Array(nonceBytes)
  new DataView(nonce.buffer).setUint32(nonceBytes - 5, index)
  nonce[nonceBytes - 1] = isLast ? 1 : 0
  return nonce
}

/** Chunks of a body of `bytes`; an empty body has one. */
export function sealedChunks(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / chunkBytes))
}

export function sealedLength(bytes: number): number {
  return saltBytes + bytes + sealedChunks(bytes) * tagBytes
}

/** Bytes inside a sealed body; undefined for a length that none has. */
export function openedLength(sealed: number): number | undefined {
  const chunks = Math.max(1, Math.ceil((sealed - saltBytes) / (chunkBytes + tagBytes)))
  const bytes = sealed - saltBytes - chunks * tagBytes
  return bytes >= 0 && sealedLength(bytes) === sealed ? bytes : undefined
}
