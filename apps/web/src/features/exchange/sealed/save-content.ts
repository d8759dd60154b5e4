import { randomLetters } from '../../../lib/random-letters.ts'
import { saveFile } from '../../../lib/save-file.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** This browser can keep no file of that size until it is complete. */
export class NoRoom extends Error {
  constructor(options?: ErrorOptions) {
    super('no room for the file in this browser', options)
    this.name = 'NoRoom'
  }
}

const FOLDER = 'sealed'
const NAME_LETTERS = 24
/** The browser has long copied a file of that age to the downloads. */
const STALE_MS = 3_600_000
/** Without a file system of its own a page keeps the file in memory. */
const MEMORY_MAX = 512 * 1024 * 1024

interface Saved {
  readonly name: string
  readonly size: number
  /** Unix milliseconds. */
  readonly now: number
}

/**
 * Gives a file to the browser to save once all of it is there and proven: it grows in the page's own file system, so that memory
 * stays small, and what breaks off leaves nothing that looks whole.
 * @throws NoRoom, and what `content` throws
 */
export async function saveContent({ name, size, now }: Saved, content: AsyncIterable<Bytes>): Promise<void> {
  const folder = await ownFolder()
  if (folder === undefined) return saveFile(name, await inMemory(size, content))
  await removeStale(folder, now)
  const own = randomLetters(NAME_LETTERS)
  const handle = await folder.getFileHandle(own, { create: true })
  const writable = await handle.createWritable()
  try {
    for await (const bytes of content) await writable.write(bytes)
    await writable.close()
  } catch (error) {
    await writable.abort().catch(() => undefined) // It may have failed by itself already.
    await folder.removeEntry(own)
    throw isQuota(error) ? new NoRoom({ cause: error }) : error
  }
  saveFile(name, await handle.getFile())
}

async function ownFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  if (!('createWritable' in FileSystemFileHandle.prototype)) return undefined
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true })
  } catch (error) {
    // Private windows of some browsers have no file system.
    if (error instanceof DOMException) return undefined
    throw error
  }
}

async function removeStale(folder: FileSystemDirectoryHandle, now: number): Promise<void> {
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== 'file') continue
    const { lastModified } = await handle.getFile()
    if (now - lastModified > STALE_MS) await folder.removeEntry(name)
  }
}

async function inMemory(size: number, content: AsyncIterable<Bytes>): Promise<Blob> {
  if (size > MEMORY_MAX) throw new NoRoom()
  const parts: Bytes[] = []
  for await (const bytes of content) parts.push(bytes)
  return new Blob(parts)
}

function isQuota(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError'
}
