import type { RequestBytes } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'

/** A form that a provider sent. @throws AppError SIGN_ON_ANSWER_INVALID for a longer one */
export async function formOf(body: RequestBytes, maxBytes: number): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new AppError('SIGN_ON_ANSWER_INVALID')
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
