import type { RequestBytes } from './endpoint.ts'
import { AppError } from './errors.ts'

/** All bytes of a short body. @throws AppError BODY_TOO_LARGE as soon as there are more */
export async function wholeBody(body: RequestBytes, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new AppError('BODY_TOO_LARGE')
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}
