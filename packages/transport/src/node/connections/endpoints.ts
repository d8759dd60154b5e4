import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect as tlsConnect, createServer, type ConnectionOptions, type TLSSocket, type TlsOptions } from 'node:tls'
import { type Random, secureRandom } from '@godwit/base'
import { CLOSE_CODES, MAX_PACKET, MIN_PACKET } from '../../core/index.ts'
import { CONTROL, type FrameHandler, FrameStream } from '../control/frame-stream.ts'
import { HalfOpenConnections } from '../control/half-open.ts'
import {
  type Hello,
  MAX_FIRST_PAYLOAD,
  MAX_PROOF_BYTES,
  readClose,
  readHello,
  readJoin,
  readWelcome,
  writeClose,
  writeHello,
  writeJoin,
  writeWelcome,
} from '../control/messages.ts'
import { type Backend, openPort } from '../ports/open-port.ts'
import { type Endpoint, type MicroClock, systemMicros } from '../ports/port.types.ts'
import { hasAesInstructions, openSuite, preferredSuite } from '../suites/choose-suite.ts'
import { connectionIds, EXPORTER_LABEL, SECRET_BYTES, type SuiteName } from '../suites/keys.ts'
import { Connection, type ConnectionSettings } from './connection.ts'
import { type Challenge, type ClientProof, ProofError } from './proof.types.ts'
import { UdpHub } from './udp-hub.ts'

const ALPN = 'gwt/1'
/** How long a client waits for each half of the handshake. */
const HANDSHAKE_MS = 15_000
/** TLS streams of one connection beside the first. */
const MAX_JOINED = 8

/** Reason of a server that refuses packets which are only authenticated. */
export const ENCRYPTION_WANTED = 'this server wants encryption'

/** How a side does UDP: `off`, or the wanted backend. */
export type UdpChoice = Backend | 'off'

export interface CommonOptions {
  readonly udp?: UdpChoice
  /** Largest UDP payload, 600 to 1442. */
  readonly packetSize?: number
  readonly clock?: MicroClock
  readonly random?: Random
}

export interface ConnectOptions extends CommonOptions {
  readonly host: string
  readonly port: number
  /** Certificate or shared-key options of node:tls. TLS 1.3 and the protocol name are set here. */
  readonly tls: ConnectionOptions
  /** Shown to the server's `authorize`; at most 4 KiB. Not with a proof, whose first message it would be. */
  readonly ticket?: Uint8Array
  /** Proves both ends to each other. A server that does not take part is refused. */
  readonly proof?: ClientProof
  /** False: packets are authenticated but not encrypted. */
  readonly encrypted?: boolean
  readonly settings?: ConnectionSettings
  /** UDP port when it is not the TCP port's number. */
  readonly udpPort?: number
  readonly signal?: AbortSignal
}

/** @throws Error of node:tls or node:net; ProofError; RefusedError with the server's reason when it refuses */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const clock = options.clock ?? systemMicros
  const begun = clock()
  const control = await openTls(options)
  const rttUs = (clock() - begun) / 2
  const secret = exportSecret(control)
  const host = control.remoteAddress ?? options.host
  const ids = connectionIds(secret)
  const packetSize = clampPacket(options.packetSize ?? MAX_PACKET)
  const suiteName = preferredSuite(options.encrypted ?? true, hasAesInstructions())
  const hub = await openHub(options.udp ?? 'auto', { host: anyAddress(host), port: 0, clock })
  const { suite, fallback } = await openSuite(suiteName, { secret, own: 'client', fast: hub?.isFast ?? false })
  const frames = new FrameStream(control)
  const connection = new Connection({
    role: 'client',
    control: frames,
    suite,
    ids: { local: ids.client, remote: ids.server },
    hub: hub?.hub,
    packetSize,
    clock,
    random: options.random ?? secureRandom,
    engines: describeEngines(hub, suite.name, fallback),
    rttUs,
    openStream: () => openJoined(options, secret, ids.client),
    onClosed: () => hub?.hub.close(),
    settings: options.settings ?? {},
  })
  connection.probeUdp({ host, port: options.udpPort ?? options.port })
  const ticket = options.proof?.begin(channelOf(control)) ?? options.ticket ?? new Uint8Array(0)
  const udp = (options.udp ?? 'auto') !== 'off'
  frames.send(CONTROL.hello, writeHello({ suite: suiteName, udp, packetSize, ticket }))
  await welcomed(frames, connection, { host, proof: options.proof, signal: options.signal })
  return connection
}

interface Expected {
  readonly host: string
  readonly proof: ClientProof | undefined
  readonly signal: AbortSignal | undefined
}

