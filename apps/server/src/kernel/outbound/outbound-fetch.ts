import type { IncomingMessage } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { isIP } from 'node:net'

export interface OutboundFetchDeps {
  readonly outbound: { addressOf(host: string): Promise<string> }
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
 * Asks a server that somebody other than the operator named, by https alone. It connects to the address that was looked at, and
 * follows no redirect.
 * @throws OutboundError, AnswerTooLong, or what the connection ended with
 */
export async function outboundFetch(
  { outbound, ca, signal }: OutboundFetchDeps,
  address: string,
  { method, headers, body }: OutboundRequest,
): Promise<Response> {
  const { protocol, hostname, port, pathname, search, host } = new URL(address)
  if (protocol !== 'https:') throw new Error(`not https: ${protocol}`)
  const name = hostname.replaceAll(/[[\]]/g, '')
  const options: RequestOptions = {
    ...{ host: await outbound.addressOf(name), port: port === '' ? 443 : Number(port), path: pathname + search },
    ...{ method, signal, agent: false, minVersion: 'TLSv1.2' },
    headers: { ...headers, host, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
    // The certificate is for the name although the connection goes to the address.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(ca === '' ? {} : { ca }),
  }
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request(options, resolve).once('error', reject).end(body)
  })
  return new Response(await bodyOf(answer), { status: answer.statusCode ?? 502, headers: plainHeaders(answer) })
}

async function bodyOf(answer: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) throw new AnswerTooLong()
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
