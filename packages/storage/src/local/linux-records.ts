import { KIND_FILE, KIND_FOLDER, type ListPage } from '../object-store.ts'
import { readLinuxFolder, type FolderSystem } from './linux-folder.ts'
import { PlainPage } from './plain-page.ts'

/** A little less than the reader has room for, as the kernel fills it. */
const BATCH_BYTES = 510 * 1024
const LARGEST_RECORD = 1024
const TYPE_FOLDER = 4
const TYPE_FILE = 8
const LATER_HALF = 1
const MIDDLE = 2 ** 30

interface LinuxRecord {
  readonly name: string
  readonly type: number
  /** Upper half of the next record's offset. */
  readonly next?: number
}

/** A `struct linux_dirent64` as the kernel writes it, rounded up to eight bytes. */
export function linuxRecord(record: LinuxRecord): Buffer {
  const bytes = Buffer.alloc(20 + 3 * record.name.length + 8)
  return bytes.subarray(0, writeRecord(record, bytes, 0))
}

/** @returns where it ends */
function writeRecord({ name, type, next = 0 }: LinuxRecord, into: Buffer, at: number): number {
  const nameEnd = at + 19 + into.write(name, at + 19)
  const end = at + Math.ceil((nameEnd + 1 - at) / 8) * 8
  into.writeUInt32LE(next, at + 12)
  into.writeUInt16LE(end - at, at + 16)
  into[at + 18] = type
  return end
}

/**
 * A big folder that is not there, listed by the very code that lists those of the disk, so that the engine has compiled it when
 * the first real one is opened.
 * @param names again and again; a slash at the end makes a folder
 * @returns its pages, of so many batches of half a megabyte in both halves together
 */
export function inventedFolder(names: readonly string[]): (batches: number) => AsyncGenerator<ListPage> {
  const batch = Buffer.alloc(BATCH_BYTES + LARGEST_RECORD)
  let size = 0
  for (let at = 0; size < BATCH_BYTES; at = (at + 1) % names.length) {
    const name = names[at] ?? ''
    const isFolder = name.endsWith('/')
    const record = isFolder ? { name: name.slice(0, -1), type: TYPE_FOLDER } : { name, type: TYPE_FILE }
    size = writeRecord(record, batch, size)
  }
  return (batches) => pagesOf(inventedSystem(batch.subarray(0, size), batches))
}

async function* pagesOf(system: FolderSystem): AsyncGenerator<ListPage> {
  for await (const { plain, entries } of (await readLinuxFolder(system, { file: 0, at: '' })) ?? []) {
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
