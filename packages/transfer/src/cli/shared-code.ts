import { createHash, timingSafeEqual } from 'node:crypto'
import type { ConnectionOptions, TlsOptions } from 'node:tls'
import { type Random, secureRandom } from '@godwit/base'

/** Letters and digits that nobody mixes up when reading them out. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const CODE_LETTERS = 26

/** A one-time secret of 130 bits for two people who can talk to each other: both ends prove it, no certificate is needed. */
export function newCode(random: Random = secureRandom): string {
  return Array.from(random.fill(new Uint8Array(CODE_LETTERS)), (byte) => LETTERS[byte % 32]).join('')
}

function keyOf(code: string): Buffer {
  return createHash('sha256').update('gwt shared code\n').update(code).digest()
}

/** TLS 1.3 with a pre-shared key and an ephemeral exchange: who does not know the code cannot connect, nor read later. */
const SUITE = { ciphers: 'TLS_AES_128_GCM_SHA256' }
const IDENTITY = 'gwt'

export function clientTls(code: string): ConnectionOptions {
  return {
    ...SUITE,
    pskCallback: () => ({ psk: keyOf(code), identity: IDENTITY }),
    // There is no certificate; the handshake itself fails when the server does not know the code.
    checkServerIdentity: () => undefined,
  }
}

export function serverTls(code: string): TlsOptions {
  const key = keyOf(code)
  return {
    ...SUITE,
    pskCallback: (_socket, identity) => (sameText(identity, IDENTITY) ? key : null),
  }
}

function sameText(first: string, second: string): boolean {
  const [a, b] = [Buffer.from(first), Buffer.from(second)]
  return a.length === b.length && timingSafeEqual(a, b)
}
