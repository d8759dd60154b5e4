import { hasPermission, PERMISSION, type Permission } from '@godwit/contract'
import { flagOf, needSpec, type Need } from './needs.ts'
import { coveringPattern } from './patterns.ts'
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

/** What decided. */
export type Reason =
  /** Every flag is there, and no rule is against it. */
  | { readonly kind: 'granted' }
  /** A flag that was not given, or that a cap takes away. */
  | { readonly kind: 'flag' | 'cap'; readonly permission: Permission }
  /** Only the administrator of the place may. */
  | { readonly kind: 'administrator' }
  /** `pattern`: the first that covers the path. */
  | { readonly kind: 'forbidden'; readonly rules: Rules; readonly pattern: string | undefined }
  /** Nothing was given for this path. */
  | { readonly kind: 'outside' }
  | {
      readonly kind: 'new-only' | 'not-among-allowed' | 'way-to-allowed' | 'type'
      readonly rules: Rules
    }

/** A decision with what decided. */
export interface Verdict {
  readonly decision: Decision
  /** Worked out when it is asked for: a refusal must not take longer for what is there. */
  readonly why: () => Reason
}

const ALLOWED: Verdict = { decision: { answer: 'allowed' }, why: () => ({ kind: 'granted' }) }

/**
 * Whether a principal may do something at a path. Flags come first: without the flag a hidden name and a missing one get the
 * same answer; with it both are missing.
 */
export function decide(grants: Grants, need: Need, at: Asked): Decision {
  return judge(grants, need, at).decision
}

export interface Asked {
  readonly path: string
  readonly role: Role
}

/** {@link decide}, and why. */
export function judge(grants: Grants, need: Need, { path, role }: Asked): Verdict {
  const { effect } = needSpec(need)
  const missing = missingFlag(grants, need, path)
  if (missing !== undefined) return missing
  const newOnly = effect === 'changes' ? grants.rules.find(({ uploadNewOnly }) => uploadNewOnly) : undefined
  if (newOnly !== undefined) return denied(flagOf(need), () => ({ kind: 'new-only', rules: newOnly }))
  const seen = visibility(grants, path)
  if (role === 'new-file' || role === 'new-folder') {
    // Refused by pattern alone, in the same words whether anything has this name or not.
    if (seen !== 'full') return denied(flagOf(need), () => whyNotFull(grants, path))
    // A move within the place under its own name brings no type that was not there.
    const isAnyType = role === 'new-folder' || need === 'moveHere'
    const refusing = isAnyType ? undefined : refusingType(grants, path)
    if (refusing === undefined) return ALLOWED
    return { decision: { answer: 'type-not-allowed' }, why: () => ({ kind: 'type', rules: refusing }) }
  }
  if (seen === 'hidden') return { decision: { answer: 'hidden' }, why: () => whyNotFull(grants, path) }
  // The root stands for the place: nothing moves or deletes it.
  const isWayChange = seen === 'way' && role === 'entry' && effect === 'changes' && path !== '/'
  return isWayChange ? denied(flagOf(need), () => whyNotFull(grants, path)) : ALLOWED
}

function denied(permission: Permission, why: () => Reason): Verdict {
  return { decision: { answer: 'denied', permission }, why }
}

/** About the first flag of a need that is not granted at a path. A place in which nothing is granted denies everything. */
function missingFlag(grants: Grants, need: Need, path: string): Verdict | undefined {
  const { flags, administrator } = needSpec(need)
  if (administrator === true && !grants.isAdministrator) return denied(flagOf(need), () => ({ kind: 'administrator' }))
  const { given, flags: granted, mayView } = grantAt(grants, path)
  if (need === 'view' && mayView) return undefined
  const missing =
    flags.length === 0 && granted === 0 && !grants.isAdministrator
      ? flagOf(need)
      : flags.find((flag) => !hasPermission(granted, flag))
  if (missing === undefined) return undefined
  const kind = hasPermission(given, missing) ? 'cap' : 'flag'
  return denied(missing, () => ({ kind, permission: missing }))
}

/** Flags at a path, within every cap. */
export function flagsAt(grants: Grants, path: string): number {
  return grantAt(grants, path).flags
}

interface GrantedAt {
  /** Before any cap. */
  readonly given: number
  readonly flags: number
  readonly mayView: boolean
}

/** What is granted at a path, within every cap. */
function grantAt({ given, caps }: Grants, path: string): GrantedAt {
  const covering = given.filter(({ prefix }) => isAtOrBelow(path, prefix))
  const longest = Math.max(...covering.map(({ prefix }) => prefix.length))
  // Above every prefix there is only the way: what is granted below it may be asked for here.
  const counting = covering.length === 0 ? given : covering.filter(({ prefix }) => prefix.length === longest)
  const flags = counting.reduce((set, grant) => set | grant.flags, 0)
  return {
    given: flags,
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

/** What keeps a path from being seen in full. */
function whyNotFull({ given, rules }: Pick<Grants, 'given' | 'rules'>, path: string): Reason {
  const forbidding = rules.find(({ forbidden }) => forbidden.covers(path))
  if (forbidding !== undefined) {
    const pattern = coveringPattern(forbidding.forbidden, path)
    return { kind: 'forbidden', rules: forbidding, pattern }
  }
  const limiting = rules.filter(({ allowed }) => !allowed.isEmpty && !allowed.covers(path))
  const isWay = ({ allowed }: Rules): boolean => allowed.hasUnanchored || allowed.reachesAnchored(path)
  const closed = limiting.find((level) => !isWay(level))
  if (closed !== undefined) return { kind: 'not-among-allowed', rules: closed }
  const [open] = limiting
  const isGranted = given.some(({ prefix }) => isAtOrBelow(path, prefix))
  return isGranted && open !== undefined ? { kind: 'way-to-allowed', rules: open } : { kind: 'outside' }
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

/** The level that takes no files of this name. Deny lists unite, allow lists intersect. */
function refusingType(grants: Pick<Grants, 'rules'>, path: string): Rules | undefined {
  if (!restrictsTypes(grants)) return undefined
  const endings = endingsOf(path.slice(path.lastIndexOf('/') + 1))
  return grants.rules.find(
    ({ deniedTypes, allowedTypes }) =>
      endings.some((ending) => deniedTypes.has(ending)) ||
      (allowedTypes !== undefined && !endings.some((ending) => allowedTypes.has(ending))),
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
