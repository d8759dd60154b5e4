import { downloads } from '@godwit/contract/table/downloads'
import { ApiError, serverUnavailable } from '@godwit/contract/wire/api-error'
import { failed, Patience } from './failures.ts'
import { idsOf, type Place } from './places.ts'
import type { Session } from './session.ts'

export interface DownloadOptions extends Place {
  /** Ends the call, or the stream. */
  readonly signal?: AbortSignal
  /** What an earlier download of the same version has brought: its bytes and its ETag. */
  readonly from?: { readonly offset: number; readonly etag: string }
}

export interface Download {
  /** Bytes of the whole file, or of the zip of a folder; undefined for a zip whose length shows at its end. */
  readonly size: number | undefined
  /** Names this version of the content. */
  readonly etag: string
  /** The bytes from the offset on, over lost connections and restarts of the server. It fails with an ApiError. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
}

/**
 * Fetches a file, or a folder as a zip.
 * @throws ApiError, such as PATH_NOT_FOUND, or FILE_CHANGED when `from` is of another version; the reason of the signal
 */
export async function download(session: Session, path: string, options: DownloadOptions = {}): Promise<Download> {
  const patience = new Patience()
  const query = { ...idsOf(options), path }
  const { signal, from } = options
  const ask = async (offset: number, etag: string | undefined): Promise<Response> => {
    const response = await session.stream(
      downloads.content,
      { query },
      {
        headers: offset === 0 || etag === undefined ? {} : { range: `bytes=${offset}-`, 'if-range': etag },
        ...(signal === undefined ? {} : { signal }),
      },
    )
    if (offset === 0 || response.status === 206) return response
    await response.body?.cancel()
    throw failed('FILE_CHANGED', `another version of the file is there now: ${path}`)
  }
  const first = await patience.of(() => ask(from?.offset ?? 0, from?.etag), signal)
  const etag = first.headers.get('etag') ?? ''
  const reader = new ResumingReader({ first, offset: from?.offset ?? 0, etag, ask, patience, signal })
  return { size: sizeOf(first), etag, stream: reader.stream() }
}

/** Of the whole file, also when only its end is answered. */
function sizeOf({ status, headers }: Response): number | undefined {
  const text = status === 206 ? headers.get('content-range')?.split('/')[1] : headers.get('content-length')
  return text === undefined || text === null || !/^\d+$/.test(text) ? undefined : Number(text)
}

interface Reading {
  readonly first: Response
  readonly offset: number
  readonly etag: string
  readonly ask: (offset: number, etag: string) => Promise<Response>
  readonly patience: Patience
  readonly signal: AbortSignal | undefined
}

class ResumingReader {
  readonly #reading: Reading
  readonly #size: number | undefined
  #offset: number
  #body: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined

  constructor(reading: Reading) {
    this.#reading = reading
    this.#offset = reading.offset
    this.#size = sizeOf(reading.first)
    this.#body = reading.first.body?.getReader()
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return new ReadableStream(
      {
        pull: async (target) => {
          const bytes = await this.#next()
          if (bytes === undefined) target.close()
          else target.enqueue(bytes)
        },
        cancel: (reason) => this.#body?.cancel(reason),
      },
      { highWaterMark: 0 },
    )
  }

  /** @returns undefined at the end */
  async #next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { patience, signal, etag, ask } = this.#reading
    for (;;) {
      try {
        this.#body ??= (await ask(this.#offset, etag)).body?.getReader()
        const piece = await this.#body?.read()
        if (piece?.value !== undefined) {
          this.#offset += piece.value.length
          patience.renew()
          return piece.value
        }
        if (this.#size === undefined || this.#offset === this.#size) return undefined
        throw serverUnavailable({ message: 'the answer ended before the file did' })
      } catch (error) {
        this.#body = undefined
        signal?.throwIfAborted()
        const reason = error instanceof ApiError ? error : serverUnavailable({}, { cause: error })
        // A zip of files that are taken as they come cannot go on in its middle.
        if (this.#size === undefined || etag === '') throw reason
        await patience.after(reason, signal)
      }
    }
  }
}
