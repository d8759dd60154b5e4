import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { connect as tlsConnect, createServer, type ConnectionOptions, type TLSSocket, type TlsOptions } from 'node:tls'
import { secureRandom } from '@godwit/base'
import { CONTROL, FrameStream } from '../control/frame-stream.ts'
import { MAX_FIRST_PAYLOAD } from '../control/messages.ts'
import { findWay, type Reflector } from '../direct/find-way.ts'
import type { Side } from '../direct/probes.ts'
import { systemMicros } from '../ports/port.types.ts'
import type { Connection, ThroughParts } from './connection.ts'
import { type ClientOptions, introduce } from './introduce.ts'
import { ALPN, anyAddress, type CommonOptions, HANDSHAKE_MS, openHub } from './set-up.ts'
import type { UdpHub } from './udp-hub.ts'
import { greet, type ServerOptions, welcome } from './welcome.ts'

/** A third party that carries the control stream, and data where no direct way is found. It can read and alter nothing. */
export interface Relay {
  /** Leads to the peer. */
  readonly pipe: Duplex
  /** Undefined: the relay reflects no addresses, so only those in the same network find each other. */
  readonly reflector: Reflector | undefined
  /** False: the connection ends when there is no direct way. */
  readonly isRelayAllowed: boolean
}

/** As `connect`, to a peer that `acceptThrough`s at the other end of the pipe. @throws as `connect` does */
export async function connectThrough(
  relay: Relay,
  options: ClientOptions & { readonly tls: ConnectionOptions },
): Promise<Connection> {
  const clock = options.clock ?? systemMicros
  const begun = clock()
  const control = tlsConnect({
    ...options.tls,
    socket: relay.pipe,
    minVersion: 'TLSv1.3',
    ALPNProtocols: [ALPN],
  })
  const timer = setTimeout(() => control.destroy(new Error('the peer did not answer in time')), HANDSHAKE_MS)
  const gone = (): void => void control.destroy(new Error('the connection to the server ended'))
  relay.pipe.once('close', gone)
  try {
    await once(control, 'secureConnect', options.signal === undefined ? {} : { signal: options.signal })
  } catch (error) {
    control.destroy()
    relay.pipe.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
  return introduce(control, options, {
    rttUs: (clock() - begun) / 2,
    bindHost: bindHostOf(relay),
    openStream: undefined,
    udpAt: undefined,
    through: (hub, secret) => throughParts({ relay, options, side: 'client' }, hub, secret),
  })
}

/**
 * Serves the one peer at the other end of the pipe. Each connection has a UDP port of its own.
 * @returns when the peer has proven itself, or the pipe has ended without
 */
export async function acceptThrough(
  relay: Relay,
  options: ServerOptions & { readonly tls: TlsOptions },
): Promise<void> {
  const clock = options.clock ?? systemMicros
  const { pipe } = relay
  const hub = await openHub(options.udp ?? 'auto', { host: bindHostOf(relay), port: 0, clock })
  const { promise: proven, resolve: settle } = Promise.withResolvers<boolean>()
  const giveUp = (): void => settle(false)
  const server = createServer({ ...options.tls, minVersion: 'TLSv1.3', ALPNProtocols: [ALPN] })
  server.on('tlsClientError', giveUp)
  server.on('secureConnection', (socket: TLSSocket) => {
    const frames = new FrameStream(socket, MAX_FIRST_PAYLOAD)
    pipe.once('close', () => socket.destroy())
    greet(frames, (type, payload) => {
      if (type !== CONTROL.hello) return frames.destroy()
      void welcome(
        {
          ...{ clock, hub, frames },
          options: { ...options, onConnection: (...handed) => (settle(true), options.onConnection(...handed)) },
          known: new Map(),
          settle: () => undefined,
          onClosed: () => hub?.hub.close(),
          through: (secret) => throughParts({ relay, options, side: 'server' }, hub?.hub, secret),
        },
        payload,
      )
    })
  })
  const timer = setTimeout(giveUp, 2 * HANDSHAKE_MS)
  pipe.once('close', giveUp)
  server.emit('connection', pipe)
  const isProven = await proven
  clearTimeout(timer)
  if (isProven) return
  pipe.destroy()
  hub?.hub.close()
}

function bindHostOf({ reflector }: Relay): string {
  return anyAddress(reflector?.at.host ?? '')
}

function throughParts(
  { relay, options, side }: { relay: Relay; options: CommonOptions; side: Side },
  hub: UdpHub | undefined,
  secret: Uint8Array,
): ThroughParts {
  const { reflector, isRelayAllowed } = relay
  const { clock = systemMicros, random = secureRandom } = options
  const way = hub && findWay({ hub, side, secret, reflector, isRelayAllowed, clock, random })
  return { isRelayAllowed, way }
}
