import { numbered } from '../../content/files/index.ts'
import type { Link, LinkTargetRow } from './links.schema.ts'
import { SHARE_SOURCE_TYPE } from '@godwit/contract'

/** What a link shares now, as its owner sees it. */
export interface Shared {
  /** The shared folder, whose content guests see at `/`; undefined for chosen entries, and when it is lost. */
  readonly root: string | undefined
  /** Chosen entries that are there: their paths, by the names that guests see at `/`. */
  readonly entries: ReadonlyMap<string, string>
}

/** What is shared, without what is lost. */
export function sharedIn({ src_type: type, targets }: Pick<Link, 'src_type' | 'targets'>): Shared {
  const there = targets.filter(({ is_lost: isLost }) => isLost === 0)
  if (type === SHARE_SOURCE_TYPE.folder) return { root: there[0]?.path, entries: new Map() }
  const entries = new Map<string, string>()
  for (const target of there) entries.set(freeName(shownName(target), entries), target.path)
  return { root: undefined, entries }
}

/** The name that guests see of a chosen entry. */
export function shownName({ path, alias }: Pick<LinkTargetRow, 'path' | 'alias'>): string {
  return alias === '' ? nameIn(path) : alias
}

/** Entries of one name can meet when they were moved or renamed since. */
function freeName(name: string, taken: ReadonlyMap<string, string>): string {
  let free = name
  for (let number = 1; taken.has(free); number++) free = numbered(name, number)
  return free
}

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function folderIn(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

/** Where to ask for what a link gives: the shared folder, or one that a chosen entry is in; undefined when all is lost. */
export function wayInto({ root, entries }: Shared): string | undefined {
  const [first] = entries.values()
  return root ?? (first && folderIn(first))
}

/**
 * A guest's path as the owner sees the same entry. What it leads to is decided where paths are resolved; a `..` is refused
 * there as everywhere.
 */
export function toOwnerPath(shared: Shared, path: string): string {
  const [first, ...rest] = path.split('/').filter((name) => name !== '')
  const way = wayInto(shared) ?? '/'
  const base = way === '/' ? '' : way
  if (first === undefined) return way
  if (shared.root !== undefined) return [base, first, ...rest].join('/')
  const wanted = first.normalize('NFC')
  const [, real = `${base}/${first}`] = [...shared.entries].find(([shown]) => shown.normalize('NFC') === wanted) ?? []
  return [real, ...rest].join('/')
}

/** @returns what tells paths of the owner as guests see them; '/' for what is not shared, so that nothing of the owner's tree shows */
export function guestPaths({ root, entries }: Shared): (path: string) => string {
  if (root !== undefined) {
    const base = root === '/' ? '' : root
    return (path) => (path.startsWith(`${base}/`) ? path.slice(base.length) : '/')
  }
  const shownAt = new Map([...entries].map(([shown, path]) => [path, shown]))
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const shown = shownAt.get(path.slice(0, end))
      if (shown !== undefined) return `/${shown}${path.slice(end)}`
    }
    return '/'
  }
}
