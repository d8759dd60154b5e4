import { foldName } from './fold-name.ts'
import { compilePatterns, isAnchored, matchesSegment, patternFault, segmentsOf } from './patterns.ts'
import type { RuleTexts } from './rules.ts'

/** Where an entry was, and where it is now: canonical paths in one place. */
export interface Moved {
  readonly from: string
  readonly to: string
}

/**
 * Rules after an entry moved: what forbids it, or something below it, forbids it where it is now as well. The pattern for the
 * old path stays, because the rules of an account hold in all its places and one path may be meant in several. Allowed paths
 * follow nothing for the same reason: a new one would open that path in every other place too.
 * A pattern names by its words: `/plans/*` is about whatever lies in a folder, so it stays; `/team-*x/salaries` names what it ends with.
 * @returns undefined where nothing changes
 */
export function followedRules(rules: RuleTexts, moved: Moved): RuleTexts | undefined {
  const { forbiddenPaths = [] } = rules
  // A name that cannot be decoded is forbidden anyway.
  const added = followed(forbiddenPaths, moved).map(shortened).filter(isUsable)
  return added.length === 0 ? undefined : { ...rules, forbiddenPaths: [...forbiddenPaths, ...added] }
}

/** Patterns to add. */
function followed(patterns: readonly string[], { from, to }: Moved): string[] {
  const anchored = patterns.filter(isAnchored)
  const wanted = anchored.flatMap((pattern) => restsOf(pattern, from)).filter(isNaming)
  if (wanted.length === 0 || compilePatterns(patterns).covers(to)) return []
  const there = new Set(anchored.flatMap((pattern) => restsOf(pattern, to)).map(({ rest }) => rest))
  const missing = new Set(wanted.map(({ rest }) => rest).filter((rest) => !there.has(rest)))
  return [...missing].map((rest) => (rest === '' ? to : `${to === '/' ? '' : to}/${rest}`))
}

/** What a pattern says of things below a path that its beginning matches; '' where it ends with the path itself. */
interface Rest {
  readonly rest: string
  /** Whether the last name of the path stands in the pattern. */
  readonly isNamed: boolean
}

function isNaming({ rest, isNamed }: Rest): boolean {
  return isNamed || /[^*/]/.test(rest)
}

/** @returns none where the pattern does not match, or matches a folder above the path */
function restsOf(pattern: string, path: string): Rest[] {
  let rests: Rest[] = [{ rest: segmentsOf(foldName(pattern)).join('/'), isNamed: false }]
  for (const name of segmentsOf(foldName(path))) {
    const next = rests.flatMap(({ rest }) => step(segmentsOf(rest), name))
    // However many wildcards there are, each rest is looked at once.
    rests = [...new Map(next.map((each) => [`${each.rest}:${each.isNamed}`, each])).values()]
  }
  return rests
}

/** What may be left of a pattern, by its folded segments, after one name. */
function step([segment, ...after]: readonly string[], name: string): Rest[] {
  if (segment === undefined) return []
  if (segment === '**') {
    const stays = { rest: ['**', ...after].join('/'), isNamed: false }
    // A gap between names may be none.
    return after.length > 0 ? [stays, ...step(after, name)] : [stays]
  }
  const [, head, tail] = /^(.*?)\*\*+(.*)$/u.exec(segment) ?? []
  if (head === undefined || tail === undefined) {
    return matchesSegment(segment, name) ? [{ rest: after.join('/'), isNamed: !segment.includes('*') }] : []
  }
  // `a**b` is `a*b`, or begins with a name `a*` and ends, any number of folders below, with `*b`.
  const across = matchesSegment(`${head}*`, name)
    ? [{ rest: ['**', `*${tail}`, ...after].join('/'), isNamed: false }]
    : []
  return [...step([`${head}*${tail}`, ...after], name), ...across]
}

function isUsable(pattern: string): boolean {
  return patternFault(pattern) === undefined
}

/** A pattern that became too long keeps its last names, and holds wherever they stand. */
function shortened(pattern: string): string {
  if (isUsable(pattern)) return pattern
  const names = segmentsOf(pattern)
  while (names.length > 1 && !isUsable(names.join('/'))) names.shift()
  return names.join('/')
}
