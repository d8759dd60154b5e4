import { PERMISSION, type Permission } from '@godwit/contract'
import type { Decision, Role, Visibility } from '../grants.policy.ts'
import type { Need } from '../needs.ts'
import type { RuleTexts } from '../rules.ts'

/**
 * The rules of access once more, written from their text without looking at the policy: slow, by recursion over characters,
 * with a folding that knows only the letters its tests use.
 */
export interface NaiveWorld {
  readonly given: ReadonlyArray<{ readonly prefix: string; readonly flags: number; readonly mayView: boolean }>
  readonly caps: readonly number[]
  readonly levels: ReadonlyArray<Required<Omit<RuleTexts, 'level' | 'uploadRates' | 'downloadRates'>>>
  readonly isAdministrator: boolean
}

/** The table "Needs" of the rules of access, row by row. */
export const NEED_FLAGS: Readonly<Record<Need, readonly Permission[]>> = {
  list: ['list'],
  view: ['download'],
  download: ['download'],
  downloadFolder: ['download', 'list'],
  uploadFile: ['upload'],
  uploadFolder: ['upload', 'mkdir'],
  makeFolder: ['mkdir'],
  replace: ['upload', 'delete'],
  rename: ['rename'],
  move: ['move'],
  moveAs: ['move', 'rename'],
  moveHere: ['move'],
  moveHereAs: ['move'],
  moveOut: ['move', 'download', 'delete'],
  copy: ['copy'],
  copyFolder: ['copy', 'mkdir', 'list'],
  copyHere: ['copy'],
  copyFolderHere: ['copy', 'mkdir'],
  copyOut: ['copy', 'download'],
  copyOutFolder: ['copy', 'download', 'list'],
  bringFile: ['upload'],
  bringFolder: ['mkdir'],
  delete: ['delete'],
  restore: ['upload'],
  restoreFolder: ['mkdir'],
  purge: ['delete'],
  listVersions: ['list', 'download'],
  restoreVersion: ['upload', 'delete'],
  removeVersion: [],
  share: ['share', 'download'],
  shareFolder: ['share', 'download', 'list'],
  invite: ['invite', 'upload'],
  deliver: ['download'],
  deliverFolder: ['download', 'list'],
  hotFolderUp: ['hotFolder', 'upload'],
  hotFolderDown: ['hotFolder', 'download'],
  pack: ['download', 'list'],
  unpack: ['download'],
  packHere: ['upload'],
  unpackHere: ['upload', 'mkdir'],
}
function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ß', 'ss')
}

/** Whether `pattern` from `at` matches `text` from `from` to its end, or to a slash; or, when `open`, begins with it. */
function matches(pattern: string, text: string, open: boolean): boolean {
  if (open && text === '') return true
  if (pattern === '') return text === '' || (!open && text.startsWith('/'))
  if (pattern.startsWith('/**/')) {
    const rest = pattern.slice(3)
    if (matches(rest, text, open)) return true
    if (!text.startsWith('/')) return false
    for (let cut = 1; cut <= text.length; cut++) if (matches(rest, text.slice(cut), open)) return true
    return false
  }
  if (pattern.startsWith('*')) {
    const crosses = pattern.startsWith('**')
    const rest = pattern.replace(/^\*+/, '')
    for (let cut = 0; cut <= text.length; cut++) {
      if (!crosses && text.slice(0, cut).includes('/')) return false
      if (matches(rest, text.slice(cut), open)) return true
    }
    return false
  }
  return text !== '' && pattern.charAt(0) === text.charAt(0) && matches(pattern.slice(1), text.slice(1), open)
}

function anchored(pattern: string): string {
  const body = fold(pattern)
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')
  return pattern.startsWith('/') ? `/${body}` : `/**/${body}`
}

function covers(patterns: readonly string[], path: string): boolean {
  const text = path === '/' ? '' : fold(path)
  return patterns.some((pattern) => matches(anchored(pattern), text, false))
}

