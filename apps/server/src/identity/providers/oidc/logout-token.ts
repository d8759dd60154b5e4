import type { JSONWebKeySet } from 'jose'
import type { Ended } from '../provider.types.ts'

interface Expected {
  readonly keys: unknown
  readonly issuer: string
  readonly clientId: string
  /** Unix milliseconds. */
  readonly now: number
}

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** A notice comes at once; clocks may differ by this much. */
const AGE_SECONDS = 120

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0 §2.6). One that comes twice means the same sessions, because
 * none that began after it is meant.
 * @returns undefined for one that proves nothing
 */
export async function endedOf(token: string, { keys, issuer, clientId, now }: Expected): Promise<Ended | undefined> {
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys as JSONWebKeySet), {
      ...{ issuer, audience: clientId, algorithms: ALGORITHMS, requiredClaims: ['iat', 'jti', 'events'] },
      ...{ maxTokenAge: AGE_SECONDS, clockTolerance: AGE_SECONDS, currentDate: new Date(now) },
    })
    const { sub: key = '', sid, iat = 0, nonce, events } = payload
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT)
    const session = typeof sid === 'string' ? sid : ''
    if (!isLogout || nonce !== undefined || (key === '' && session === '')) return undefined
    return { key, session, at: (iat + 1) * 1000 }
  } catch (thrown) {
    if (thrown instanceof errors.JOSEError) return undefined
    throw thrown
  }
}
