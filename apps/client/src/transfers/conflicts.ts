import { lstat, readdir } from 'node:fs/promises'
import { basename, dirname, join, posix } from 'node:path'
import type { LocalChoice } from '@godwit/contract'
import type { FileFailure, SafePath, Source, Target } from '@godwit/transfer'
import { eachItem } from '../server-link/each-item.ts'
import type { Api, PlaceIds } from '../server-link/api.ts'

/** What was decided about a file that was at the target already; done: it has been replaced. */
export interface Decision {
  readonly choice: LocalChoice | 'done'
  /** The free name beside it, for one that is kept as well. */
  readonly renamed: string
}

/** By the path in the transfer. */
export type Decisions = ReadonlyMap<string, Decision>

export interface ConflictSide {
  readonly size: number
  /** Unix milliseconds; 0 when nobody knows. */
  readonly mtimeMs: number
}

/** A file that is at the target already, and is not the same. */
export interface FoundConflict {
  readonly path: string
  readonly existing: ConflictSide
  readonly incoming: ConflictSide
  /** A path beside it that nothing has. */
  readonly renamed: string
}

/** Paths and new names of what is kept beside what is there. */
export function renamedIn(decisions: Decisions): ReadonlyMap<string, string> {
  const kept = [...decisions].filter(([, { choice }]) => choice === 'keep-both')
  return new Map(kept.map(([path, { renamed }]) => [path, renamed]))
}

export function isReplaced(decisions: Decisions, path: string): boolean {
  return decisions.get(path)?.choice === 'replace'
}

/** Files that replace others. */
export function replacingSource(source: Source, decisions: Decisions): Source {
  return filtered(source, (path) => (isReplaced(decisions, path) ? path : undefined))
}

/** Everything that replaces nothing: what is kept beside another file has its new name, what is skipped is left out. */
export function addingSource(source: Source, decisions: Decisions): Source {
  return filtered(source, (path) => {
    const decision = decisions.get(path)
    if (decision === undefined) return path
    return decision.choice === 'keep-both' ? decision.renamed : undefined
  })
}

function filtered(source: Source, nameOf: (path: string) => string | undefined): Source {
  return {
    async *list(onSkipped: (skipped: FileFailure) => void) {
      for await (const item of source.list(onSkipped)) {
        const path = nameOf(item.entry.path)
        // A new name is the old one with a number, so that it is as safe.
        if (path !== undefined) yield { ...item, entry: { ...item.entry, path: path as SafePath } }
      }
    },
    read: (request) => source.read(request),
    close: () => source.close(),
  }
}

/** Writes what is kept beside another file under its new name; the other side knows the old one alone. */
export function renamingTarget(target: Target, renamed: ReadonlyMap<string, string>): Target {
  if (renamed.size === 0) return target
  const original = new Map([...renamed].map(([path, name]) => [name, path]))
  const at = <T extends { readonly path: string }>(one: T): T => ({ ...one, path: renamed.get(one.path) ?? one.path })
  return {
    keeps: target.keeps,
    look: (paths) => target.look(paths.map((path) => renamed.get(path) ?? path)),
    matches: (spans, hash) => target.matches(spans.map(at), hash),
    freeBytes: () => target.freeBytes(),
    async open(task) {
      const state = await target.open(task)
      return { ...state, files: state.files.map((file) => ({ ...file, path: original.get(file.path) ?? file.path })) }
    },
    write: ({ block, spans }) => target.write({ block, spans: spans.map(at) }),
    adopt: (span) => target.adopt(at(span)),
    makeEmpty: (entries) => target.makeEmpty(entries.map(at)),
    commit: () => target.commit(),
    setAttributes: (entries) => target.setAttributes(entries.map(at)),
    close: (reason) => target.close(reason),
  }
}

/** Where the two sides of a path in a transfer are. */
export interface ConflictPlaces {
  readonly direction: 'upload' | 'download'
  /** Absolute path of this computer. */
  readonly localOf: (path: string) => string
  /** Folder of the server. @param folder of the transfer, '' for its top */
  readonly serverOf: (folder: string) => string
}

/** @param paths of this computer; the transfer has them by their last names */
export function uploadPlaces(paths: readonly string[], target: string): ConflictPlaces {
  return {
    direction: 'upload',
    localOf(path) {
      const [first = '', ...rest] = path.split('/')
      const root = paths.find((candidate) => basename(candidate).normalize('NFC') === first)
      return join(root ?? first, ...rest)
    },
    serverOf: (folder) => posix.join('/', target, folder),
  }
}

/** @param paths of the server; the transfer has them by their last names */
export function downloadPlaces(paths: readonly string[], target: string): ConflictPlaces {
  return {
    direction: 'download',
    localOf: (path) => join(target, ...path.split('/')),
    serverOf(folder) {
      const [first = '', ...rest] = folder === '' ? [] : folder.split('/')
      // Files at the top come from the folders of their paths, which are all the same one.
      if (first === '') return posix.dirname(posix.join('/', paths[0] ?? ''))
      const root = paths.find((candidate) => posix.basename(candidate) === first)
      return posix.join('/', root ?? first, ...rest)
    },
  }
}

/** Both sides of files that are at the target already, and a free name for each. @throws ApiError */
export async function describeConflicts(
  api: Pick<Api, 'list'>,
  place: PlaceIds,
  { paths, places }: { readonly paths: readonly string[]; readonly places: ConflictPlaces },
): Promise<readonly FoundConflict[]> {
  const found: FoundConflict[] = []
  for (const [folder, names] of Map.groupBy(paths, folderOf)) {
    const sizes = new Map<string, ConflictSide>()
    const wanted = new Set(names)
    const taken = new Set<string>()
    for await (const { name, size, time } of eachItem(api, place, places.serverOf(folder))) {
      taken.add(keyOf(name))
      const path = below(folder, name)
      if (wanted.has(path)) sizes.set(path, { size, mtimeMs: time * 1000 })
    }
    const [some = ''] = names
    for (const name of await readdir(dirname(places.localOf(some))).catch(() => [])) taken.add(keyOf(name))
    for (const path of names) {
      const here = await localSide(places.localOf(path))
      const there = sizes.get(path) ?? UNKNOWN
      const [incoming, existing] = places.direction === 'upload' ? [here, there] : [there, here]
      found.push({ path, incoming, existing, renamed: below(folder, freeName(posix.basename(path), taken)) })
    }
  }
  return found
}

const UNKNOWN: ConflictSide = { size: 0, mtimeMs: 0 }

async function localSide(path: string): Promise<ConflictSide> {
  const found = await lstat(path).catch(() => undefined)
  return found === undefined ? UNKNOWN : { size: found.size, mtimeMs: Math.floor(found.mtimeMs) }
}

/** `report (1).pdf` beside `report.pdf`, as the server names what it keeps. @param taken takes the name */
export function freeName(name: string, taken: Set<string>): string {
  const { name: stem, ext } = posix.parse(name)
  for (let number = 1; ; number++) {
    const free = `${stem} (${number})${ext}`
    if (taken.has(keyOf(free))) continue
    taken.add(keyOf(free))
    return free
  }
}

/** Names that differ in case alone are the same on some systems. */
function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** '' for a file at the top. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? '' : path.slice(0, end)
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
