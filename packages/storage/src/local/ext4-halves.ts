import fs from 'node:fs'
import type { LinuxCalls } from './ffi/linux-calls.ts'
import type { FolderSystem } from './linux-folder.ts'

const { O_DIRECTORY, O_RDONLY } = fs.constants

/** What statfs(2) says of ext2, ext3 and ext4. */
const EXT4 = 0xef53
/** Beyond the upper half of every offset: those of ext4 are 31 bits of a name's hash, and 32 more below them. */
const END = 2 ** 31
const LOWER_BITS = 32n

interface Calls {
  open(path: string, flags: number): Promise<number>
  close(file: number): Promise<void>
  statfs(path: string): Promise<{ readonly type: number }>
  readonly seek: LinuxCalls['seek']
}

/**
 * Halves of the folders of ext4. Its big folders are read in the order of a hash of the name, which is the offset too, so that
 * a second descriptor may begin in the middle of what is left; one thread alone takes 265 ms for a million entries. In a
 * folder that it keeps in a line there is no such offset: nothing stands behind it, or it is refused.
 */
export function laterHalves({ open, close, statfs, seek }: Calls): FolderSystem['openLaterHalf'] {
  return async (folder, behind) => {
    const from = behind + Math.floor((END - behind) / 2)
    if (from <= behind || (await statfs(folder.at)).type !== EXT4) return undefined
    const file = await open(folder.at, O_RDONLY | O_DIRECTORY)
    if (seek(file, BigInt(from) << LOWER_BITS)) return { file, from }
    await close(file)
    return undefined
  }
}