/** Waits for WELCOME and proves this side, or fails with the reason that the server sends instead. */
function welcomed(frames: FrameStream, connection: Connection, peer: Expected): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      connection.close(CLOSE_CODES.cancelled, 'no welcome')
      reject(error)
    }
    const cancel = (): void => fail(new Error('cancelled'))
    // It may have come while keys and sockets were made.
    if (peer.signal?.aborted === true) return cancel()
    const timer = setTimeout(() => fail(new Error('the server did not answer in time')), HANDSHAKE_MS)
    peer.signal?.addEventListener('abort', cancel, { once: true })
    // From here on the connection belongs to the caller: the signal must not close it before a farewell.
    const settle = (): void => {
      clearTimeout(timer)
      peer.signal?.removeEventListener('abort', cancel)
    }
    frames.handle({
      onFrame(type, payload) {
        settle()
        frames.setReading(false)
        const welcome = type === CONTROL.welcome ? readWelcome(payload) : undefined
        if (welcome === undefined) return fail(new RefusedError(refusalOf(type, payload)))
        const proof = peer.proof?.confirm(welcome.proof)
        if (peer.proof !== undefined && proof === undefined) return fail(new ProofError('the server proved nothing'))
        if (proof !== undefined) frames.send(CONTROL.confirm, proof)
        if (welcome.udpPort > 0) connection.probeUdp({ host: peer.host, port: welcome.udpPort })
        resolve()
      },
      onDrain: () => undefined,
      onClosed(error) {
        settle()
        reject(error ?? new Error('the server closed the connection'))
      },
    })
  })
}

function refusalOf(type: number, payload: Uint8Array): string {
  const close = type === CONTROL.close ? readClose(payload) : undefined
  return close?.reason ?? 'unexpected message'
}

