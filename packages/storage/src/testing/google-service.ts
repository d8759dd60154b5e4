import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface StoredObject {
  readonly content: Buffer
  readonly generation: number
  readonly updated: string
  readonly metadata: Readonly<Record<string, string>>
}

/**
 * The part of Google Cloud Storage's JSON API that a store uses, as its reference says it: no emulator of it runs without a network.
 * Generations, conditions, delimiters, pages, joins and tokens are as the service has them; nothing is durable.
 */
export interface GoogleService {
  readonly endpoint: string
  /** A file of credentials, as the service hands it out. */
  readonly credentials: string
  readonly bucket: string
  /** Answers that many requests with 503 first. */
  failNext(count: number): void
  close(): Promise<void>
}

const PAGE = 50
const JOINED_MAX = 32

class Refused extends Error {
  readonly status: number
  readonly reason: string
  constructor(status: number, reason: string, message = reason) {
    super(message)
    this.status = status
    this.reason = reason
  }
}

export async function startGoogleService(): Promise<GoogleService> {
  const service = new Service()
  const server = createServer((request, reply) => void service.answer(request, reply))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    credentials: service.credentialsAt(endpoint),
    bucket: service.bucket,
    failNext: (count) => service.failNext(count),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

class Service {
  readonly bucket = `godwit-${randomUUID()}`
  readonly #objects = new Map<string, StoredObject>()
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  readonly #tokens = new Set<string>()
  #generation = 1_700_000_000_000_000
  #failures = 0

  failNext(count: number): void {
    this.#failures = count
  }

  credentialsAt(endpoint: string): string {
    const privateKey = this.#keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
    const account = { type: 'service_account', client_email: 'godwit@tests.example', private_key: privateKey }
    return JSON.stringify({ ...account, token_uri: `${endpoint}/token` })
  }

  async answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    try {
      const body = await bodyOf(request)
      const url = new URL(request.url ?? '/', 'http://service')
      if (url.pathname === '/token') return sendJson(reply, this.#newToken(body.toString()))
      if (this.#failures > 0) {
        this.#failures -= 1
        throw new Refused(503, 'backendError')
      }
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
      if (token === undefined || !this.#tokens.has(token)) throw new Refused(401, 'authError')
      await this.#serve({ request, reply, url, body })
    } catch (thrown) {
      const { status, reason, message } = thrown instanceof Refused ? thrown : new Refused(500, 'backendError')
      sendJson(reply, { error: { code: status, message, errors: [{ reason, message }] } }, status)
    }
  }

  /** @throws Refused for a claim that the key of the account did not sign */
  #newToken(body: string): object {
    const assertion = new URLSearchParams(body).get('assertion') ?? ''
    const [head = '', claim = '', signature = ''] = assertion.split('.')
    const key = createPublicKey(this.#keys.privateKey)
    const isSigned = verify('RSA-SHA256', Buffer.from(`${head}.${claim}`), key, Buffer.from(signature, 'base64url'))
    const { exp } = JSON.parse(Buffer.from(claim, 'base64url').toString() || '{}') as { readonly exp?: number }
    if (!isSigned || (exp ?? 0) < Date.now() / 1000) throw new Refused(400, 'invalid_grant')
    const token = randomUUID()
    this.#tokens.add(token)
    return { access_token: token, expires_in: 3600, token_type: 'Bearer' }
  }

  async #serve({ request, reply, url, body }: Exchange): Promise<void> {
    const isUpload = url.pathname.startsWith('/upload/')
    const path = url.pathname
      .replace(/^\/(?:upload\/)?storage\/v1\/b\//, '')
      .split('/')
      .map(decodeURIComponent)
    const [bucket, , name, action, , , , target] = path
    if (bucket !== this.bucket) throw new Refused(404, 'notFound', 'The specified bucket does not exist.')
    if (isUpload) return sendJson(reply, this.#insert(url, request, body))
    if (name === undefined) return sendJson(reply, this.#list(url.searchParams))
    if (action === 'compose') return sendJson(reply, this.#compose(name, url, body))
    if (action === 'rewriteTo') return sendJson(reply, this.#rewrite(name, target ?? '', url))
    if (request.method === 'DELETE') {
      this.#need(name)
      this.#objects.delete(name)
      reply.writeHead(204).end()
      return
    }
    const found = this.#need(name)
    if (url.searchParams.get('alt') !== 'media') return sendJson(reply, described(name, found))
    const wanted = url.searchParams.get('generation')
    if (wanted !== null && wanted !== String(found.generation)) throw new Refused(404, 'notFound')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) reply.writeHead(200).end(found.content)
    else reply.writeHead(206).end(found.content.subarray(Number(from), Number(to) + 1))
  }

  #insert({ searchParams: query }: URL, { headers }: IncomingMessage, body: Buffer): object {
    if (query.get('uploadType') === 'media')
      return this.#put(query.get('name') ?? '', { content: body, metadata: {} }, query)
    const edge = Buffer.from(`--${/boundary=(\w+)/.exec(headers['content-type'] ?? '')?.[1] ?? ''}`)
    const aboutAt = body.indexOf('\r\n\r\n') + 4
    const nextAt = body.indexOf(edge, aboutAt)
    const contentAt = body.indexOf('\r\n\r\n', nextAt) + 4
    const about = JSON.parse(body.subarray(aboutAt, nextAt).toString()) as {
      readonly name: string
      readonly metadata?: Readonly<Record<string, string>>
    }
    const content = body.subarray(contentAt, body.lastIndexOf(edge) - 2)
    return this.#put(about.name, { content, metadata: about.metadata ?? {} }, query)
  }

  /** In one turn of the loop, so that a condition holds. */
  #put(name: string, made: Pick<StoredObject, 'content' | 'metadata'>, query: URLSearchParams): object {
    if (name === '' || Buffer.byteLength(name) > 1024 || /[\r\n]/.test(name)) throw new Refused(400, 'invalid')
    if (query.get('ifGenerationMatch') === '0' && this.#objects.has(name)) throw new Refused(412, 'conditionNotMet')
    this.#generation += 1
    const object = { ...made, generation: this.#generation, updated: new Date().toISOString() }
    this.#objects.set(name, object)
    return described(name, object)
  }

  #compose(name: string, { searchParams }: URL, body: Buffer): object {
    const { sourceObjects, destination } = JSON.parse(body.toString()) as {
      readonly sourceObjects: ReadonlyArray<{ readonly name: string }>
      readonly destination?: { readonly metadata?: Readonly<Record<string, string>> }
    }
    if (sourceObjects.length === 0 || sourceObjects.length > JOINED_MAX) throw new Refused(400, 'invalid')
    const content = Buffer.concat(sourceObjects.map((source) => this.#need(source.name).content))
    return this.#put(name, { content, metadata: destination?.metadata ?? {} }, searchParams)
  }

  /** Large copies take several calls; here every second one does. */
  #rewrite(from: string, to: string, { searchParams }: URL): object {
    const { content, metadata } = this.#need(from)
    if (content.length > 0 && searchParams.get('rewriteToken') === null) return { done: false, rewriteToken: 'next' }
    return { done: true, resource: this.#put(to, { content, metadata }, searchParams) }
  }

  #list(query: URLSearchParams): object {
    const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter')]
    const names = [...this.#objects.keys()].filter((name) => name.startsWith(prefix))
    const rows = new Map<string, boolean>()
    for (const name of names) {
      const cut = delimiter === null ? -1 : name.indexOf(delimiter, prefix.length)
      rows.set(cut < 0 ? name : name.slice(0, cut + 1), cut >= 0)
    }
    const sorted = [...rows].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    const start = Number(query.get('pageToken') ?? 0)
    const page = sorted.slice(start, start + PAGE)
    return {
      items: page.filter(([, isPrefix]) => !isPrefix).map(([name]) => described(name, this.#need(name))),
      prefixes: page.filter(([, isPrefix]) => isPrefix).map(([name]) => name),
      ...(start + PAGE < sorted.length ? { nextPageToken: String(start + PAGE) } : {}),
    }
  }

  #need(name: string): StoredObject {
    const found = this.#objects.get(name)
    if (found === undefined) throw new Refused(404, 'notFound', `No such object: ${name}`)
    return found
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly reply: ServerResponse
  readonly url: URL
  readonly body: Buffer
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function described(name: string, { content, generation, updated, metadata }: StoredObject): object {
  return { name, size: String(content.length), generation: String(generation), updated, metadata }
}

function sendJson(reply: ServerResponse, answer: object, status = 200): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}