function reaches(patterns: readonly string[], path: string): boolean {
  const text = path === '/' ? '/' : `${fold(path)}/`
  return patterns.some((pattern) => matches(anchored(pattern), text, true))
}

function isInside(path: string, folder: string): boolean {
  return `${path}/`.replace('//', '/').startsWith(`${folder}/`.replace('//', '/'))
}

export function naiveVisibility({ given, levels }: NaiveWorld, path: string): Visibility {
  if (levels.some(({ forbiddenPaths }) => covers(forbiddenPaths, path))) return 'hidden'
  const granted: Visibility = given.some(({ prefix }) => isInside(path, prefix))
    ? 'full'
    : given.some(({ prefix }) => isInside(prefix, path))
      ? 'way'
      : 'hidden'
  const all = levels.map(({ allowedPaths }): Visibility => {
    if (allowedPaths.length === 0 || covers(allowedPaths, path)) return 'full'
    return reaches(allowedPaths, path) ? 'way' : 'hidden'
  })
  const every = [granted, ...all]
  if (every.includes('hidden')) return 'hidden'
  return every.includes('way') ? 'way' : 'full'
}

function grantedFlags({ given, caps }: NaiveWorld, path: string): { flags: number; mayView: boolean } {
  let best = given.filter(({ prefix }) => isInside(path, prefix))
  for (const one of best) best = best.filter(({ prefix }) => isInside(prefix, one.prefix))
  const counting = best.length > 0 ? best : given
  let flags = 0
  for (const grant of counting) flags |= grant.flags
  for (const cap of caps) flags &= cap
  return { flags, mayView: counting.some((grant) => grant.mayView) }
}

const CHANGES: readonly Need[] = [
  ...([
    'replace',
    'rename',
    'move',
    'moveAs',
    'moveOut',
    'delete',
    'purge',
    'restoreVersion',
    'removeVersion',
  ] as const),
]

function typeIsAllowed({ levels }: NaiveWorld, path: string): boolean {
  const [, ...parts] = fold(path.split('/').at(-1) ?? '').split('.')
  const endings = parts.length === 0 ? [''] : parts.map((_part, at) => parts.slice(at).join('.'))
  const isIn = (list: readonly string[]): boolean => list.some((ending) => endings.includes(fold(ending)))
  if (levels.some(({ deniedTypes }) => isIn(deniedTypes))) return false
  return levels.every(({ allowedTypes }) => allowedTypes.length === 0 || isIn(allowedTypes))
}

export function naiveDecision(
  world: NaiveWorld,
  wanted: readonly Permission[],
  { need, path, role }: { readonly need: Need; readonly path: string; readonly role: Role },
): Decision {
  const { flags, mayView } = grantedFlags(world, path)
  const no: Decision = { answer: 'denied', permission: wanted[0] ?? 'delete' }
  if (need === 'removeVersion' && !world.isAdministrator) return no
  const missing = wanted.find((flag) => (flags & PERMISSION[flag]) === 0)
  if (missing !== undefined && !(need === 'view' && mayView)) return { answer: 'denied', permission: missing }
  const isChange = CHANGES.includes(need)
  if (isChange && world.levels.some(({ uploadNewOnly }) => uploadNewOnly)) return no
  const seen = naiveVisibility(world, path)
  switch (role) {
    case 'folder':
      return seen === 'hidden' ? { answer: 'hidden' } : { answer: 'allowed' }
    case 'entry':
      if (seen === 'hidden') return { answer: 'hidden' }
      return seen === 'way' && isChange && path !== '/' ? no : { answer: 'allowed' }
    case 'new-folder':
      return seen === 'full' ? { answer: 'allowed' } : no
    case 'new-file':
      if (seen !== 'full') return no
      return need === 'moveHere' || typeIsAllowed(world, path) ? { answer: 'allowed' } : { answer: 'type-not-allowed' }
  }
}