async function openTls(options: ConnectOptions): Promise<TLSSocket> {
  const named = isIP(options.host) === 0 ? { servername: options.host } : {}
  const socket = tlsConnect({
    ...named,
    ...options.tls,
    host: options.host,
    port: options.port,
    minVersion: 'TLSv1.3',
    ALPNProtocols: [ALPN],
  })
  const timer = setTimeout(() => socket.destroy(new Error('the server did not answer in time')), HANDSHAKE_MS)
  try {
    await once(socket, 'secureConnect', options.signal === undefined ? {} : { signal: options.signal })
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
  return socket
}

async function openJoined(options: ConnectOptions, secret: Uint8Array, id: Uint8Array): Promise<FrameStream> {
  const { signal: _once, ...rest } = options
  const socket = await openTls(rest)
  const frames = new FrameStream(socket)
  frames.send(CONTROL.join, writeJoin({ connectionId: id, proof: joinProof(secret, socket) }))
  return frames
}

/** Binds a further stream to its connection: only who holds the connection's secret can make it, and for this stream only. */
function joinProof(secret: Uint8Array, socket: TLSSocket): Uint8Array {
  const own = socket.exportKeyingMaterial(SECRET_BYTES, 'godwit stream v1', Buffer.alloc(0))
  return createHmac('sha256', secret).update(own).digest()
}

/** What a proof is bound to. */
function channelOf(socket: TLSSocket): Uint8Array {
  return socket.exportKeyingMaterial(SECRET_BYTES, 'godwit proof v1', Buffer.alloc(0))
}

function exportSecret(socket: TLSSocket): Uint8Array {
  return socket.exportKeyingMaterial(SECRET_BYTES, EXPORTER_LABEL, Buffer.alloc(0))
}

/** The server refused; the message is its reason. */
export class RefusedError extends Error {}

// ---- server

export interface ListenOptions extends CommonOptions {
  /** Default: every IPv4 address. */
  readonly host?: string
  /** TCP port, and UDP port of the same number where it is free. Default 0: any. */
  readonly port?: number
  readonly tls: TlsOptions
  /**
   * Decides on a ticket, or on the first message of a proof. Throws, or returns a text, to refuse: the text is shown to the
   * peer. With a challenge the connection is handed over once the client has proven itself.
   * @param channel what a proof is bound to, see `ClientProof.begin`
   */
  authorize?(ticket: Uint8Array, peer: Endpoint, channel: Uint8Array): Promise<Decision> | Decision
  /** Called for each connection that may stay; `start` it before returning. */
  onConnection(connection: Connection, about: { ticket: Uint8Array; peer: Endpoint }): void
}

export type Decision = ConnectionSettings | Challenge | string

export interface Listener {
  readonly local: Endpoint
  /** UDP port; 0 when UDP is off. */
  readonly udpPort: number
  readonly engines: string
  /** Stops listening. Connections stay until they are closed. */
  close(): Promise<void>
}

interface Known {
  readonly connection: Connection
  readonly secret: Uint8Array
}

export async function listen(options: ListenOptions): Promise<Listener> {
  const clock = options.clock ?? systemMicros
  const known = new Map<string, Known>()
  const halfOpen = new HalfOpenConnections()
  const server = createServer({ ...options.tls, minVersion: 'TLSv1.3', ALPNProtocols: [ALPN] })
  server.listen(options.port ?? 0, options.host ?? '0.0.0.0')
  await once(server, 'listening')
  const local = endpointOfAddress(server.address())
  const hub = await openHub(options.udp ?? 'auto', { host: local.host, port: local.port, clock })
  // Without files to open a connection cannot be taken; the next one may.
  server.on('error', () => undefined)
  server.on('connection', (socket) => halfOpen.add(socket))
  // A peer that breaks off or speaks nonsense during the handshake concerns only itself.
  server.on('tlsClientError', () => undefined)
  server.on('secureConnection', (socket) => {
    const frames = new FrameStream(socket, MAX_FIRST_PAYLOAD)
    greet(frames, (type, payload) => {
      if (type === CONTROL.hello) return void welcome({ options, clock, hub, known, frames, halfOpen }, payload)
      if (type !== CONTROL.join || !joinStream(known, frames, payload)) frames.destroy()
      else halfOpen.settle(socket)
    })
  })
  return {
    local,
    udpPort: hub?.hub.port.local.port ?? 0,
    engines: describeEngines(hub, preferredSuite(true, hasAesInstructions()), undefined),
    async close() {
      server.close()
      halfOpen.clear()
      if (known.size === 0) hub?.hub.close()
      await once(server, 'close')
      hub?.hub.close()
    },
  }
}

/** Hands over the first frame. What follows waits for the next handler of the stream. */
function greet(frames: FrameStream, first: (type: number, payload: Uint8Array) => void): void {
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

/** @returns false when the stream proves nothing */
function joinStream(known: Map<string, Known>, frames: FrameStream, payload: Uint8Array): boolean {
  const join = readJoin(payload)
  const target = join === undefined ? undefined : known.get(Buffer.from(join.connectionId).toString('hex'))
  if (join === undefined || target === undefined || !frames.isOpen) return false
  if (!timingSafeEqual(join.proof, joinProof(target.secret, frames.socket))) return false
  if (target.connection.joinedStreams >= MAX_JOINED) return false
  frames.trust()
  target.connection.join(frames)
  return true
}

interface Greeting {
  readonly options: ListenOptions
  readonly clock: MicroClock
  readonly hub: OpenedHub | undefined
  readonly known: Map<string, Known>
  readonly frames: FrameStream
  readonly halfOpen: HalfOpenConnections
}

async function welcome(greeting: Greeting, payload: Uint8Array): Promise<void> {
  const { frames, halfOpen } = greeting
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
    halfOpen.settle(frames.socket)
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
    onClosed: () => known.delete(key),
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
  options: ListenOptions,
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

// ---- shared

interface OpenedHub {
  readonly hub: UdpHub
  readonly isFast: boolean
  readonly fallback: string | undefined
}

async function openHub(
  choice: UdpChoice,
  at: { host: string; port: number; clock: MicroClock },
): Promise<OpenedHub | undefined> {
  if (choice === 'off') return undefined
  const { port, fallback } = await openPort(choice, at)
  return { hub: new UdpHub(port, at.clock), isFast: port.kind === 'batched', fallback }
}

function describeEngines(hub: OpenedHub | undefined, suite: SuiteName, suiteFallback: string | undefined): string {
  if (hub === undefined) return 'TLS streams only'
  const io = hub.isFast ? 'batched UDP' : `portable UDP${hub.fallback === undefined ? '' : ` (${hub.fallback})`}`
  const crypto = hub.isFast && suiteFallback !== undefined ? ` (${suiteFallback})` : ''
  return `${io}, ${suite}${crypto}`
}

function clampPacket(size: number): number {
  return Math.max(MIN_PACKET, Math.min(MAX_PACKET, size))
}

function anyAddress(peer: string): string {
  return isIP(peer) === 6 && !peer.startsWith('::ffff:') ? '::' : '0.0.0.0'
}

function endpointOfAddress(address: ReturnType<ReturnType<typeof createServer>['address']>): Endpoint {
  if (address === null || typeof address === 'string') throw new Error('a TCP server without an address')
  return { host: address.address, port: address.port }
}
