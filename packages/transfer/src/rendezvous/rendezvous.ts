import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Relay } from '@godwit/transport/node'
import { WebSocket } from 'ws'
import { SocketPipe } from './socket-pipe.ts'

/** Two programs that meet at a Godwit server: see docs/protocol.md, section 15. */

const PATH = '/ws/rendezvous'
const ANSWER_MS = 15_000
/** The server sends a ping every 15 s. */
const SILENCE_MS = 45_000
const FRAME_MAX_BYTES = 256 * 1024

/** Codes of the server's catalogue after which the same request may succeed. */
const TEMPORARY = { roomTaken: 6233, receiverAway: 6234, rateLimited: 5004 } as const

/** The server's own reason; `code` is from its catalogue. */
export class RendezvousError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }

  get isReceiverAway(): boolean {
    return this.code === TEMPORARY.receiverAway || this.code === TEMPORARY.rateLimited
  }

  get isTaken(): boolean {
    return this.code === TEMPORARY.roomTaken
  }
}

export interface MeetOptions {
  readonly server: URL
  readonly isRelayAllowed: boolean
  readonly locale: string
  readonly signal: AbortSignal
}

export interface OpenedRoom {
  readonly room: string
  readonly key: string
  /** Settles when a sender is there. @throws RendezvousError, or Error when the connection ends */
  readonly joined: Promise<Relay>
}

interface Said {
  readonly type: string
  readonly room?: string
  readonly key?: string
  readonly ticket?: string
  readonly udp?: { readonly host: string; readonly port: number } | null
  readonly code?: number
  readonly message?: string
}

/** Opens a room, or the one from before. @throws RendezvousError; Error of the connection */
export async function openRoom({
  token,
  again,
  ...options
}: MeetOptions & { token: string | undefined; again: Partial<Record<'room' | 'key', string>> }): Promise<OpenedRoom> {
  const line = await Line.open(options)
  const said = await line.ask({ type: 'open', ...again, ...(token === undefined ? {} : { token }) }, 'room')
  // Read before the bytes of the sender can come: nobody listens to them until then.
  const pipe = line.pipe()
  const joined = line.next('joined').then(() => line.relay(said, pipe))
  joined.catch(() => undefined)
  return { room: said.room ?? '', key: said.key ?? '', joined }
}

/** @throws RendezvousError; Error of the connection */
export async function joinRoom({ room, ...options }: MeetOptions & { readonly room: string }): Promise<Relay> {
  const line = await Line.open(options)
  const pipe = line.pipe()
  return line.relay(await line.ask({ type: 'join', room }, 'joined'), pipe)
}

/** The connection to the server. */
class Line {
  readonly #socket: WebSocket
  readonly #options: MeetOptions
  readonly #said: Said[] = []
  #waiting: { type: string; done: PromiseWithResolvers<Said> } | undefined
  #serverAddress = ''
  #fault: Error | undefined

  static async open(options: MeetOptions): Promise<Line> {
    const line = new Line(options)
    await once(line.#socket, 'open', { signal: options.signal })
    return line
  }

  private constructor(options: MeetOptions) {
    this.#options = options
    const address = new URL(PATH, options.server)
    address.protocol = address.protocol === 'http:' ? 'ws:' : 'wss:'
    const socket = new WebSocket(address, {
      headers: { 'accept-language': options.locale },
      handshakeTimeout: ANSWER_MS,
      maxPayload: FRAME_MAX_BYTES,
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('upgrade', ({ socket: { remoteAddress } }: IncomingMessage) => {
      this.#serverAddress = (remoteAddress ?? '').replace(/^::ffff:/, '')
    })
    socket.on('error', (error) => this.#end(error))
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (!isBinary) this.#hear(data.toString('utf8'))
    })
    const silence = setTimeout(() => socket.terminate(), SILENCE_MS)
    socket.on('ping', () => silence.refresh())
    const stop = (): void => socket.terminate()
    options.signal.addEventListener('abort', stop, { once: true })
    socket.on('close', () => {
      clearTimeout(silence)
      options.signal.removeEventListener('abort', stop)
      this.#end(new Error('the connection to the server ended'))
    })
  }

  pipe(): SocketPipe {
    const pipe = new SocketPipe(this.#socket)
    // Whoever uses it says what went wrong; nobody may use it yet.
    pipe.on('error', () => undefined)
    return pipe
  }

  async ask(message: object, type: string): Promise<Said> {
    const timer = setTimeout(() => this.#socket.terminate(), ANSWER_MS)
    this.#socket.send(JSON.stringify(message))
    try {
      return await this.next(type)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The next message of this type. */
  next(type: string): Promise<Said> {
    const at = this.#said.findIndex((said) => said.type === type)
    const [known] = at < 0 ? [] : this.#said.splice(at, 1)
    if (known !== undefined) return Promise.resolve(known)
    if (this.#fault !== undefined) return Promise.reject(this.#fault)
    const done = Promise.withResolvers<Said>()
    this.#waiting = { type, done }
    return done.promise
  }

  async relay({ ticket, udp }: Said, pipe: SocketPipe): Promise<Relay> {
    const { isRelayAllowed } = this.#options
    if (ticket === undefined || udp == null || !/^[0-9a-f]{32}$/.test(ticket))
      return { pipe, reflector: undefined, isRelayAllowed }
    const host = udp.host === '' ? this.#serverAddress : await addressOf(udp.host)
    if (host === undefined) return { pipe, reflector: undefined, isRelayAllowed }
    return { pipe, reflector: { at: { host, port: udp.port }, ticket: Buffer.from(ticket, 'hex') }, isRelayAllowed }
  }

  #hear(text: string): void {
    const said = parse(text)
    if (said.type === 'refused') {
      this.#end(new RendezvousError(said.code ?? 0, said.message ?? 'no reason given'))
      this.#socket.terminate()
    } else if (this.#waiting?.type === said.type) {
      this.#waiting.done.resolve(said)
      this.#waiting = undefined
    } else if (this.#said.length < 4) this.#said.push(said)
  }

  #end(fault: Error): void {
    this.#fault ??= fault
    this.#waiting?.done.reject(this.#fault)
    this.#waiting = undefined
  }
}

function parse(text: string): Said {
  try {
    const said: unknown = JSON.parse(text)
    return typeof said === 'object' && said !== null && 'type' in said ? (said as Said) : { type: '' }
  } catch {
    return { type: '' } // Nobody waits for such a message.
  }
}

async function addressOf(name: string): Promise<string | undefined> {
  try {
    return (await lookup(name, { order: 'ipv4first' })).address
  } catch {
    return undefined // Data goes by the relay then.
  }
}
