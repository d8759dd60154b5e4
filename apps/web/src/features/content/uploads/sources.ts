import type { SourceFile } from './source-file.ts'

/** What a drop or a choice brought. */
export interface Sources {
  readonly files: readonly SourceFile[]
  /** Folders without a file in them; they exist only when made. */
  readonly emptyFolders: readonly string[]
  /** Files and folders the browser could not read, as paths below the target folder. */
  readonly unreadable: readonly string[]
}

const BREATH_ENTRIES = 100
const BREATH_MS = 50
/** Time the enumeration may hold the page before it lets it breathe. */
const SLICE_MS = 12

export interface Scan {
  readonly signal: AbortSignal
  readonly now: () => number
  readonly onProgress: (files: number) => void
}

/**
 * Reads a drop. Entries must be taken in the same turn as the drop event, so they are an argument, not the event.
 * The enumeration pauses for 50 ms after every 100 entries that took long, so that the page stays responsive.
 */
export async function scanEntries(entries: readonly FileSystemEntry[], scan: Scan): Promise<Sources> {
  const files: SourceFile[] = []
  const emptyFolders: string[] = []
  const unreadable: string[] = []
  let seen = 0
  let sliceStart = scan.now()
  const queue = entries.map((entry) => ({ entry, path: entry.name }))
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    scan.signal.throwIfAborted()
    const { entry, path } = next
    try {
      if (isFileEntry(entry)) files.push({ file: await fileOf(entry), relativePath: path })
      else if (isFolderEntry(entry)) {
        const children = await childrenOf(entry)
        if (children.length === 0) emptyFolders.push(path)
        queue.push(...children.map((child) => ({ entry: child, path: `${path}/${child.name}` })))
      }
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      unreadable.push(path)
    }
    seen += 1
    if (seen % BREATH_ENTRIES === 0) {
      scan.onProgress(files.length)
      if (scan.now() - sliceStart > SLICE_MS) await pause(BREATH_MS)
      sliceStart = scan.now()
    }
  }
  return { files, emptyFolders, unreadable }
}

/** Files from a file field; a folder field gives each its path below the chosen folder. */
export function sourcesOfFiles(files: Iterable<File>): Sources {
  const list = [...files].map((file) => ({
    file,
    relativePath: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
  }))
  return { files: list, emptyFolders: [], unreadable: [] }
}

/** Must be called while the drop event is handled: afterwards the browser has emptied the list. */
export function entriesOfDrop(transfer: DataTransfer): readonly FileSystemEntry[] {
  return [...transfer.items]
    .filter((item) => item.kind === 'file')
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null)
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isFolderEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A reader gives at most 100 entries at a time and says it is done with an empty answer. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
