import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect as tlsConnect, createServer, type ConnectionOptions, type TLSSocket, type TlsOptions } from 'node:tls'
import { CONTROL, FrameStream } from '../control/frame-stream.ts'
import { HalfOpenConnections } from '../control/half-open.ts'
import { MAX_FIRST_PAYLOAD, readJoin, writeJoin } from '../control/messages.ts'
import { reflectAddresses } from '../direct/reflector.ts'
import { type Endpoint, systemMicros } from '../ports/port.types.ts'
import { hasAesInstructions, preferredSuite } from '../suites/choose-suite.ts'
import { SECRET_BYTES } from '../suites/keys.ts'
import type { Connection } from './connection.ts'
import { type ClientOptions, introduce } from './introduce.ts'
import { openTcp } from './open-tcp.ts'
import { ALPN, anyAddress, describeEngines, HANDSHAKE_MS, openHub } from './set-up.ts'
import { greet, type Known, type ServerOptions, welcome } from './welcome.ts'

/** TLS streams of one connection beside the first. */
const MAX_JOINED = 8

export interface ConnectOptions extends ClientOptions {
  readonly host: string
  readonly port: number
  /** Certificate or shared-key options of node:tls. TLS 1.3 and the protocol name are set here. */
  readonly tls: ConnectionOptions
  /** UDP port when it is not the TCP port's number. */
  readonly udpPort?: number
  /** Already there by `secureLine`: who waits for a ticket meanwhile saves two round trips. Belongs to the connection from now on. */
  readonly line?: SecuredLine
}

/** TLS to a server's port, on which a connection can begin. */
export interface SecuredLine {
  readonly socket: TLSSocket
  /** The round trip, by what the handshakes took. */
  readonly rttUs: number
}

/** @throws Error of node:tls or node:net; ProofError; RefusedError with the server's reason when it refuses */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { socket, rttUs } = options.line ?? (await secureLine(options))
  const host = socket.remoteAddress ?? options.host
  return introduce(socket, options, {
    rttUs,
    bindHost: anyAddress(host),
    openStream: (secret, id) => openJoined(options, secret, id),
    udpAt: { host, port: options.udpPort ?? options.port },
  })
}

/** Reaches a port before there is a ticket for it. @throws Error of node:tls or node:net */
export async function secureLine(
  options: Pick<ConnectOptions, 'host' | 'port' | 'tls' | 'signal' | 'clock'>,
): Promise<SecuredLine> {
  const { host, port, tls, signal, clock = systemMicros } = options
  const begun = clock()
  const tcp = await openTcp({ host, port }, signal)
  const reached = clock()
  const named = isIP(host) === 0 ? { servername: host } : {}
  const socket = tlsConnect({ ...named, ...tls, host, socket: tcp, minVersion: 'TLSv1.3', ALPNProtocols: [ALPN] })
  await secured(socket, signal)
  // Each of the two takes one round trip, and a packet that gets lost lengthens only one of them.
  return { socket, rttUs: Math.min(reached - begun, clock() - reached) }
}

/** @throws Error of node:tls; the socket is destroyed then */
async function secured(socket: TLSSocket, signal?: AbortSignal): Promise<void> {
  const timer = setTimeout(() => socket.destroy(new Error('the server did not answer in time')), HANDSHAKE_MS)
  try {
    await once(socket, 'secureConnect', signal === undefined ? {} : { signal })
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function openJoined(options: ConnectOptions, secret: Uint8Array, id: Uint8Array): Promise<FrameStream> {
  const { signal: _once, ...rest } = options
  const { socket } = await secureLine(rest)
  const frames = new FrameStream(socket)
  frames.send(CONTROL.join, writeJoin({ connectionId: id, proof: joinProof(secret, socket) }))
  return frames
}

/** Binds a further stream to its connection: only who holds the connection's secret can make it, and for this stream only. */
function joinProof(secret: Uint8Array, socket: TLSSocket): Uint8Array {
  const own = socket.exportKeyingMaterial(SECRET_BYTES, 'godwit stream v1', Buffer.alloc(0))
  return createHmac('sha256', secret).update(own).digest()
}

// ---- server

export interface ListenOptions extends ServerOptions {
  /** Default: every IPv4 address. */
  readonly host?: string
  /** TCP port, and UDP port of the same number where it is free. Default 0: any. */
  readonly port?: number
  readonly tls: TlsOptions
  /** Whether to say to the holder of this ticket, over UDP, from which address its datagram came. Default: to nobody. */
  reflects?(ticket: Uint8Array): boolean
}

export interface Listener {
  readonly local: Endpoint
  /** UDP port; 0 when UDP is off. */
  readonly udpPort: number
  readonly engines: string
  /** Stops listening. Connections stay until they are closed. */
  close(): Promise<void>
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
  if (hub !== undefined && options.reflects !== undefined)
    reflectAddresses(hub.hub, (ticket) => options.reflects?.(ticket) ?? false)
  // Without files to open a connection cannot be taken; the next one may.
  server.on('error', () => undefined)
  server.on('connection', (socket) => halfOpen.add(socket))
  // A peer that breaks off or speaks nonsense during the handshake concerns only itself.
  server.on('tlsClientError', () => undefined)
  server.on('secureConnection', (socket) => {
    const frames = new FrameStream(socket, MAX_FIRST_PAYLOAD)
    greet(frames, (type, payload) => {
      if (type === CONTROL.hello)
        return void welcome({ options, clock, hub, known, frames, settle: () => halfOpen.settle(socket) }, payload)
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

function endpointOfAddress(address: ReturnType<ReturnType<typeof createServer>['address']>): Endpoint {
  if (address === null || typeof address === 'string') throw new Error('a TCP server without an address')
  return { host: address.address, port: address.port }
}
