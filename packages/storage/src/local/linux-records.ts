import { KIND_FILE, KIND_FOLDER, type ListPage } from '../object-store.ts'
import { readLinuxFolder, type FolderSystem } from './linux-folder.ts'
import { PlainPage } from './plain-page.ts'

/** A little less than the reader has room for, as the kernel fills it. */
const BATCH_BYTES = 510 * 1024
const TYPE_FOLDER = 4
const TYPE_FILE = 8
const LATER_HALF = 1
const MIDDLE = 2 ** 30

/** A record of `struct linux_dirent64` as the kernel writes it, rounded up to eight bytes. @param next upper half of its offset */
export function linuxRecord(name: string, type: number, next = 0): Buffer {
  const utf8 = Buffer.from(name)
  const bytes = Buffer.alloc(Math.ceil((20 + utf8.length) / 8) * 8)
  bytes.writeUInt32LE(next, 12)
  bytes.writeUInt16LE(bytes.length, 16)
  bytes[18] = type
  utf8.copy(bytes, 19)
  return bytes
}

/**
 * A big folder that is not there, listed by the very code that lists those of the disk, so that the engine has compiled it when
 * the first real one is opened.
 * @param names again and again; a slash at the end makes a folder
 * @param batches of half a megabyte, in both halves together
 */
export async function* inventedPages(names: readonly string[], batches: number): AsyncGenerator<ListPage> {
  const records = names.map((name) =>
    name.endsWith('/') ? linuxRecord(name.slice(0, -1), TYPE_FOLDER) : linuxRecord(name, TYPE_FILE),
  )
  const batch = new Uint8Array(BATCH_BYTES)
  let size = 0
  for (let at = 0; size + (records[at]?.length ?? 0) <= batch.length; at = (at + 1) % records.length) {
    batch.set(records[at] ?? [], size)
    size += records[at]?.length ?? 0
  }
  const pages = await readLinuxFolder(inventedSystem(batch.subarray(0, size), batches), { file: 0, at: '' })
  for await (const { plain, entries } of pages ?? []) {
    if (plain) yield new PlainPage(plain)
    const kinds = Uint8Array.from(entries, ({ kind }) => (kind === 'folder' ? KIND_FOLDER : KIND_FILE))
    yield { names: entries.map(({ name }) => name), kinds, leftOut: 0 }
  }
}

function inventedSystem(batch: Uint8Array, batches: number): FolderSystem {
  let left = batches
  return {
    read(_folder, into) {
      if (left-- <= 0) return Promise.resolve(0)
      into.set(batch)
      return Promise.resolve(batch.length)
    },
    kindOf: () => Promise.resolve('other'),
    openLaterHalf: () => Promise.resolve({ file: LATER_HALF, from: MIDDLE }),
    close: () => Promise.resolve(),
  }
}
