import { lstat, opendir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FileFailure, SourceItem } from '../engines/engine.types.ts'
import type { Filter } from '../filters/filter.ts'
import { checkPath, PathClashes } from '../manifests/paths.ts'

/** Files looked at together; each look is one system call in the thread pool. */
const STAT_GROUP = 64

export interface ScanOptions {
  /** Absolute paths of files and folders; a folder is sent with its own name. */
  readonly roots: readonly string[]
  readonly filter: Filter
  /** Told about what is left out: links, devices, names the receiver would refuse, unreadable folders. */
  onSkipped(skipped: FileFailure): void
}

/** Lists what to send, folders before what is in them. Nothing is held: a million files cost no more than a hundred. */
export async function* scan(options: ScanOptions): AsyncGenerator<SourceItem> {
  const clashes = new PathClashes()
  for (const root of options.roots) {
    const walk = walkOne({ ...options, clashes }, { path: root, name: basename(root) })
    yield* walk
  }
}

interface Walk extends ScanOptions {
  readonly clashes: PathClashes
}

interface Found {
  readonly path: string
  /** Relative to what was asked for. */
  readonly name: string
}

async function* walkOne(walk: Walk, found: Found): AsyncGenerator<SourceItem> {
  const item = await look(walk, found)
  if (item === undefined) return
  yield item
  if (item.entry.kind === 'directory') yield* walkFolder(walk, found)
}

async function* walkFolder(walk: Walk, folder: Found): AsyncGenerator<SourceItem> {
  let group: Found[] = []
  for await (const entry of entriesOf(walk, folder)) {
    group.push(entry)
    if (group.length < STAT_GROUP) continue
    yield* takeGroup(walk, group)
    group = []
  }
  yield* takeGroup(walk, group)
}

async function* entriesOf(walk: Walk, folder: Found): AsyncGenerator<Found> {
  try {
    const entries = await opendir(folder.path, { bufferSize: 256 })
    for await (const entry of entries)
      yield { path: join(folder.path, entry.name), name: `${folder.name}/${entry.name}` }
  } catch {
    // Gone or not permitted; the rest of the tree is still worth sending.
    walk.onSkipped({ path: folder.name, code: 'SOURCE_UNREADABLE' })
  }
}

async function* takeGroup(walk: Walk, group: readonly Found[]): AsyncGenerator<SourceItem> {
  const items = await Promise.all(group.map((found) => look(walk, found)))
  for (const [index, item] of items.entries()) {
    if (item === undefined) continue
    yield item
    const found = group[index]
    if (item.entry.kind === 'directory' && found !== undefined) yield* walkFolder(walk, found)
  }
}

/** The item for a path, or undefined when it is left out. */
async function look(walk: Walk, found: Found): Promise<SourceItem | undefined> {
  const checked = checkPath(found.name)
  if (!checked.ok) return skip(walk, found, `PATH_REFUSED ${checked.fault}`)
  try {
    const stat = await lstat(found.path)
    const kind = stat.isDirectory() ? 'directory' : 'file'
    if (!stat.isDirectory() && !stat.isFile()) return skip(walk, found, 'NOT_A_FILE')
    if (kind === 'directory' ? !walk.filter.enters(found.name) : !walk.filter.accepts(found.name, stat.size))
      return undefined
    if (walk.clashes.add(checked.path, kind) !== undefined) return skip(walk, found, 'PATH_REFUSED clash')
    const size = kind === 'file' ? stat.size : 0
    const mtimeMs = Math.max(0, Math.trunc(stat.mtimeMs))
    return { path: found.path, entry: { kind, path: checked.path, size, mtimeMs, mode: stat.mode & 0o777 } }
  } catch {
    return skip(walk, found, 'SOURCE_UNREADABLE')
  }
}

function skip(walk: Walk, found: Found, code: string): undefined {
  walk.onSkipped({ path: found.name, code })
  return undefined
}
