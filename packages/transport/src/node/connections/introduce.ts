import type { TLSSocket } from 'node:tls'
import { secureRandom } from '@godwit/base'
import { CLOSE_CODES, MAX_PACKET } from '../../core/index.ts'
import { CONTROL, FrameStream } from '../control/frame-stream.ts'
import { readClose, readWelcome, writeHello } from '../control/messages.ts'
import { type Endpoint, systemMicros } from '../ports/port.types.ts'
import { hasAesInstructions, openSuite, preferredSuite } from '../suites/choose-suite.ts'
import { connectionIds } from '../suites/keys.ts'
import { Connection, type ConnectionSettings, type ThroughParts } from './connection.ts'
import { type ClientProof, ProofError } from './proof.types.ts'
import {
  channelOf,
  clampPacket,
  type CommonOptions,
  describeEngines,
  exportSecret,
  HANDSHAKE_MS,
  openHub,
} from './set-up.ts'
import type { UdpHub } from './udp-hub.ts'

/** What a client shows of itself. */
export interface ClientOptions extends CommonOptions {
  /** Shown to the server's `authorize`; at most 4 KiB. Not with a proof, whose first message it would be. */
  readonly ticket?: Uint8Array
  /** Proves both ends to each other. A server that does not take part is refused. */
  readonly proof?: ClientProof
  /** False: packets are authenticated but not encrypted. */
  readonly encrypted?: boolean
  readonly settings?: ConnectionSettings
  readonly signal?: AbortSignal
}

/** How the client and the server are joined. */
export interface Line {
  /** The round trip, by what the handshake took. */
  readonly rttUs: number
  /** Address to bind for UDP. */
  readonly bindHost: string
  /** Opens one more TLS stream; undefined where there can only be one. */
  readonly openStream: ((secret: Uint8Array, id: Uint8Array) => Promise<FrameStream>) | undefined
  /** Where UDP of the server is assumed. Undefined: it has to be found out. */
  readonly udpAt: Endpoint | undefined
  /** Set when a third party carries the control stream. */
  readonly through?: (hub: UdpHub | undefined, secret: Uint8Array) => ThroughParts
}

/**
 * The client's half of the handshake, on a control stream whose TLS is there.
 * @throws ProofError; RefusedError with the server's reason when it refuses
 */
export async function introduce(control: TLSSocket, options: ClientOptions, line: Line): Promise<Connection> {
  const clock = options.clock ?? systemMicros
  const { openStream, udpAt } = line
  const secret = exportSecret(control)
  const ids = connectionIds(secret)
  const packetSize = clampPacket(options.packetSize ?? MAX_PACKET)
  const suiteName = preferredSuite(options.encrypted ?? true, hasAesInstructions())
  const hub = await openHub(options.udp ?? 'auto', { host: line.bindHost, port: 0, clock })
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
    rttUs: line.rttUs,
    openStream: openStream && (() => openStream(secret, ids.client)),
    through: line.through?.(hub?.hub, secret),
    onClosed: () => hub?.hub.close(),
    settings: options.settings ?? {},
  })
  if (udpAt !== undefined) connection.probeUdp(udpAt)
  const ticket = options.proof?.begin(channelOf(control)) ?? options.ticket ?? new Uint8Array(0)
  const udp = (options.udp ?? 'auto') !== 'off'
  frames.send(CONTROL.hello, writeHello({ suite: suiteName, udp, packetSize, ticket }))
  await welcomed(frames, connection, { host: udpAt?.host, proof: options.proof, signal: options.signal })
  return connection
}

interface Expected {
  /** Undefined: its UDP port says nothing. */
  readonly host: string | undefined
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
        if (welcome.udpPort > 0 && peer.host !== undefined)
          connection.probeUdp({ host: peer.host, port: welcome.udpPort })
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

/** The server refused; the message is its reason. */
export class RefusedError extends Error {}
