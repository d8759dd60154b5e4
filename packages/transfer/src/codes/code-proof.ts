import { createHash } from 'node:crypto'
import type { ConnectionOptions, TlsOptions } from 'node:tls'
import { type Random, secureRandom } from '@godwit/base'
import type { Challenge, ClientProof, ConnectionSettings } from '@godwit/transport/node'
import {
  type CpaceMessage,
  generatorOf,
  isSameTag,
  joinWithLengths,
  scalarOf,
  secretOf,
  sessionKey,
  SHARE_BYTES,
  shareOf,
  TAG_BYTES,
  tagOf,
} from './cpace.ts'
import { normalCode } from './shared-code.ts'

/**
 * Two ends that share a code prove it to each other by CPace inside a TLS channel, whose exported value is the session id:
 * an attacker in the middle has two channels, so forwarded messages do not match. The channel itself proves nothing. Its key is
 * public and saves a certificate; the ephemeral exchange of TLS 1.3 hides the content from passive listeners.
 */

const CONTEXT = joinWithLengths(Buffer.from('gwt/2'), Buffer.from('sender'), Buffer.from('receiver'))
const NO_DATA = new Uint8Array(0)

const SUITE = { ciphers: 'TLS_AES_128_GCM_SHA256' }
const IDENTITY = 'gwt/2'
const PUBLIC_KEY = createHash('sha256').update('gwt/2 public channel key\n').digest()

export const CLIENT_TLS: ConnectionOptions = {
  ...SUITE,
  pskCallback: () => ({ psk: PUBLIC_KEY, identity: IDENTITY }),
  // There is no certificate: the proof inside takes its place.
  checkServerIdentity: () => undefined,
}

export const SERVER_TLS: TlsOptions = {
  ...SUITE,
  pskCallback: (_socket, identity) => (identity === IDENTITY ? PUBLIC_KEY : null),
}

interface Own {
  readonly sessionId: Uint8Array
  readonly scalar: bigint
  readonly message: CpaceMessage
}

function begin(code: string, sessionId: Uint8Array, random: Random): Own {
  const generator = generatorOf({ password: Buffer.from(normalCode(code)), context: CONTEXT, sessionId })
  const scalar = scalarOf(random.fill(new Uint8Array(32)))
  return { sessionId, scalar, message: { share: shareOf(generator, scalar), data: NO_DATA } }
}

/** The sender's side. For one connection. */
export function proveCode(code: string, random: Random = secureRandom): ClientProof {
  let own: Own | undefined
  return {
    begin(channel) {
      own = begin(code, channel, random)
      return own.message.share
    },
    confirm(answer) {
      if (own === undefined || answer.length !== SHARE_BYTES + TAG_BYTES) return undefined
      const peer = { share: answer.subarray(0, SHARE_BYTES), data: NO_DATA }
      const secret = secretOf(own.scalar, peer.share)
      if (secret === undefined) return undefined
      const key = sessionKey(own.sessionId, secret, [own.message, peer])
      const isProven = isSameTag(answer.subarray(SHARE_BYTES), tagOf(own.sessionId, key, peer))
      return isProven ? tagOf(own.sessionId, key, own.message) : undefined
    },
  }
}

export interface CodeChallenge {
  readonly settings: ConnectionSettings
  /** Called when the client has proved that it has the code. */
  onProven(): void
  readonly random?: Random
}

/**
 * The receiver's side.
 * @param share of the client
 * @returns undefined for a message that is none
 */
export function challengeCode(
  code: string,
  { share, channel }: { readonly share: Uint8Array; readonly channel: Uint8Array },
  { settings, onProven, random = secureRandom }: CodeChallenge,
): Challenge | undefined {
  const own = begin(code, channel, random)
  const secret = secretOf(own.scalar, share)
  if (secret === undefined) return undefined
  const peer = { share, data: NO_DATA }
  const key = sessionKey(channel, secret, [peer, own.message])
  const expected = tagOf(channel, key, peer)
  return {
    settings,
    answer: Buffer.concat([own.message.share, tagOf(channel, key, own.message)]),
    confirm(proof) {
      const isProven = isSameTag(proof, expected)
      if (isProven) onProven()
      return isProven
    },
  }
}
