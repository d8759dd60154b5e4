import type { TLSSocket } from 'node:tls'
import { secureRandom } from '@godwit/base'
import { CLOSE_CODES, MAX_PACKET } from '../../core/index.ts'
import { CONTROL, type FrameHandler, type FrameStream } from '../control/frame-stream.ts'
import { type Hello, MAX_PROOF_BYTES, readHello, writeClose, writeWelcome } from '../control/messages.ts'
import type { Endpoint, MicroClock } from '../ports/port.types.ts'
import { openSuite } from '../suites/choose-suite.ts'
import { connectionIds } from '../suites/keys.ts'
import { Connection, type ConnectionSettings, type ThroughParts } from './connection.ts'
import type { Challenge } from './proof.types.ts'
import { channelOf, clampPacket, type CommonOptions, describeEngines, exportSecret, type OpenedHub } from './set-up.ts'

/** Reason of a server that refuses packets which are only authenticated. */
export const ENCRYPTION_WANTED = 'this server wants encryption'

/** Hands over the first frame. What follows waits for the next handler of the stream. */
export function greet(frames: FrameStream, first: (type: number, payload: Uint8Array) => void): void {
  const handler: FrameHandler = {
    onFrame(type, payload) {
      frames.setReading(false)
      first(type, payload)
    },
    onDrain: () => undefined,
    onClosed: () => undefined,
  }
  frames.handle(handler)
}

/** What a server decides about its callers. */
export interface ServerOptions extends CommonOptions {
  /**
   * Decides on a ticket, or on the first message of a proof. Throws, or returns a text, to refuse: the text is shown to the
   * peer. With a challenge the connection is handed over once the client has proven itself.
   * @param peer its `host` is '' when a third party carries the control stream
   * @param channel what a proof is bound to, see `ClientProof.begin`
   */
  authorize?(ticket: Uint8Array, peer: Endpoint, channel: Uint8Array): Promise<Decision> | Decision
  /** Called for each connection that may stay; `start` it before returning. */
  onConnection(connection: Connection, about: { ticket: Uint8Array; peer: Endpoint }): void
}

export type Decision = ConnectionSettings | Challenge | string

export interface Known {
  readonly connection: Connection
  readonly secret: Uint8Array
}

export interface Greeting {
  readonly options: ServerOptions
  readonly clock: MicroClock
  readonly hub: OpenedHub | undefined
  readonly known: Map<string, Known>
  readonly frames: FrameStream
  /** The client has proven who it is. */
  readonly settle: () => void
  /** The connection has ended. */
  readonly onClosed?: () => void
  /** Set when a third party carries the control stream. */
  readonly through?: ((secret: Uint8Array) => ThroughParts) | undefined
}

/** The server's half of the handshake, once a client has said HELLO. */
export async function welcome(greeting: Greeting, payload: Uint8Array): Promise<void> {
  const { frames } = greeting
  const hello = readHello(payload)
  if (hello === undefined) return refuse(frames, 'this server speaks another version')
  const peer = { host: frames.socket.remoteAddress ?? '', port: frames.socket.remotePort ?? 0 }
  const decision = await decide(greeting.options, hello, { peer, socket: frames.socket })
  if (typeof decision === 'string') return refuse(frames, decision)
  const challenge = 'answer' in decision ? decision : undefined
  const settings = 'answer' in decision ? decision.settings : decision
  if (settings.mustEncrypt === true && hello.suite === 'aes-256-gmac') return refuse(frames, ENCRYPTION_WANTED)
  const opened = await open(greeting, hello, { settings, challenge })
  if (opened === undefined) return
  const handOver = (): void => {
    greeting.settle()
    frames.trust()
    greeting.known.set(opened.key, opened)
    greeting.options.onConnection(opened.connection, { ticket: hello.ticket, peer })
  }
  if (challenge === undefined) handOver()
  else awaitProof(frames, opened.connection, { challenge, handOver })
}

interface Opened extends Known {
  readonly key: string
}

/** Creates the connection and sends WELCOME. Undefined: the client is gone. */
async function open(
  greeting: Greeting,
  hello: Hello,
  { settings, challenge }: { settings: ConnectionSettings; challenge: Challenge | undefined },
): Promise<Opened | undefined> {
  const { options, clock, known, frames } = greeting
  if (!frames.isOpen) return undefined
  const hub = hello.udp ? greeting.hub : undefined
  const secret = exportSecret(frames.socket)
  const ids = connectionIds(secret)
  const key = Buffer.from(ids.client).toString('hex')
  const { suite, fallback } = await openSuite(hello.suite, { secret, own: 'server', fast: hub?.isFast ?? false })
  if (!frames.isOpen) {
    suite.close()
    return undefined
  }
  const packetSize = clampPacket(Math.min(hello.packetSize, options.packetSize ?? MAX_PACKET))
  const connection = new Connection({
    role: 'server',
    control: frames,
    suite,
    ids: { local: ids.server, remote: ids.client },
    hub: hub?.hub,
    packetSize,
    clock,
    random: options.random ?? secureRandom,
    engines: describeEngines(hub, suite.name, fallback),
    rttUs: 0,
    openStream: undefined,
    through: greeting.through?.(secret),
    onClosed() {
      known.delete(key)
      greeting.onClosed?.()
    },
    settings,
  })
  const proof = challenge?.answer ?? new Uint8Array(0)
  frames.send(CONTROL.welcome, writeWelcome({ udpPort: hub?.hub.port.local.port ?? 0, packetSize, proof }))
  return { key, connection, secret }
}

/** Its path opens meanwhile; the application is notified of a client once it has proved itself. */
function awaitProof(
  frames: FrameStream,
  connection: Connection,
  { challenge, handOver }: { challenge: Challenge; handOver: () => void },
): void {
  const release = connection.hold()
  frames.handle({
    onFrame(type, payload) {
      frames.setReading(false)
      if (type !== CONTROL.confirm || payload.length > MAX_PROOF_BYTES || !challenge.confirm(payload))
        return connection.close(CLOSE_CODES.denied, 'not proven')
      release()
      handOver()
    },
    onDrain: () => undefined,
    onClosed: () => connection.close(CLOSE_CODES.denied, 'not proven'),
  })
}

async function decide(
  options: ServerOptions,
  hello: Hello,
  { peer, socket }: { peer: Endpoint; socket: TLSSocket },
): Promise<Decision> {
  try {
    return (await options.authorize?.(hello.ticket, peer, channelOf(socket))) ?? {}
  } catch {
    // An internal fault is not shown to an unknown peer; the application logs it where it throws.
    return 'not allowed'
  }
}

function refuse(frames: FrameStream, reason: string): void {
  frames.send(CONTROL.close, writeClose(CLOSE_CODES.denied, reason))
  frames.end()
}
