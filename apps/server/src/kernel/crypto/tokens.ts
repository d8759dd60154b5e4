import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Random } from '@godwit/base'

/** A new secret: 256 random bits in base64url, 43 characters. Only its hash is ever stored. */
export function newToken(random: Random): string {
  return Buffer.from(random.fill(new Uint8Array(32))).toString('base64url')
}

/** SHA-256 in hex. Enough for tokens because they are random; passwords go through argon2id. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Compares two secrets in time that does not depend on where they differ. */
export function secretsEqual(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

/**
 * The password a transfer client shows instead of the login token: base64url(HMAC-SHA-256(SHA-256(token), "transfer:v1")).
 * It can be checked from the stored hash alone and grants transfers only.
 */
export function transferPassword(tokenHash: string): string {
  return createHmac('sha256', Buffer.from(tokenHash, 'hex')).update('transfer:v1').digest('base64url')
}
