import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Datagrams before there is a path. Their version bits are 0, so no packet of GWT/1 looks like them.
 * Probe: 0, kind, side of the sender, nonce 8, authenticator 16. Reflection: 0, kind, nonce 8, then the ticket and padding in
 * the question, or an address in the answer.
 */

const VERSION_MASK = 0b1100_0000
export const NONCE_BYTES = 8
const PROBE_BODY_BYTES = 3 + NONCE_BYTES
const MAC_BYTES = 16
const PROBE_BYTES = PROBE_BODY_BYTES + MAC_BYTES
export const TICKET_BYTES = 16
/** Longer than every answer: what a stranger makes the reflector send is never more than what was sent to it. */
const QUESTION_BYTES = 64

const KIND = { ask: 1, answer: 2, reflect: 3, reflected: 4 } as const

export type Side = 'client' | 'server'

export interface Probe {
  readonly kind: 'ask' | 'answer'
  readonly nonce: Uint8Array
}

/** Whether a datagram is one of these. */
export function isProbe(datagram: Uint8Array): boolean {
  return datagram.length > 0 && ((datagram[0] ?? 0) & VERSION_MASK) === 0
}

/** The key of the probes of one connection. @param secret of its TLS exporter */
export function probeKey(secret: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, new Uint8Array(0), 'gwt1 probes', 32))
}

export function writeProbe(key: Uint8Array, side: Side, { kind, nonce }: Probe): Uint8Array {
  const body = Buffer.concat([Uint8Array.of(0, KIND[kind], side === 'client' ? 0 : 1), nonce])
  return Buffer.concat([body, macOf(key, body)])
}

/** Undefined when the other side has not made it. @param from the side that it must come from: a reflected one is refused */
export function readProbe(key: Uint8Array, from: Side, datagram: Uint8Array): Probe | undefined {
  const [version, kind, side] = datagram
  if (datagram.length !== PROBE_BYTES || version !== 0 || side !== (from === 'client' ? 0 : 1)) return undefined
  if (kind !== KIND.ask && kind !== KIND.answer) return undefined
  const body = datagram.subarray(0, PROBE_BODY_BYTES)
  if (!timingSafeEqual(datagram.subarray(PROBE_BODY_BYTES), macOf(key, body))) return undefined
  return { kind: kind === KIND.ask ? 'ask' : 'answer', nonce: new Uint8Array(body.subarray(3)) }
}

function macOf(key: Uint8Array, body: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(body).digest().subarray(0, MAC_BYTES)
}

/** Asks the reflector for the address from which this datagram comes. */
export function writeReflect(nonce: Uint8Array, ticket: Uint8Array): Uint8Array {
  const out = Buffer.alloc(QUESTION_BYTES)
  out[1] = KIND.reflect
  out.set(nonce, 2)
  out.set(ticket, 2 + NONCE_BYTES)
  return out
}

export function readReflect(datagram: Uint8Array): { nonce: Uint8Array; ticket: Uint8Array } | undefined {
  if (datagram.length !== QUESTION_BYTES || datagram[0] !== 0 || datagram[1] !== KIND.reflect) return undefined
  const ticket = 2 + NONCE_BYTES
  return {
    nonce: new Uint8Array(datagram.subarray(2, ticket)),
    ticket: new Uint8Array(datagram.subarray(ticket, ticket + TICKET_BYTES)),
  }
}

/** Some routers rewrite addresses that they find in datagrams, so it does not stand there as it is. */
export function writeReflected(nonce: Uint8Array, address: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(0, KIND.reflected), nonce, masked(Buffer.from(address, 'latin1'), nonce)])
}

export function readReflected(nonce: Uint8Array, datagram: Uint8Array): string | undefined {
  const start = 2 + NONCE_BYTES
  if (datagram.length <= start || datagram[0] !== 0 || datagram[1] !== KIND.reflected) return undefined
  if (Buffer.compare(datagram.subarray(2, start), nonce) !== 0) return undefined
  return Buffer.from(masked(datagram.subarray(start), nonce)).toString('latin1')
}

function masked(bytes: Uint8Array, nonce: Uint8Array): Uint8Array {
  return bytes.map((byte, index) => byte ^ (nonce[index % NONCE_BYTES] ?? 0))
}
