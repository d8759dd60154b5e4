import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Waits between the tries of a delivery; with the last one a day has gone by. */
const WAITS_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS],
  ...[HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 8 * HOUR_MS],
] as const

/** @param attempts failed tries so far, at least 1 @returns undefined when it is given up */
export function waitAfter(attempts: number): number | undefined {
  return WAITS_MS[attempts - 1]
}

const SECRET_PREFIX = 'whsec_'

export function secretOf(bytes: Uint8Array): string {
  return SECRET_PREFIX + Buffer.from(bytes).toString('base64')
}

export interface SignedCall {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/** Source: Standard Webhooks 1.0, symmetric signatures. */
export function signatureOf(secret: string, { id, timestamp, body }: SignedCall): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** An address that may be called: nothing in it begins a header or carries an account. @returns undefined for any other */
export function hookAddress(text: string): URL | undefined {
  // The parser drops line ends and tabs without a word; whoever wrote them meant something else.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  return url.username === '' && url.password === '' && url.hash === '' && url.hostname !== '' ? url : undefined
}

/** The host of an address as names are resolved: IPv6 without its brackets. */
export function hostOf({ hostname }: URL): string {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) === 6 ? bare : hostname
}

/** The columns of MySQL hold 65,535 bytes. */
const BODY_MAX = 60_000

/** What is sent: docs/hooks.md describes it. A payload that is too long leaves its place empty. */
export function bodyOf(type: string, data: object, now: number): string {
  const at = 'at' in data && typeof data.at === 'number' ? data.at : now
  const head = { type, version: 1, timestamp: new Date(at).toISOString() }
  const body = JSON.stringify({ ...head, data })
  return Buffer.byteLength(body) <= BODY_MAX ? body : JSON.stringify({ ...head, data: { isTooLong: true } })
}
