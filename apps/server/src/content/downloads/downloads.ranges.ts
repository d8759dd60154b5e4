/** Bytes [start, end) of a file. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * The one range of a Range header (RFC 9110 §14.2).
 * @returns undefined to send the whole file (no header, several ranges, another unit, malformed); 'none' when nothing of the
 *   file lies in the range
 */
export function parseRange(header: string | undefined, size: number): Span | undefined | 'none' {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return undefined
  if (first === '')
    return Number(last) === 0 || size === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'none'
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) }
}

/** Whether If-None-Match names this version. Weak and strong compare alike here (RFC 9110 §13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  return header.split(',').some((entry) => entry.trim().replace(/^W\//, '') === etag)
}

/** Whether a range may be answered: without If-Range always, else only for exactly this version, never by date. */
export function rangeStillHolds(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag
}
