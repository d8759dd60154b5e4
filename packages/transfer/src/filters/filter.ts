import { RE2JS } from 're2js'
import { TransferError } from '../errors/transfer-error.ts'

/** Longest pattern a user may write. */
const MAX_PATTERN = 1024

export interface FilterRules {
  /** Globs; a file must match one when there are any. */
  readonly include?: readonly string[]
  /** Globs; a file that matches one is left out, whatever `include` says. */
  readonly exclude?: readonly string[]
  /** Bytes, both ends included. */
  readonly minSize?: number
  readonly maxSize?: number
}

export interface Filter {
  /** @param path relative, parts joined by '/' */
  accepts(path: string, size: number): boolean
  /** False when nothing below the folder can be accepted. */
  enters(folder: string): boolean
}

/**
 * Globs: `*` any text within a name, `**` any folders, `?` one character, `[a-z]` one of, `{a,b}` either.
 * A glob without '/' matches the name in any folder; case counts.
 * @throws TransferError FILTER_INVALID naming the pattern
 */
export function createFilter(rules: FilterRules): Filter {
  const include = (rules.include ?? []).map(compileGlob)
  const exclude = (rules.exclude ?? []).map(compileGlob)
  const min = rules.minSize ?? 0
  const max = rules.maxSize ?? Infinity
  const matchesAny = (globs: readonly RE2JS[], path: string): boolean => globs.some((glob) => glob.matches(path))
  return {
    accepts: (path, size) =>
      size >= min && size <= max && !matchesAny(exclude, path) && (include.length === 0 || matchesAny(include, path)),
    enters: (folder) => !matchesAny(exclude, folder),
  }
}

/** RE2 runs in time linear to the text, so no pattern can block the program. */
function compileGlob(glob: string): RE2JS {
  if (glob === '' || glob.length > MAX_PATTERN || !glob.isWellFormed())
    throw new TransferError('FILTER_INVALID', { pattern: glob.slice(0, 60) })
  const anywhere = glob.includes('/') ? '' : '(?:.*/)?'
  try {
    return RE2JS.compile(`^${anywhere}${translate(glob.startsWith('/') ? glob.slice(1) : glob)}$`)
  } catch (cause) {
    throw new TransferError('FILTER_INVALID', { pattern: glob.slice(0, 60) }, { cause })
  }
}

function translate(glob: string): string {
  let pattern = ''
  let depth = 0
  for (let at = 0; at < glob.length; at++) {
    const rest = glob.slice(at)
    if (rest.startsWith('**/')) {
      pattern += '(?:.*/)?'
      at += 2
    } else if (rest.startsWith('**')) {
      pattern += '.*'
      at += 1
    } else if (rest.startsWith('*')) pattern += '[^/]*'
    else if (rest.startsWith('?')) pattern += '[^/]'
    else if (rest.startsWith('[') && rest.indexOf(']') > 1) {
      const end = at + rest.indexOf(']')
      pattern += classOf(glob.slice(at + 1, end))
      at = end
    } else if (rest.startsWith('{') && rest.includes('}')) {
      pattern += '(?:'
      depth++
    } else if (depth > 0 && rest.startsWith(',')) pattern += '|'
    else if (depth > 0 && rest.startsWith('}')) {
      pattern += ')'
      depth--
    } else pattern += RE2JS.quote(String.fromCodePoint(glob.codePointAt(at) ?? 0))
    if ((glob.codePointAt(at) ?? 0) > 0xffff) at++
  }
  return pattern
}

function classOf(members: string): string {
  const negated = members.startsWith('!') || members.startsWith('^')
  const body = (negated ? members.slice(1) : members).replaceAll('\\', '\\\\').replaceAll('[', '\\[')
  return `[${negated ? '^/' : ''}${body}]`
}
