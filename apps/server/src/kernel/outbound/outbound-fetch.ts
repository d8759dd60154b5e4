import http, { type IncomingMessage } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import type { Reach } from './outbound.policy.ts'

export interface OutboundFetchDeps {
  readonly outbound: { addressOf(host: string, reach?: Reach): Promise<string> }
  readonly reach?: Reach
  /** Whether http will do as well. */
  readonly allowsPlain?: boolean
  /** Longest answer. Default 1 MiB. */
  readonly answerBytes?: number
  /** PEM of the authorities that may have signed the certificate; '' is those of the system. */
  readonly ca: string
  /** Ends every request, whatever it waits for. */
  readonly signal: AbortSignal
}

export interface OutboundRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** Metadata, keys and tokens are some KiB. */
const ANSWER_MAX_BYTES = 1024 * 1024

/** An answer that is longer than anybody needs. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/**
 * Asks a server that somebody other than the operator named, by https alone unless told otherwise. It connects to the address that was looked at, and
 * follows no redirect.
 * @throws OutboundError, AnswerTooLong, or what the connection ended with
 */
export async function outboundFetch(
  { outbound, reach, allowsPlain = false, answerBytes = ANSWER_MAX_BYTES, ca, signal }: OutboundFetchDeps,
  address: string,
  { method, headers, body }: OutboundRequest,
): Promise<Response> {
  const { protocol, hostname, port, pathname, search, host } = new URL(address)
  const isPlain = allowsPlain && protocol === 'http:'
  if (protocol !== 'https:' && !isPlain) throw new Error(`not https: ${protocol}`)
  const name = hostname.replaceAll(/[[\]]/g, '')
  const options: RequestOptions = {
    ...{ host: await beforeAbort(outbound.addressOf(name, reach), signal), path: pathname + search },
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    ...{ method, signal, agent: false, minVersion: 'TLSv1.2' },
    headers: { ...headers, host, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
    // The certificate is for the name although the connection goes to the address.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(ca === '' ? {} : { ca }),
  }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { request } = isPlain ? http : https
    request(options, resolve).once('error', reject).end(body)
  })
  return new Response(await bodyOf(answer, answerBytes), {
    status: answer.statusCode ?? 502,
    headers: plainHeaders(answer),
  })
}

/** Gives up waiting, not the work: looking up a name cannot be ended. */
export async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason as Error)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

async function bodyOf(answer: IncomingMessage, most: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > most) throw new AnswerTooLong()
    chunks.push(chunk)
  }
  const hasNone = answer.statusCode === 204 || answer.statusCode === 205 || answer.statusCode === 304
  return hasNone ? null : new Uint8Array(Buffer.concat(chunks))
}

function plainHeaders({ headers }: IncomingMessage): Headers {
  const plain = new Headers()
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') plain.set(name, value)
  return plain
}
