import { hasPermission, PERMISSION, type Permission } from '@godwit/contract'
import { flagOf, needSpec, type Need } from './needs.ts'
import { endingsOf, type RateBucket, type Rules } from './rules.ts'

/** To whom flags were given. */
export interface Subject {
  readonly kind: 'user' | 'group' | 'role' | 'link' | 'reviewer'
  readonly id: string
}

/** Flags given to a subject for everything from a path of the place on. */
export interface Grant {
  readonly subject: Subject
  /** Canonical path inside the place. */
  readonly prefix: string
  /** Permission bits, stored form. */
  readonly flags: number
  /** Previews without the Download flag: a reviewer's grant, or a link whose owner may download. */
  readonly mayView?: boolean
}

/** All that one principal has in one place. */
export interface Grants {
  /** The grant with the longest prefix counts; several of the same prefix add up. */
  readonly given: readonly Grant[]
  /** Nothing beyond any of these sets: a mount's flags, an API token's, what a link's owner may do now. */
  readonly caps: readonly number[]
  /** Every level narrows. */
  readonly rules: readonly Rules[]
  readonly isAdministrator: boolean
  /** What stored bytes are booked to: the buckets of account, space, group or mount. */
  readonly quotaBuckets: readonly string[]
}

/** `way` is a folder that is shown only because something allowed lies below it: its name, and nothing else of it. */
export type Visibility = 'full' | 'way' | 'hidden'

export type Decision =
  | { readonly answer: 'allowed' }
  /** Visible, or not to be told apart from what is missing: the flag is all that is said. */
  | { readonly answer: 'denied'; readonly permission: Permission }
  /** Does not exist for this principal. */
  | { readonly answer: 'hidden' }
  /** A file of this name may not come to be here. */
  | { readonly answer: 'type-not-allowed' }

/** As what a path is asked for. */
export type Role =
  /** The entry that is read or changed. */
  | 'entry'
  /** The folder that something is to be made in. */
  | 'folder'
  /** The name of a new folder. */
  | 'new-folder'
  /** The name of a new file. */
  | 'new-file'

const ALLOWED: Decision = { answer: 'allowed' }
const HIDDEN: Decision = { answer: 'hidden' }

/**
 * Whether a principal may do something at a path. Flags come first: without the flag a hidden name and a missing one get the
 * same answer; with it both are missing.
 */
export function decide(
  grants: Grants,
  need: Need,
  { path, role }: { readonly path: string; readonly role: Role },
): Decision {
  const { effect } = needSpec(need)
  const missing = missingFlag(grants, need, path)
  if (missing !== undefined) return denied(missing)
  if (effect === 'changes' && grants.rules.some(({ uploadNewOnly }) => uploadNewOnly)) return denied(flagOf(need))
  const seen = visibility(grants, path)
  if (role === 'new-file' || role === 'new-folder') {
    // Refused by pattern alone, in the same words whether anything has this name or not.
    if (seen !== 'full') return denied(flagOf(need))
    // A move within the place brings no name that was not there.
    const isAnyType = role === 'new-folder' || need === 'moveHere'
    return isAnyType || allowsType(grants, path) ? ALLOWED : { answer: 'type-not-allowed' }
  }
  if (seen === 'hidden') return HIDDEN
  // The root stands for the place: nothing moves or deletes it.
  const isWayChange = seen === 'way' && role === 'entry' && effect === 'changes' && path !== '/'
  return isWayChange ? denied(flagOf(need)) : ALLOWED
}

function denied(permission: Permission): Decision {
  return { answer: 'denied', permission }
}

/** The first flag of a need that is not granted at a path. A place in which nothing is granted denies everything. */
function missingFlag(grants: Grants, need: Need, path: string): Permission | undefined {
  const { flags, administrator } = needSpec(need)
  if (administrator === true && !grants.isAdministrator) return flagOf(need)
  const grant = grantAt(grants, path)
  if (need === 'view' && grant.mayView) return undefined
  if (flags.length === 0 && grant.flags === 0 && !grants.isAdministrator) return flagOf(need)
  return flags.find((flag) => !hasPermission(grant.flags, flag))
}

