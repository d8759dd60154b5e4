import http from 'node:http'
import net from 'node:net'
import { encodePassword } from '@godwit/contract'

export interface Question {
  readonly method?: string
  /** As it goes over the wire; nothing is normalised. */
  readonly path: string
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string | Uint8Array
  readonly token?: string | undefined
  /** Sent as JSON, with its content type. */
  readonly json?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
  readonly text: string
  /** `code` of the envelope; undefined when the answer is no envelope. */
  readonly code: number | undefined
  /** `data` of the envelope. */
  readonly data: Record<string, never>
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 300 })

/** One request by a plain client that sends exactly what it is told. */
export async function ask(base: string, question: Question): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await askOnce(base, question)
    } catch (error) {
      // The server refused before it had read all, and its answer was lost with the connection: ask for it again.
      const isCutOff = error instanceof Error && 'code' in error && error.code === 'EPIPE'
      if (!isCutOff || attempt === 3) throw error
    }
  }
}

function askOnce(base: string, question: Question): Promise<Answer> {
  const { hostname, port } = new URL(base)
  const body = question.json === undefined ? question.body : JSON.stringify(question.json)
  const headers: http.OutgoingHttpHeaders = {
    ...(question.json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(question.token === undefined ? {} : { authorization: `Bearer ${question.token}` }),
    ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...question.headers,
  }
  const { method = 'GET', path } = question
  return new Promise((resolve, reject) => {
    // An IPv6 address stands in brackets in a URL only.
    const request = http.request(
      { hostname: hostname.replaceAll(/[[\]]/g, ''), port, path, method, headers, agent },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.once('error', reject)
        response.once('end', () => resolve(answerOf(response, Buffer.concat(chunks))))
      },
    )
    request.once('error', reject)
    request.end(body)
  })
}

function answerOf(response: http.IncomingMessage, body: Buffer): Answer {
  const text = body.toString('utf8')
  const envelope = envelopeIn(response, text)
  const { statusCode: status = 0, headers } = response
  return { status, headers, body, text, code: envelope?.code, data: envelope?.data ?? {} }
}

interface Envelope {
  readonly code: number
  readonly data?: Record<string, never>
}

function envelopeIn(response: http.IncomingMessage, text: string): Envelope | undefined {
  if (!(response.headers['content-type'] ?? '').startsWith('application/json') || text === '') return undefined
  const parsed = JSON.parse(text) as Partial<Envelope>
  return typeof parsed.code === 'number'
    ? { code: parsed.code, ...(parsed.data ? { data: parsed.data } : {}) }
    : undefined
}

/** Sends bytes and collects what comes until the server closes or `quietMs` pass without a byte. */
export function exchange(base: string, sent: string | Uint8Array, quietMs = 1_500): Promise<string> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve) => {
    let received = ''
    const socket = net.connect({ host: hostname, port: Number(port) }, () => socket.write(sent))
    const done = (): void => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(quietMs, done)
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
    socket.once('error', done)
    socket.once('close', done)
  })
}

export interface Login {
  readonly token: string
  readonly refresh: string
  readonly userId: string
}

/** @throws Error with the answer when it is refused */
export async function signIn(base: string, account: string, password: string): Promise<Login> {
  const json = { account, password: encodePassword(password) }
  const answer = await ask(base, { method: 'POST', path: '/api/user/login', json })
  if (answer.code !== 200) throw new Error(`sign-in of ${account}: ${answer.text}`)
  const { token, refresh_token: refresh, userId } = answer.data as Record<string, string>
  return { token: token ?? '', refresh: refresh ?? '', userId: userId ?? '' }
}
