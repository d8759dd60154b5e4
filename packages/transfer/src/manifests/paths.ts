import { type PathKind, PathKinds } from './path-kinds.ts'

/** Longest path a manifest may name, in UTF-8 bytes. Linux refuses longer ones (PATH_MAX). */
export const MAX_PATH_BYTES = 4096
/** Longest name of one file or folder, in UTF-8 bytes (NAME_MAX of ext4, xfs, btrfs, APFS, NTFS in the worst case). */
export const MAX_NAME_BYTES = 255
/** Deepest nesting. A thousand empty folders cost a peer nothing and this side a recursion. */
export const MAX_DEPTH = 200

/** Names this program keeps for itself beside the target files. */
export const PART_SUFFIX = '.gwpart'
export const JOURNAL_SUFFIX = '.gwjournal'

export type PathFault =
  | 'empty'
  | 'too-long'
  | 'too-deep'
  | 'lone-surrogate'
  | 'control-character'
  | 'absolute'
  | 'dot-segment'
  | 'empty-segment'
  | 'reserved-character'
  | 'device-name'
  | 'trailing-dot-or-space'
  | 'leading-space'
  | 'reserved-by-us'

export type CheckedPath =
  | { readonly ok: true; readonly path: SafePath }
  | { readonly ok: false; readonly fault: PathFault }

declare const safe: unique symbol
/** A relative path in NFC, parts joined by '/', that stays below any folder it is joined to on every system. */
export type SafePath = string & { readonly [safe]: true }

// ':' covers drive letters and NTFS alternate streams; '\\' is a separator on Windows.
const RESERVED = /[<>:"\\|?*]/
// Windows opens a device for these names with any extension and in any folder; superscript digits count too.
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[. ]|$)/i

/**
 * Decides whether a path chosen by the peer may be used here. Never repairs one: two names that are repaired to the
 * same name would overwrite each other.
 */
export function checkPath(text: string): CheckedPath {
  if (text.length === 0) return refuse('empty')
  if (!text.isWellFormed()) return refuse('lone-surrogate')
  const path = text.normalize('NFC')
  if (utf8Length(path) > MAX_PATH_BYTES || utf8Length(text) > MAX_PATH_BYTES) return refuse('too-long')
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return refuse('absolute')
  const names = path.split('/')
  if (names.length > MAX_DEPTH) return refuse('too-deep')
  for (const name of names) {
    const fault = checkName(name)
    if (fault !== undefined) return refuse(fault)
  }
  return { ok: true, path: path as SafePath }
}

function checkName(name: string): PathFault | undefined {
  if (name === '') return 'empty-segment'
  if (name === '.' || name === '..') return 'dot-segment'
  if (hasControlCharacter(name)) return 'control-character'
  if (RESERVED.test(name)) return 'reserved-character'
  if (name.endsWith('.') || name.endsWith(' ')) return 'trailing-dot-or-space'
  if (name.startsWith(' ')) return 'leading-space'
  if (DEVICE.test(name)) return 'device-name'
  if (utf8Length(name) > MAX_NAME_BYTES) return 'too-long'
  const folded = foldName(name)
  if (folded.endsWith(PART_SUFFIX) || folded.endsWith(JOURNAL_SUFFIX)) return 'reserved-by-us'
  return undefined
}

/** C0, DEL and C1; also U+2028 and U+2029, which forge lines in logs. */
function hasControlCharacter(name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    const unit = name.charCodeAt(at)
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f) || unit === 0x2028 || unit === 0x2029) return true
  }
  return false
}

function refuse(fault: PathFault): CheckedPath {
  return { ok: false, fault }
}

const encoder = new TextEncoder()

function utf8Length(text: string): number {
  // One UTF-16 unit is at most three bytes, so short ASCII-sized strings need no encoding.
  return text.length * 3 <= MAX_NAME_BYTES ? text.length : encoder.encode(text).length
}

const ASCII = /^[ -~]*$/

/** The form under which file systems that ignore case and composition find a name. Equal forms are one file there. */
export function foldName(path: string): string {
  if (ASCII.test(path)) return path.toLowerCase()
  // Upper then lower catches letters with two lower forms (final sigma); NFKC catches ligatures and the Kelvin sign.
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC')
}

/**
 * Remembers the paths of one transfer and finds those that another path of it would overwrite:
 * equal after folding, or a file where another path needs a folder.
 */
export class PathClashes {
  readonly #kinds = new PathKinds()
  /** Parents of the latest path, known to be folders: neighbours in a list mostly share theirs. */
  #lastParent = ''

  /** @returns the folded path it clashes with, or undefined when the path is taken in */
  add(path: SafePath, entryKind: PathKind | 'link'): string | undefined {
    // A link takes its name like a file does, and nothing may lie below it.
    const kind: PathKind = entryKind === 'directory' ? 'directory' : 'file'
    const folded = foldName(path)
    const known = this.#kinds.get(folded)
    if (known === 'file' || (known === 'directory' && kind === 'file')) return folded
    const blocked = this.#addParents(folded)
    if (blocked !== undefined) return blocked
    this.#kinds.set(folded, kind)
    return undefined
  }

  /** @returns the file that stands where a parent is needed */
  #addParents(path: string): string | undefined {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    if (parent === this.#lastParent) return undefined
    const parents = parentsOf(path)
    const blocked = parents.find((one) => this.#kinds.get(one) === 'file')
    if (blocked !== undefined) return blocked
    for (const one of parents) this.#kinds.set(one, 'directory')
    this.#lastParent = parent
    return undefined
  }
}

function parentsOf(path: string): string[] {
  const parents: string[] = []
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) parents.push(path.slice(0, at))
  return parents
}
