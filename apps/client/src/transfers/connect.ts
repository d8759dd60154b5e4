import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { MiB, systemClock } from '@godwit/base'
import type { TransferTicket } from '@godwit/contract'
import { parseTicket, ticketClientTls } from '@godwit/transfer/endpoints'
import { createRateLimit, type RateCeiling } from '@godwit/transport/core'
import {
  connect,
  type Connection,
  ENCRYPTION_WANTED,
  RefusedError,
  systemMicros,
  type UdpChoice,
} from '@godwit/transport/node'

export interface Link {
  /** Host of the API, for servers that name no other. */
  readonly apiHost: string
  /** `off`: TCP alone. */
  readonly udp: UdpChoice
  /** Bits per second. */
  readonly rate: number
  /** That of the whole computer, shared by all that it sends. */
  readonly ceiling?: RateCeiling
  readonly signal: AbortSignal
}

/** Host of the API of a sign-in. */
export function apiHostOf({ server }: { readonly server: string }): string {
  return new URL(server).hostname.replace(/^\[|\]$/g, '')
}

const FIRST_WINDOW = 16 * MiB
const PROBE_MS = 5_000

/** Connects to the transfer port, encrypted unless the site does without it. @throws RefusedError, Error of node:tls or node:net */
export async function connectToPort(
  ticket: TransferTicket,
  { apiHost, udp, rate, ceiling, signal }: Link,
): Promise<Connection> {
  const parsed = parseTicket(ticket.ticket)
  if (parsed === undefined) throw new Error('the server issued a ticket of another version')
  const address = { host: ticket.host || apiHost, port: ticket.port }
  const prefersTcp = ticket.udpPort === 0 || (await isNear(address, ticket.tcpDelayMs))
  const open = (encrypted: boolean): Promise<Connection> =>
    connect({
      ...address,
      tls: ticketClientTls(parsed),
      ticket: Buffer.from(ticket.ticket),
      udp: prefersTcp ? 'off' : udp,
      ...(ticket.udpPort === 0 ? {} : { udpPort: ticket.udpPort }),
      packetSize: ticket.packetSize,
      encrypted,
      settings: { receiveWindow: FIRST_WINDOW, limit: createRateLimit(systemMicros(), rate, ceiling) },
      signal,
    })
  try {
    return await open(ticket.encrypted)
  } catch (error) {
    // The site began to demand it after it issued the ticket.
    const isLate = error instanceof RefusedError && error.message === ENCRYPTION_WANTED && !ticket.encrypted
    if (!isLate) throw error
    return open(true)
  }
}

/** Whether the round trip is so short that the site prefers TCP. */
async function isNear(address: { readonly host: string; readonly port: number }, delayMs: number): Promise<boolean> {
  if (delayMs === 0) return false
  const begun = systemClock.monotonic()
  const socket = connectTcp(address)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PROBE_MS) })
    return systemClock.monotonic() - begun <= delayMs
  } finally {
    socket.destroy()
  }
}
