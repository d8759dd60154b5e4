import { RE2JS } from 're2js'
import { foldName } from './fold-name.ts'

/** Characters of a pattern, at most. */
const PATTERN_MAX = 255

/** Path patterns of one rule, compiled together. Paths are canonical: `/a/b`, `/` for the root. */
export interface PathPatterns {
  /** As they were written. */
  readonly texts: readonly string[]
  readonly isEmpty: boolean
  /** Whether a pattern matches the path or a folder above it. */
  covers(path: string): boolean
  /** Whether an anchored pattern matches something below the path, by pattern alone. */
  reachesAnchored(path: string): boolean
  /** Whether some pattern has no anchor, and so may match below every folder. */
  readonly hasUnanchored: boolean
}

/** Why a pattern is refused. */
export type PatternFault = 'empty' | 'too-long' | 'malformed-unicode'

/** @returns undefined when the pattern is accepted */
export function patternFault(text: string): PatternFault | undefined {
  if (!text.isWellFormed()) return 'malformed-unicode'
  if (segmentsOf(text).length === 0) return 'empty'
  return [...text].length > PATTERN_MAX ? 'too-long' : undefined
}

/**
 * `*` stays in one segment, `**` crosses, a whole segment `**` also stands for none; a leading `/` anchors the pattern at
 * the root of its place. A match covers everything below it. Compared under {@link foldName}. RE2 keeps the time linear,
 * whatever an administrator writes.
 * @throws Error for a pattern with a fault: whoever takes patterns from people checks them first
 */
export function compilePatterns(texts: readonly string[]): PathPatterns {
  for (const text of texts) {
    const fault = patternFault(text)
    if (fault !== undefined) throw new Error(`a path pattern is not usable: ${fault}`)
  }
  const anchored = texts.filter(isAnchored)
  const covering = union(texts.map((text) => `${tokensOf(text).join('')}(?:/.*)?`))
  const reaching = union(anchored.map((text) => prefixesOf(tokensOf(text))))
  return {
    texts,
    isEmpty: texts.length === 0,
    hasUnanchored: anchored.length < texts.length,
    covers: (path) => covering?.testExact(folded(path)) ?? false,
    // Whoever stands with a `/` behind it at the beginning of a match has that match below.
    reachesAnchored: (path) => reaching?.testExact(`${folded(path)}/`) ?? false,
  }
}

/** The first pattern that covers a path, as it was written. */
export function coveringPattern({ texts }: PathPatterns, path: string): string | undefined {
  return texts.find((text) => compilePatterns([text]).covers(path))
}

export function isAnchored(text: string): boolean {
  return text.startsWith('/')
}

export function segmentsOf(text: string): string[] {
  return text.split('/').filter((segment) => segment !== '')
}

/** Any number of whole segments. */
const GAP = '(?:/.*)?'

/** The pattern as pieces of an expression, each of which begins or goes on with a literal, a wildcard or a gap. */
function tokensOf(text: string): string[] {
  const segments = segmentsOf(foldName(text))
  const tokens = isAnchored(text) ? [] : [GAP]
  for (const [at, segment] of segments.entries()) {
    if (segment === '**' && at < segments.length - 1) tokens.push(GAP)
    else tokens.push('/', ...segmentTokens(segment))
  }
  return tokens
}

function segmentTokens(segment: string): string[] {
  const pieces = segment.match(/\*\*+|\*|[^*]/gu) ?? []
  return pieces.map((piece) => {
    if (piece === '*') return '[^/]*'
    return piece.startsWith('*') ? '.*' : RE2JS.quote(piece)
  })
}

/** Whether one segment of a pattern matches a name, both folded. */
export function matchesSegment(segment: string, name: string): boolean {
  if (!segment.includes('*')) return segment === name
  return RE2JS.compile(segmentTokens(segment).join(''), RE2JS.DOTALL).testExact(name)
}

/** Matches every beginning of what the tokens match. */
function prefixesOf(tokens: readonly string[]): string {
  return tokens.reduceRight((rest, token) => `(?:${token}${rest})?`, '')
}

function union(expressions: readonly string[]): RE2JS | undefined {
  if (expressions.length === 0) return undefined
  return RE2JS.compile(expressions.map((expression) => `(?:${expression})`).join('|'), RE2JS.DOTALL)
}

/** The root is '', so that every path below it begins with what it is. */
function folded(path: string): string {
  return path === '/' ? '' : foldName(path)
}
