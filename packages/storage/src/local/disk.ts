import type { EntryColumns, PackedNames } from '../object-store.ts'

/** The attributes of an entry that the local provider uses. Times in Unix milliseconds. */
export interface DiskStat {
  readonly kind: 'file' | 'folder' | 'other'
  readonly size: number
  readonly modifiedMs: number
  readonly bornMs: number
  readonly inode: number
  readonly device: number
  /** Number of names (hard links) of the file. */
  readonly links: number
}

export interface DiskEntry {
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
}

/** An open folder: its descriptor, and the path by which it is reached. */
export interface OpenPlace {
  readonly file: number
  readonly at: string
}

/** A part of a folder. */
export interface DiskPage {
  /** Files and folders with plain names (see ListPage), where they could be read as bytes. */
  readonly plain: { readonly names: PackedNames; readonly kinds: Uint8Array } | undefined
  /** All others. */
  readonly entries: readonly DiskEntry[]
}

/**
 * The filesystem calls of the local provider, one method per call, so that a test can count, fail and order them.
 * Every method rejects with Node's error (`code`, `syscall`) and none retries anything.
 */
export interface Disk {
  open(path: string, flags: number, mode?: number): Promise<number>
  /** Like open(), for writes of whole sectors that bypass the page cache. EINVAL where the system or filesystem does not support it. */
  openDirect(path: string, flags: number): Promise<number>
  close(file: number): Promise<void>
  /** @returns bytes read, 0 at the end */
  read(file: number, into: Uint8Array, position: number): Promise<number>
  /** May write less than given. @returns bytes written */
  write(file: number, chunks: readonly Uint8Array[], position: number): Promise<number>
  /**
   * Makes a new file that shares the blocks of an open one until either is written to. EOPNOTSUPP, EXDEV, EINVAL or ENOTTY,
   * with nothing created, where the system or filesystem does not support it.
   */
  clone(file: number, to: string, mode: number): Promise<void>
  truncate(file: number, size: number): Promise<void>
  setModified(file: number, modifiedMs: number): Promise<void>
  /** fdatasync: contents and size. */
  flush(file: number): Promise<void>
  /** fsync of a folder: the names in it. */
  flushFolder(folder: number): Promise<void>
  link(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  unlink(path: string): Promise<void>
  makeFolder(path: string, mode: number): Promise<void>
  removeFolder(path: string): Promise<void>
  /** Does not follow links. */
  stat(path: string): Promise<DiskStat>
  statFile(file: number): Promise<DiskStat>
  list(path: string): Promise<DiskEntry[]>
  /**
   * As list(), in batches: a folder of a million entries is never in memory as a whole.
   * @param folder just opened; nothing else reads from it
   */
  pages(folder: OpenPlace): AsyncIterable<DiskPage>
  /** Kind, size and time of many entries of one folder. */
  statMany(folder: OpenPlace, names: readonly string[], signal?: AbortSignal): Promise<EntryColumns>
  /** The path with every link on the way resolved. */
  realPath(path: string): Promise<string>
  /** A path that reaches an open folder through its descriptor, or its own path where the system has no such paths. */
  pathOf(folder: number, path: string): string
  /** The real path of an open folder. Without /proc: what its path resolves to now. */
  placeOf(folder: number, path: string): Promise<string>
  space(path: string): Promise<{ readonly freeBytes: number; readonly totalBytes: number }>
}
