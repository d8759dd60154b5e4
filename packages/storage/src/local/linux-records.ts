import { readLinuxFolder } from './linux-folder.ts'

const NAMES = 4_000
const TYPE_FILE = 8

/** A record of `struct linux_dirent64` as the kernel writes it, rounded up to eight bytes. */
export function linuxRecord(name: string, type: number): Buffer {
  const utf8 = Buffer.from(name)
  const bytes = Buffer.alloc(Math.ceil((20 + utf8.length) / 8) * 8)
  bytes.writeUInt16LE(bytes.length, 16)
  bytes[18] = type
  utf8.copy(bytes, 19)
  return bytes
}

/**
 * Takes an invented folder apart, so that the engine has compiled the code when the first big one is opened: some
 * milliseconds of work.
 * @param rounds batches of 4,000 names
 */
export async function warmUpReading(rounds: number): Promise<void> {
  const batch = Buffer.concat(Array.from({ length: NAMES }, (_, at) => linuxRecord(`IMG ${at} take.mov`, TYPE_FILE)))
  let left = rounds
  const read = (_folder: number, into: Uint8Array): Promise<number> => {
    if (left-- <= 0) return Promise.resolve(0)
    into.set(batch)
    return Promise.resolve(batch.length)
  }
  const pages = await readLinuxFolder(read, { file: -1, at: '' }, () => Promise.resolve('other'))
  for await (const _page of pages ?? []);
}
