import { createHash } from 'node:crypto'
import type { ConnectionOptions, TlsOptions } from 'node:tls'

/**
 * A ticket is a secret that a server hands out by another way, such as its API, and that opens one transfer. It serves as the
 * pre-shared key of TLS 1.3: both ends prove that they have it, without a certificate, and whoever has none ends in the
 * handshake.
 */
export interface Ticket {
  /** 16 bytes in hex; names the transfer and is no secret. */
  readonly id: string
  readonly secret: Uint8Array
}

const PREFIX = 'gwtt_'
const ID_BYTES = 16
export const TICKET_SECRET_BYTES = 32
const SUITE = { ciphers: 'TLS_AES_128_GCM_SHA256' }
const IDENTITY = 'gwt/ticket '

export function formatTicket({ id, secret }: Ticket): string {
  return PREFIX + Buffer.concat([Buffer.from(id, 'hex'), secret]).toString('base64url')
}

/** @returns undefined for a text that is no ticket */
export function parseTicket(text: string): Ticket | undefined {
  if (!text.startsWith(PREFIX)) return undefined
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  if (bytes.length !== ID_BYTES + TICKET_SECRET_BYTES) return undefined
  return { id: bytes.toString('hex', 0, ID_BYTES), secret: bytes.subarray(ID_BYTES) }
}

/** What secures the line to the server of a ticket, also for what comes later. It opens no transfer. */
export interface TicketChannel extends Pick<Ticket, 'id'> {
  /** 32 bytes. */
  readonly key: Uint8Array
}

export function channelOfTicket({ id, secret }: Ticket): TicketChannel {
  return { id, key: keyOf(secret) }
}

export function channelClientTls({ id, key }: TicketChannel): ConnectionOptions {
  return {
    ...SUITE,
    pskCallback: () => ({ psk: key, identity: IDENTITY + id }),
    // There is no certificate: the key that both ends have takes its place.
    checkServerIdentity: () => undefined,
  }
}

/** @param secretOf the secret that belongs to an id, whether a ticket was ever made of it or not */
export function ticketServerTls(secretOf: (id: string) => Uint8Array): TlsOptions {
  return {
    ...SUITE,
    pskCallback: (_socket, identity) => {
      const id = identity.startsWith(IDENTITY) ? identity.slice(IDENTITY.length) : ''
      return /^[0-9a-f]{32}$/.test(id) ? keyOf(secretOf(id)) : null
    },
  }
}

function keyOf(secret: Uint8Array): Buffer {
  return createHash('sha256').update('gwt ticket channel\n').update(secret).digest()
}