/** Flags at a path, within every cap. */
export function flagsAt(grants: Grants, path: string): number {
  return grantAt(grants, path).flags
}

/** What is granted at a path, within every cap. */
function grantAt({ given, caps }: Grants, path: string): { readonly flags: number; readonly mayView: boolean } {
  const covering = given.filter(({ prefix }) => isAtOrBelow(path, prefix))
  const longest = Math.max(...covering.map(({ prefix }) => prefix.length))
  // Above every prefix there is only the way: what is granted below it may be asked for here.
  const counting = covering.length === 0 ? given : covering.filter(({ prefix }) => prefix.length === longest)
  const flags = counting.reduce((set, grant) => set | grant.flags, 0)
  return {
    flags: caps.reduce((set, cap) => set & cap, flags),
    mayView: counting.some(({ mayView }) => mayView === true),
  }
}

/** What a principal sees of a path. */
export function visibility({ given, rules }: Pick<Grants, 'given' | 'rules'>, path: string): Visibility {
  if (!path.isWellFormed()) return 'hidden'
  const isGranted = given.some(({ prefix }) => isAtOrBelow(path, prefix))
  let isWay = !isGranted
  if (!isGranted && !given.some(({ prefix }) => isAtOrBelow(prefix, path))) return 'hidden'
  for (const { forbidden, allowed } of rules) {
    if (forbidden.covers(path)) return 'hidden'
    if (allowed.isEmpty || allowed.covers(path)) continue
    if (!allowed.hasUnanchored && !allowed.reachesAnchored(path)) return 'hidden'
    isWay = true
  }
  return isWay ? 'way' : 'full'
}

/** Whether anything below a visible folder may be hidden, so that it must be looked at entry by entry. */
export function mayHideBelow({ given, rules }: Pick<Grants, 'given' | 'rules'>, path: string): boolean {
  if (visibility({ given, rules }, path) !== 'full') return true
  return rules.some(({ forbidden }) => forbidden.hasUnanchored || forbidden.reachesAnchored(path))
}

/** Whether something below a visible folder is hidden: by pattern alone, or only to be found out by looking. */
export function hidesBelow({ given, rules }: Pick<Grants, 'given' | 'rules'>, path: string): 'yes' | 'no' | 'look' {
  if (rules.some(({ forbidden }) => forbidden.reachesAnchored(path))) return 'yes'
  return mayHideBelow({ given, rules }, path) ? 'look' : 'no'
}

/** Whether files of some names may not come to be. */
export function restrictsTypes({ rules }: Pick<Grants, 'rules'>): boolean {
  return rules.some(({ deniedTypes, allowedTypes }) => deniedTypes.size > 0 || allowedTypes !== undefined)
}

/** Whether files of this name may come to be. Deny lists unite, allow lists intersect. */
function allowsType(grants: Pick<Grants, 'rules'>, path: string): boolean {
  if (!restrictsTypes(grants)) return true
  const endings = endingsOf(path.slice(path.lastIndexOf('/') + 1))
  return grants.rules.every(
    ({ deniedTypes, allowedTypes }) =>
      !endings.some((ending) => deniedTypes.has(ending)) &&
      (allowedTypes === undefined || endings.some((ending) => allowedTypes.has(ending))),
  )
}

/** Every limit that bytes of this principal count against; 0 is no limit and is left out. */
export function ratesOf({ rules }: Pick<Grants, 'rules'>, direction: 'upload' | 'download'): readonly RateBucket[] {
  const all = rules.flatMap((level) => (direction === 'upload' ? level.uploadRates : level.downloadRates))
  return all.filter(({ bytesPerSecond }) => bytesPerSecond > 0)
}

function isAtOrBelow(path: string, folder: string): boolean {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`)
}

/** Every flag there is, for a cap that takes nothing away. */
export const NO_CAP = Object.values(PERMISSION).reduce((sum, flag) => sum | flag, 0)
