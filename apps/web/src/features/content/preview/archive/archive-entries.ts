/** An archive on the server. The signal ends everything that is read of it. */
export interface ArchiveSource {
  readonly url: string
  readonly size: number
  readonly signal: AbortSignal
}

/** One file or folder of an archive, as its directory describes it. */
export interface ArchiveEntry {
  /** Cleaned by `entryPath`. */
  readonly path: string
  readonly isFolder: boolean
  /** Bytes when unpacked. */
  readonly size: number
  /** Unix seconds; undefined where the archive has none. */
  readonly time: number | undefined
  readonly isEncrypted: boolean
  /** The content, whole in memory or on the browser's disk. @throws ApiError from the server, Error when it is damaged */
  readonly open: () => Promise<Blob>
}

/** A row of the list: an entry, or a folder that exists only as a part of paths. */
export interface ArchiveRow {
  readonly name: string
  readonly path: string
  readonly isFolder: boolean
  /** Undefined for folders. */
  readonly size: number | undefined
  readonly time: number | undefined
  readonly entry: ArchiveEntry | undefined
}

/**
 * A name inside an archive as a path within it: '/' separates, and nothing leads out of it.
 * @returns '' when nothing is left
 */
export function entryPath(name: string): string {
  return name
    .split(/[/\\]+/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/')
}

/** What stands directly in a folder of the archive, folders first, each in the order of names. @param folder '' is the root */
export function rowsOf(entries: readonly ArchiveEntry[], folder: string, collator: Intl.Collator): ArchiveRow[] {
  const prefix = folder === '' ? '' : `${folder}/`
  const folders = new Map<string, ArchiveRow>()
  const files: ArchiveRow[] = []
  for (const entry of entries) {
    if (!entry.path.startsWith(prefix) || entry.path.length === prefix.length) continue
    const rest = entry.path.slice(prefix.length)
    const slash = rest.indexOf('/')
    if (slash < 0 && !entry.isFolder) {
      files.push({ name: rest, path: entry.path, isFolder: false, size: entry.size, time: entry.time, entry })
      continue
    }
    const name = slash < 0 ? rest : rest.slice(0, slash)
    const own = slash < 0 ? entry : folders.get(name)?.entry
    folders.set(name, {
      name,
      path: `${prefix}${name}`,
      isFolder: true,
      size: undefined,
      time: own?.time,
      entry: own,
    })
  }
  const byName = (a: ArchiveRow, b: ArchiveRow): number => collator.compare(a.name, b.name)
  return [...[...folders.values()].toSorted(byName), ...files.toSorted(byName)]
}
