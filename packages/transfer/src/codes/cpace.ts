import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js'

/**
 * CPace, a balanced password-authenticated key exchange (draft-irtf-cfrg-cpace), as initiator and responder with the suite
 * CPACE-RISTR255-SHA512. An attacker who records an exchange learns nothing about the password; one who takes part without
 * the password can test a single guess.
 */

/** Domain separation of the suite. */
const DSI = Buffer.from('CPaceRistretto255')
/** Input block of SHA-512: the password fills the first one, so that the time does not depend on its length. */
const BLOCK_BYTES = 128
/** Bytes of a share, as it crosses the network. */
export const SHARE_BYTES = 32
/** Bytes of a key confirmation. */
export const TAG_BYTES = 64
const SCALAR_BITS = 252

type Point = InstanceType<typeof ristretto255.Point>

export interface CpaceInput {
  /** The password. */
  readonly password: Uint8Array
  /** Names of the two ends and of the application, which both know. */
  readonly context: Uint8Array
  /** Of this session and of no other one. */
  readonly sessionId: Uint8Array
}

/** The generator that the password stands for in this session. */
export function generatorOf({ password, context, sessionId }: CpaceInput): Point {
  const padding = Math.max(0, BLOCK_BYTES - 1 - withLength(password).length - withLength(DSI).length)
  const text = joinWithLengths(DSI, password, Buffer.alloc(padding), context, sessionId)
  // The one-way map of RFC 9496 over the 64 bytes of the hash.
  const point = ristretto255_hasher.deriveToCurve?.(sha512(text))
  if (point === undefined) throw new Error('a curve without a map')
  return point
}

/** @param random 32 random bytes @returns a scalar, never 0 */
export function scalarOf(random: Uint8Array): bigint {
  const mask = (1n << BigInt(SCALAR_BITS)) - 1n
  const scalar = BigInt(`0x${Buffer.from(random.toReversed()).toString('hex')}`) & mask
  if (scalar === 0n) throw new Error('a random scalar of 0')
  return scalar
}

/** What a side sends. */
export function shareOf(generator: Point, scalar: bigint): Uint8Array {
  return generator.multiply(scalar).toBytes()
}

/** @returns the common secret; undefined for a share that is no element of the group, or the neutral one */
export function secretOf(scalar: bigint, share: Uint8Array): Uint8Array | undefined {
  if (share.length !== SHARE_BYTES) return undefined
  try {
    const point = ristretto255.Point.fromBytes(Uint8Array.from(share))
    return point.is0() ? undefined : point.multiply(scalar).toBytes()
  } catch {
    // Not the encoding of an element. The peer learns nothing else.
    return undefined
  }
}

/** One side's message: its share, and data that it wants to have authenticated. */
export interface CpaceMessage {
  readonly share: Uint8Array
  readonly data: Uint8Array
}

/** The session key over the whole exchange. 64 bytes. */
export function sessionKey(
  sessionId: Uint8Array,
  secret: Uint8Array,
  [initiator, responder]: readonly [CpaceMessage, CpaceMessage],
): Uint8Array {
  const head = joinWithLengths(Buffer.concat([DSI, Buffer.from('_ISK')]), sessionId, secret)
  const transcript = [initiator, responder].map(({ share, data }) => joinWithLengths(share, data))
  return sha512(Buffer.concat([head, ...transcript]))
}

/** Proves that the sender of a message has the session key. */
export function tagOf(sessionId: Uint8Array, key: Uint8Array, { share, data }: CpaceMessage): Uint8Array {
  const macKey = sha512(Buffer.concat([Buffer.from('CPaceMac'), sessionId, key]))
  return createHmac('sha512', macKey).update(joinWithLengths(share, data)).digest()
}

/** In a time that does not depend on where they differ. */
export function isSameTag(first: Uint8Array, second: Uint8Array): boolean {
  return first.length === second.length && timingSafeEqual(first, second)
}

/** The parts, each with its length in front, so that no two lists of parts give the same bytes. */
export function joinWithLengths(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat(parts.map(withLength))
}

/** LEB128 of the length, then the bytes. */
function withLength(part: Uint8Array): Buffer {
  const length: number[] = []
  let rest = part.length
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) | 128)
  return Buffer.concat([Buffer.of(...length, rest), part])
}

function sha512(bytes: Uint8Array): Buffer {
  return createHash('sha512').update(bytes).digest()
}
