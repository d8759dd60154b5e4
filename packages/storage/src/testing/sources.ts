import type { ByteSource, ObjectReader, ByteSpan } from '../object-store.ts'

/** Deterministic content: the same seed and size give the same bytes (xorshift32; a megabyte in a few milliseconds). */
export function someBytes(size: number, seed = 1): Uint8Array {
  const words = new Uint32Array(Math.ceil(size / 4))
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1
  for (let index = 0; index < words.length; index++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    words[index] = state
  }
  return new Uint8Array(words.buffer, 0, size)
}

/** The bytes in chunks, as a network would bring them. */
export async function* inChunks(data: Uint8Array, chunkBytes = 64 * 1024): ByteSource {
  for (let at = 0; at < data.length; at += chunkBytes) yield data.subarray(at, at + chunkBytes)
}

/** The bytes, and then a failure instead of an end. */
export async function* thenFailing(data: Uint8Array, error = new Error('connection reset')): ByteSource {
  yield* inChunks(data)
  throw error
}

/** The bytes, and then silence until the test lets go. */
export async function* thenSilent(data: Uint8Array, release: Promise<void>): ByteSource {
  yield* inChunks(data)
  await release
}

/** All bytes of a span, copied, because chunks are borrowed. */
export async function readAll(reader: ObjectReader, span?: ByteSpan): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of reader.stream(span)) chunks.push(Uint8Array.from(chunk))
  return new Uint8Array(Buffer.concat(chunks))
}
