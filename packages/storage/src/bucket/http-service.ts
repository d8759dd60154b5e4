import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError, type StorageReason } from '../errors.ts'

/** What a service answered instead of doing what it was asked; `name` is its own word for it. */
export class ServiceError extends Error {
  readonly status: number
  constructor(name: string, status: number) {
    super(`${status} ${name}`)
    this.name = name
    this.status = status
  }
}

export interface ServiceRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly signal?: AbortSignal | undefined
}

export interface ServiceAnswer {
  readonly headers: IncomingMessage['headers']
  readonly body: IncomingMessage
}

export interface HttpServiceOptions {
  /** Prepares a request for one attempt: its time and signature. */
  readonly sign: (request: ServiceRequest) => Promise<ServiceRequest> | ServiceRequest
  /** The service's own word for a failure; '' without one. */
  readonly codeOf: (headers: IncomingMessage['headers'], body: string) => string
  /** Reasons of the service's words; the rest goes by status. */
  readonly reasons: Readonly<Record<string, StorageReason>>
}

const BY_STATUS: Readonly<Record<number, StorageReason>> = {
  401: 'permission',
  403: 'permission',
  404: 'not-found',
  405: 'permission',
  408: 'unreachable',
  409: 'conflict',
  412: 'exists',
  416: 'conflict',
  429: 'unreachable',
  507: 'no-space',
}

const TRIES = 4
const FIRST_PAUSE_MS = 150
/** Without a byte for so long the service has gone away. */
const SILENCE_MS = 60_000
/** An answer that is read whole: lists, errors. */
const TEXT_MAX = 64 * 2 ** 20

/** Requests to a service over kept connections, tried again when it is busy, with its failures as StorageErrors. */
export class HttpService {
  readonly #options: HttpServiceOptions
  readonly #agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }

  constructor(options: HttpServiceOptions) {
    this.#options = options
  }

  close(): void {
    this.#agents.http.destroy()
    this.#agents.https.destroy()
  }

  /**
   * The body of the answer is to be read to its end.
   * @throws StorageError about `key`; the reason of the signal
   */
  async send(key: string, request: ServiceRequest): Promise<ServiceAnswer> {
    for (let attempt = 1; ; attempt++) {
      request.signal?.throwIfAborted()
      try {
        return await this.#attempt(request)
      } catch (error) {
        request.signal?.throwIfAborted()
        if (attempt === TRIES || !this.#isWorthAnother(request, error)) throw this.#asStorageError(error, key)
        await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 1), undefined, signalIn(request))
      }
    }
  }

  /** The same for answers that are text. */
  async text(
    key: string,
    request: ServiceRequest,
  ): Promise<{ readonly text: string; readonly headers: ServiceAnswer['headers'] }> {
    const { body, headers } = await this.send(key, request)
    try {
      return { text: await textOf(body), headers }
    } catch (error) {
      request.signal?.throwIfAborted()
      throw this.#asStorageError(error, key)
    }
  }

  async #attempt(request: ServiceRequest): Promise<ServiceAnswer> {
    const body = await this.#open(await this.#options.sign(request))
    const { statusCode: status = 0, headers } = body
    if (status >= 200 && status < 300) return { headers, body }
    const text = await textOf(body)
    throw new ServiceError(this.#options.codeOf(headers, text) || `HTTP ${status}`, status)
  }

  #open({ method, url, headers, body, signal }: ServiceRequest): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:'
    const agent = isSecure ? this.#agents.https : this.#agents.http
    const all: OutgoingHttpHeaders = { ...headers, 'content-length': body?.length ?? 0 }
    if (method === 'GET' || method === 'HEAD' || method === 'DELETE') delete all['content-length']
    return new Promise((resolve, reject) => {
      const options = { method, headers: all, agent, ...(signal === undefined ? {} : { signal }) }
      const sent = (isSecure ? httpsRequest : httpRequest)(url, options, resolve)
      sent.setTimeout(SILENCE_MS, () =>
        sent.destroy(Object.assign(new Error('the service is silent'), { code: 'ETIMEDOUT' })),
      )
      sent.once('error', reject)
      sent.end(body)
    })
  }

  /** A write with a condition is not sent twice: the first may have done its work. */
  #isWorthAnother({ method, headers, url }: ServiceRequest, error: unknown): boolean {
    if (error instanceof ServiceError) return error.status === 429 || error.status >= 500
    const isConditional = 'if-none-match' in headers || url.searchParams.has('ifGenerationMatch')
    return isNetworkError(error) && !(isConditional && method !== 'GET')
  }

  #asStorageError(error: unknown, key: string): unknown {
    if (error instanceof ServiceError) {
      const { name, status } = error
      const reason = this.#options.reasons[name] ?? BY_STATUS[status] ?? (status >= 500 ? 'unreachable' : 'io')
      return new StorageError(reason, { key, cause: error })
    }
    return isNetworkError(error) ? new StorageError('unreachable', { key, cause: error }) : error
  }

  /** Bytes of an answer as they come, exactly `length` of them. @throws StorageError 'unreachable' when there are fewer */
  async *bytes(key: string, request: ServiceRequest, length: number): AsyncGenerator<Uint8Array> {
    const { body } = await this.send(key, request)
    let count = 0
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        count += chunk.length
        yield chunk
      }
    } catch (error) {
      request.signal?.throwIfAborted()
      throw this.#asStorageError(error, key)
    }
    // A service that hangs up early must not look like the end of the file.
    if (count !== length) throw new StorageError('unreachable', { key })
  }
}

async function textOf(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > TEXT_MAX) throw new StorageError('io', { cause: new Error('an answer without end') })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Refused connections, unknown hosts, broken answers and time-outs carry the system's code. */
function isNetworkError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.name !== 'AbortError' && !(error instanceof StorageError)
}

function signalIn({ signal }: ServiceRequest): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
