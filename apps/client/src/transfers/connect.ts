import { MiB } from '@godwit/base'
import { channelClientTls, channelOfTicket, parseTicket } from '@godwit/transfer/endpoints'
import { createRateLimit, type RateCeiling } from '@godwit/transport/core'
import {
  connect,
  type Connection,
  ENCRYPTION_WANTED,
  RefusedError,
  type SecuredLine,
  secureLine,
  systemMicros,
  type UdpChoice,
} from '@godwit/transport/node'
import type { Ticket } from '../server-link/api.ts'
import type { EarlyLine, KnownPort } from './early-line.ts'

export interface Link {
  /** Host of the API, for servers that name no other. */
  readonly apiHost: string
  /** `off`: TCP alone. */
  readonly udp: UdpChoice
  /** Bits per second. */
  readonly rate: number
  /** That of the whole computer, shared by all that it sends. */
  readonly ceiling?: RateCeiling
  /** Connected while the ticket is asked for. */
  readonly early?: EarlyLine
  readonly signal: AbortSignal
}

/** Host of the API of a sign-in. */
export function apiHostOf({ server }: { readonly server: string }): string {
  return new URL(server).hostname.replace(/^\[|\]$/g, '')
}

const FIRST_WINDOW = 16 * MiB

/** Connects to the transfer port, encrypted unless the site does without it. @throws RefusedError, Error of node:tls or node:net */
export async function connectToPort(
  ticket: Ticket,
  { apiHost, udp, rate, ceiling, early, signal }: Link,
): Promise<Connection> {
  const parsed = parseTicket(ticket.ticket)
  if (parsed === undefined) throw new Error('the server issued a ticket of another version')
  const channel = channelOfTicket(parsed)
  const address = { host: ticket.host || apiHost, port: ticket.port }
  const tls = channelClientTls(channel)
  const { line, isNear } = await lineTo({ ...address, channel }, { ...ticket, tls, early, signal })
  const open = (encrypted: boolean, ready?: SecuredLine): Promise<Connection> =>
    connect({
      ...{ ...address, tls },
      ...(ready === undefined ? {} : { line: ready }),
      ticket: Buffer.from(ticket.ticket),
      udp: ticket.udpPort === 0 || isNear ? 'off' : udp,
      ...(ticket.udpPort === 0 ? {} : { udpPort: ticket.udpPort }),
      packetSize: ticket.packetSize,
      encrypted,
      settings: { receiveWindow: FIRST_WINDOW, limit: createRateLimit(systemMicros(), rate, ceiling) },
      signal,
    })
  try {
    return await open(ticket.encrypted, line)
  } catch (error) {
    // The site began to demand it after it issued the ticket.
    const isLate = error instanceof RefusedError && error.message === ENCRYPTION_WANTED && !ticket.encrypted
    if (!isLate) throw error
    return open(true)
  }
}

interface LineRules extends Pick<Ticket, 'tcpDelayMs'>, Pick<Link, 'signal'> {
  readonly tls: ReturnType<typeof channelClientTls>
  readonly early: EarlyLine | undefined
}

/** A line that is there already, or a new one; near where the round trip is so short that the site prefers TCP. */
async function lineTo(
  port: KnownPort,
  { tcpDelayMs, tls, early, signal }: LineRules,
): Promise<{ readonly line: SecuredLine; readonly isNear: boolean }> {
  const ready = await early?.take(port)
  if (ready !== undefined && tcpDelayMs === 0) return { line: ready, isNear: false }
  // What ran while the early one connected would count as its round trip.
  ready?.socket.destroy()
  const line = await secureLine({ host: port.host, port: port.port, tls, signal })
  return { line, isNear: tcpDelayMs > 0 && line.rttUs <= tcpDelayMs * 1000 }
}
