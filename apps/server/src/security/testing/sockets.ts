import { once } from 'node:events'
import { WebSocket, type ClientOptions } from 'ws'

/** A file socket of a test: requests with answers, and what the server says by itself. */
export interface TestSocket {
  readonly socket: WebSocket
  readonly events: unknown[]
  ask(request: object): Promise<SocketReply>
  /** Resolves with the close code. */
  readonly closed: Promise<number>
}

export interface SocketReply {
  readonly code: number
  readonly data: unknown
}

/** Beginning of an upgrade to the file socket; other headers may follow, then an empty line. */
export const UPGRADE =
  'GET /ws/files HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

let nextId = 1

/** @throws Error when the upgrade is refused */
export async function openSocket(base: string, options: ClientOptions = {}, path = '/ws/files'): Promise<TestSocket> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`, options)
  const waiting = new Map<number, (reply: SocketReply) => void>()
  const events: unknown[] = []
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString('utf8')) as { type: string; id: number; code: number; data: unknown }
    if (message.type === 'answer') waiting.get(message.id)?.(message)
    else events.push(message)
  })
  await once(socket, 'open')
  socket.on('error', () => socket.terminate())
  return {
    socket,
    events,
    closed,
    ask(request) {
      const id = nextId++
      return new Promise((resolve) => {
        waiting.set(id, resolve)
        void closed.then((code) => resolve({ code, data: undefined }))
        socket.send(JSON.stringify({ ...request, id }))
      })
    },
  }
}

export async function signedInSocket(base: string, token: string): Promise<TestSocket> {
  const socket = await openSocket(base)
  const { code } = await socket.ask({ type: 'login', token, spaceId: 1 })
  if (code !== 200) throw new Error(`socket login: ${code}`)
  return socket
}
