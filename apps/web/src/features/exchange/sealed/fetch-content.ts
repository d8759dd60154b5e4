import { isTransient } from '../../../lib/http.ts'
import { type OpenedFile, openContent, RECORD_BYTES, SealBroken } from './open-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface Fetching {
  /** A fresh address of the sealed bytes. */
  readonly address: () => Promise<string>
  readonly signal: AbortSignal
}

/** The line broke again and again. */
export class FetchBroken extends Error {
  constructor(options?: ErrorOptions) {
    super('the sealed file could not be fetched', options)
    this.name = 'FetchBroken'
  }
}

const TRIES = 6
const RETRY_MS = 1_000

/**
 * The content of a sealed file, record by record; after a break it goes on at the record that was not whole.
 * @throws SealBroken, FetchBroken, ApiError, the signal's reason
 */
export async function* fetchContent(file: OpenedFile, { address, signal }: Fetching): AsyncGenerator<Bytes> {
  let next = 1
  for (let tries = 0; next <= file.records;) {
    try {
      const from = next === 1 ? 0 : file.start.length + (next - 1) * RECORD_BYTES
      const response = await fetch(await address(), { headers: { range: `bytes=${from}-` }, signal })
      const bytes = from === 0 ? afterStart(file, chunksOf(response, file)) : chunksOf(response, file)
      for await (const plain of openContent(file, bytes, next)) {
        yield plain
        next += 1
        tries = 0
      }
    } catch (error) {
      signal.throwIfAborted()
      // A fetch that breaks is a TypeError (Fetch §5.6).
      if (!(error instanceof TypeError) && !isTransient(error)) throw error
      tries += 1
      if (tries > TRIES) throw new FetchBroken({ cause: error })
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * tries))
    }
  }
}

async function* chunksOf(response: Response, { sealedBytes }: OpenedFile): AsyncGenerator<Bytes> {
  if (response.status >= 500 || response.body === null) throw new TypeError(`status ${response.status}`)
  const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? Number.NaN)
  if (response.status !== 206 || total !== sealedBytes)
    throw new SealBroken(`${total} bytes, status ${response.status}`)
  const reader = response.body.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    // Whoever stopped listening wants no more; a body that failed has nothing to cancel.
    await reader.cancel().catch(() => undefined)
  }
}

/** The rest after a beginning that must be the one whose names were shown. */
async function* afterStart({ start }: OpenedFile, chunks: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  let at = 0
  for await (const chunk of chunks) {
    const head = chunk.subarray(0, Math.max(0, start.length - at))
    if (head.some((byte, index) => byte !== start[at + index])) throw new SealBroken('another beginning')
    at += head.length
    if (chunk.length > head.length) yield chunk.slice(head.length)
  }
}
