import { AppError } from '../../kernel/errors.ts'

/** One state that a resource must have, or must not. */
export interface IfCondition {
  readonly isNegated: boolean
  readonly kind: 'token' | 'etag'
  /** A lock token as an address, or an entity tag with its quotes. */
  readonly value: string
}

/** Conditions that must all hold for a resource; the header holds when one of its lists does. */
export interface IfList {
  /** Address of the resource; undefined: that of the request. */
  readonly resource: string | undefined
  readonly conditions: readonly IfCondition[]
}

/** Lists and conditions of one header. Real ones have one or two. */
const PARTS_MAX = 200

const PART = /\s*(?:<([^<>]*)>|(\()|(\))|(Not\b)|\[((?:W\/)?"[^"]*")\])\s*/iy

/**
 * Reads an If header (RFC 4918 §10.4).
 * @throws AppError PARAMETER_INVALID
 */
export function parseIf(header: string): IfList[] {
  const lists: IfList[] = []
  const malformed = new AppError('PARAMETER_INVALID', { field: 'If' })
  let resource: string | undefined
  let open: IfCondition[] | undefined
  let isNegated = false
  PART.lastIndex = 0
  for (let parts = 0, at = 0; at < header.length; parts++) {
    PART.lastIndex = at
    const match = PART.exec(header)
    if (match === null || parts >= PARTS_MAX) throw malformed
    at = PART.lastIndex
    const [, address, opens, closes, not, etag] = match
    if (open === undefined) {
      if (address !== undefined) resource = address
      else if (opens !== undefined) open = []
      else throw malformed
    } else if (closes !== undefined) {
      if (open.length === 0 || isNegated) throw malformed
      lists.push({ resource, conditions: open })
      open = undefined
    } else if (not !== undefined && !isNegated) {
      isNegated = true
    } else if (address !== undefined || etag !== undefined) {
      open.push({ isNegated, kind: address === undefined ? 'etag' : 'token', value: address ?? etag ?? '' })
      isNegated = false
    } else {
      throw malformed
    }
  }
  if (open !== undefined || lists.length === 0) throw malformed
  return lists
}

/** Tokens that the client says it has; those it denies do not count. */
export function submittedTokens(lists: readonly IfList[]): ReadonlySet<string> {
  const conditions = lists.flatMap((list) => list.conditions)
  return new Set(conditions.filter(({ kind, isNegated }) => kind === 'token' && !isNegated).map(({ value }) => value))
}

/** `urn:uuid:` with the 128 random bits of a lock. */
export function lockTokenUrl(token: string): string {
  return `urn:uuid:${token.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`
}

/** @returns undefined for what is no token of ours */
export function lockTokenIn(url: string): string | undefined {
  const match = /^urn:uuid:([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-([\da-f]{4})-([\da-f]{12})$/i.exec(url.trim())
  return match?.slice(1).join('').toLowerCase()
}

/** Milliseconds that a Timeout header asks for; the longest when it does not say. */
export function timeoutIn(header: string | undefined, mostMs: number): number {
  for (const wish of (header ?? '').split(',')) {
    const seconds = /^\s*Second-(\d{1,10})\s*$/i.exec(wish)?.[1]
    if (seconds !== undefined) return Math.min(mostMs, Number(seconds) * 1000)
  }
  return mostMs
}
