import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { KiB, MiB } from '@godwit/base'
import { UPGRADE } from './sockets.ts'

/** What hostile callers know: strangers nothing but the address, the others a token of their own. */
export interface HostileTarget {
  readonly url: string
  readonly token: string
  /** An upload of the token's account that takes parts of 16 MiB. */
  readonly uploadId: string
  /** A folder with so many entries that a page of them is long. */
  readonly folder: string
  /** A file of 64 MiB. */
  readonly file: string
}

interface Attack {
  /** Connections kept open; one that the server closes is opened anew. */
  readonly connections: number
  /** What each sends, again and again for as long as it is read. */
  readonly send: (target: HostileTarget) => Iterable<Buffer | string>
  /** Whether answers are left unread. */
  readonly isDeaf?: boolean
  /** Whether every byte goes out by itself. */
  readonly isDribbling?: boolean
}

const FILLER = Buffer.alloc(64 * KiB, 'a')

function head(line: string, headers: Readonly<Record<string, string | number>>): string {
  const all = Object.entries({ Host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${all.join('')}\r\n`
}

function* filled(bytes: number, filler: Buffer = FILLER): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= filler.length) yield filler.subarray(0, left)
}

function* chunked(bytes: number): Generator<Buffer | string> {
  for (const part of filled(bytes)) {
    yield `${part.length.toString(16)}\r\n`
    yield part
    yield '\r\n'
  }
}

/** The first bytes of a masked client frame with a mask of zeros. */
function frameHead(bytes: number): Buffer {
  const start = Buffer.alloc(14)
  start[0] = 0x81
  start[1] = 0x80 | 127
  start.writeBigUInt64BE(BigInt(bytes), 2)
  return start
}

function textFrame(message: object): Buffer {
  const payload = Buffer.from(JSON.stringify(message))
  return Buffer.concat([frameHead(payload.length), payload])
}

/** Headers and handshakes in one piece; of everything else each byte by itself. */
function* bytewise(parts: Iterable<Buffer | string>): Generator<Buffer | string> {
  for (const part of parts) {
    if (typeof part === 'string' || part.length < 1_000) yield part
    else for (let at = 0; at < part.length; at++) yield part.subarray(at, at + 1)
  }
}

const JSON_TYPE = { 'Content-Type': 'application/json' }
const bearer = ({ token }: HostileTarget) => ({ Authorization: `Bearer ${token}` })
const LOGIN = 'POST /api/user/login'

/** Every way into the server, each used to hold as much of its memory as it gives. */
export const ATTACKS: Readonly<Record<string, Attack>> = {
  'sign-in bodies of 8 MB': {
    connections: 300,
    *send() {
      yield head(LOGIN, { ...JSON_TYPE, 'Content-Length': 8 * MiB })
      yield* filled(8 * MiB)
    },
  },
  'sign-in bodies without an end': {
    connections: 100,
    *send() {
      yield head(LOGIN, { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' })
      yield* chunked(64 * MiB)
    },
  },
  'sign-in bodies that stop before their end': {
    connections: 1_000,
    *send() {
      yield head(LOGIN, { ...JSON_TYPE, 'Content-Length': 16 * KiB })
      yield* filled(16 * KiB - 1)
    },
  },
  'JSON of 8 MB from strangers at routes of accounts': {
    connections: 100,
    *send() {
      yield head('POST /api/files/list', { ...JSON_TYPE, 'Content-Length': 8 * MiB })
      yield* filled(8 * MiB)
    },
  },
  'sign-in bodies byte by byte': {
    connections: 300,
    isDribbling: true,
    *send() {
      yield head(LOGIN, { ...JSON_TYPE, 'Content-Length': 16 * KiB })
      yield* filled(16 * KiB - 1)
    },
  },
  'forms of many parts': {
    connections: 50,
    *send() {
      yield head(LOGIN, { 'Content-Type': 'multipart/form-data; boundary=x', 'Content-Length': 8 * MiB })
      yield* filled(8 * MiB, Buffer.from('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(800)))
    },
  },
  'headers without an end': {
    connections: 1_000,
    *send() {
      yield `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(15 * KiB)}`
    },
  },
  'requests sent ahead of their answers': {
    connections: 100,
    *send() {
      const many = head('GET /', {}).repeat(500)
      for (let times = 0; times < 20; times++) yield many
    },
  },
  'pages that nobody reads': {
    connections: 500,
    isDeaf: true,
    *send() {
      for (const page of ['/api/openapi.json', '/docs/', '/']) yield head(`GET ${page}`, {})
    },
  },
  'handshakes without a sign-in': {
    connections: 1_000,
    *send() {
      yield `${UPGRADE}\r\n`
      yield frameHead(8 * MiB)
      yield* filled(12 * KiB)
    },
  },
  'tus uploads of strangers': {
    connections: 100,
    *send() {
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': 8 * MiB, 'Content-Length': 8 * MiB }
      yield head('POST /files/uploads', { ...headers, 'Content-Type': 'application/offset+octet-stream' })
      yield* filled(8 * MiB)
    },
  },
  'JSON of 8 MB of an account, never ended': {
    connections: 200,
    *send(target) {
      yield head('POST /api/files/list', { ...JSON_TYPE, ...bearer(target), 'Content-Length': 8 * MiB })
      yield* filled(8 * MiB - 1)
    },
  },
  'JSON of an account with four million values': {
    connections: 20,
    *send(target) {
      yield head('POST /api/files/list', { ...JSON_TYPE, ...bearer(target), 'Content-Length': 8 * MiB })
      yield '[['
      yield* filled(8 * MiB - 4, Buffer.from('{},'.repeat(20_000)))
      yield ']]'
    },
  },
  'long calls of an account': {
    connections: 100,
    *send(target) {
      const paths = Array.from({ length: 9_000 }, (_, at) => `/${String(at).padStart(800, 'x')}`)
      const body = JSON.stringify({ paths })
      yield head('POST /api/files/exists', { ...JSON_TYPE, ...bearer(target), 'Content-Length': body.length })
      yield body
    },
  },
  'listings that nobody reads': {
    connections: 200,
    isDeaf: true,
    *send(target) {
      const body = JSON.stringify({ folder: target.folder, limit: 20_000 })
      const ask = head('POST /api/files/list', { ...JSON_TYPE, ...bearer(target), 'Content-Length': body.length })
      for (let times = 0; times < 10; times++) yield ask + body
    },
  },
  'packs that never end': {
    connections: 60,
    *send(target) {
      yield head('POST /api/uploads/pack?folder=%2F', { ...bearer(target), 'Content-Length': 60 * MiB })
      yield* filled(60 * MiB - 1)
    },
  },
  'packs without a length, byte by byte': {
    connections: 100,
    isDribbling: true,
    *send(target) {
      yield head('POST /api/uploads/pack?folder=%2F', { ...bearer(target), 'Transfer-Encoding': 'chunked' })
      yield* chunked(MiB)
    },
  },
  'parts that never end': {
    connections: 400,
    *send(target) {
      yield head(`PUT /api/uploads/${target.uploadId}/parts/0`, { ...bearer(target), 'Content-Length': 16 * MiB })
      yield* filled(MiB)
    },
  },
  'downloads that nobody reads': {
    connections: 200,
    isDeaf: true,
    *send(target) {
      yield head(`GET /api/files/content?path=${encodeURIComponent(target.file)}`, bearer(target))
    },
  },
  'long frames that never end': {
    connections: 100,
    *send(target) {
      yield `${UPGRADE}\r\n`
      yield textFrame({ type: 'login', id: 1, token: target.token, spaceId: 1 })
      // Once somebody signed in, a frame may be long.
      yield ''
      yield frameHead(8 * MiB)
      yield* filled(8 * MiB - 1)
    },
  },
  'frames byte by byte': {
    connections: 300,
    isDribbling: true,
    *send(target) {
      yield `${UPGRADE}\r\n`
      yield textFrame({ type: 'login', id: 1, token: target.token, spaceId: 1 })
      yield ''
      yield frameHead(8 * MiB)
      yield* filled(MiB)
    },
  },
  'socket answers that nobody reads': {
    connections: 100,
    isDeaf: true,
    *send(target) {
      yield `${UPGRADE}\r\n`
      yield textFrame({ type: 'login', id: 1, token: target.token, spaceId: 1 })
      yield ''
      const input = { folder: target.folder, limit: 20_000 }
      for (let id = 2; id < 60; id++) yield textFrame({ type: 'call', id, operation: 'list', input })
    },
  },
}

/** Runs an attack until it is stopped. @returns connections opened, also those that were refused or cut and opened anew */
export async function attack(name: string, target: HostileTarget, signal: AbortSignal): Promise<number> {
  const { connections = 0 } = ATTACKS[name] ?? {}
  let opened = 0
  await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      // Not all in one instant: the test's own process has to keep up.
      await sleep(at % 500)
      while (!signal.aborted) {
        opened++
        await oneConnection(name, target, signal)
        await sleep(200)
      }
    }),
  )
  return opened
}

/** A pause in what is sent, for the server to act on what came before. */
const PAUSE_MS = 300

function oneConnection(name: string, target: HostileTarget, signal: AbortSignal): Promise<void> {
  const { send, isDeaf = false, isDribbling = false } = ATTACKS[name] ?? { send: () => [] }
  const { hostname, port } = new URL(target.url)
  return new Promise((resolve) => {
    const socket = net.connect({ host: hostname, port: Number(port) })
    const end = (): void => void socket.destroy()
    signal.addEventListener('abort', end, { once: true })
    socket.on('error', end)
    socket.once('close', () => {
      signal.removeEventListener('abort', end)
      resolve()
    })
    if (isDeaf) socket.pause()
    else socket.resume()
    socket.setNoDelay(isDribbling)
    const parts = (isDribbling ? bytewise(send(target)) : send(target))[Symbol.iterator]()
    const push = (): void => {
      while (!socket.destroyed) {
        const step = parts.next()
        if (step.done === true) return
        const { value } = step
        if (value === '') return void setTimeout(push, PAUSE_MS)
        const isTaken = socket.write(value)
        if (isDribbling) return void setImmediate(push)
        if (!isTaken) return void socket.once('drain', push)
      }
    }
    socket.once('connect', push)
  })
}
