import type { Socket } from 'node:net'
import { MiB, systemClock } from '@godwit/base'
import { parseTicket, ticketClientTls } from '@godwit/transfer/endpoints'
import { createRateLimit, type RateCeiling } from '@godwit/transport/core'
import {
  connect,
  type Connection,
  ENCRYPTION_WANTED,
  type Endpoint,
  openTcp,
  RefusedError,
  systemMicros,
  type UdpChoice,
} from '@godwit/transport/node'
import type { Ticket } from '../server-link/api.ts'
import type { EarlyLine } from './early-line.ts'

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
  const address = { host: ticket.host || apiHost, port: ticket.port }
  const { tcp, isNear } = await lineTo(address, { ...ticket, early, signal })
  const open = (encrypted: boolean, connected?: Socket): Promise<Connection> =>
    connect({
      ...address,
      ...(connected === undefined ? {} : { tcp: connected }),
      tls: ticketClientTls(parsed),
      ticket: Buffer.from(ticket.ticket),
      udp: ticket.udpPort === 0 || isNear ? 'off' : udp,
      ...(ticket.udpPort === 0 ? {} : { udpPort: ticket.udpPort }),
      packetSize: ticket.packetSize,
      encrypted,
      settings: { receiveWindow: FIRST_WINDOW, limit: createRateLimit(systemMicros(), rate, ceiling) },
      signal,
    })
  try {
    return await open(ticket.encrypted, tcp)
  } catch (error) {
    // The site began to demand it after it issued the ticket.
    const isLate = error instanceof RefusedError && error.message === ENCRYPTION_WANTED && !ticket.encrypted
    if (!isLate) throw error
    return open(true)
  }
}

interface LineRules extends Pick<Ticket, 'tcpDelayMs'>, Pick<Link, 'signal'> {
  readonly early: EarlyLine | undefined
}

/** A connection that is there already, or a new one; near where the round trip is so short that the site prefers TCP. */
async function lineTo(
  address: Endpoint,
  { tcpDelayMs, early, signal }: LineRules,
): Promise<{ readonly tcp: Socket; readonly isNear: boolean }> {
  const ready = await early?.take(address)
  if (ready !== undefined && tcpDelayMs === 0) return { tcp: ready, isNear: false }
  // What ran while the early one connected would count as its round trip.
  ready?.destroy()
  const begun = systemClock.monotonic()
  const tcp = await openTcp(address, signal)
  return { tcp, isNear: systemClock.monotonic() - begun <= tcpDelayMs && tcpDelayMs > 0 }
}
