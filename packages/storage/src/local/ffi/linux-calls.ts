import { getSystemErrorName } from 'node:util'
import koffi from 'koffi'
import { KIND_FILE, KIND_FOLDER, KIND_GONE } from '../../object-store.ts'

/**
 * System calls of 64-bit, little-endian Linux that Node does not offer, or only with one object per entry of a folder.
 * Struct layouts are those of the kernel's own headers, the same on x64 and arm64.
 */
export interface LinuxCalls {
  /**
   * Reads the next entries of an open folder, on a thread of its own: getdents64(2).
   * @param into filled with `struct linux_dirent64`, one behind the other
   * @returns bytes written; 0 at the end of the folder, negative when it could not be read
   */
  readEntries(folder: number, into: Uint8Array): Promise<number>
  /**
   * Reads the attributes of an entry in an open folder without following a link: statx(2).
   * @returns kind KIND_GONE when there is nothing, or neither a file nor a folder
   * @throws Error as Node's own lstat
   */
  statEntry(folder: number, name: string): { readonly kind: number; readonly size: number; readonly modifiedMs: number }
}

const AT_SYMLINK_NOFOLLOW = 0x100
/** Type, size and time of change. */
const WANTED = 0x1 | 0x200 | 0x40
const ENOENT = 2
const TYPE_MASK = 0o170000
const TYPE_FILE = 0o100000
const TYPE_FOLDER = 0o040000
/** `struct statx`, in units of four bytes. */
const STATX_WORDS = 64
const MODE_AT = 7
const SIZE_AT = 10
const SECONDS_AT = 28
const NANOSECONDS_AT = 30
const WORD = 2 ** 32

/** @throws Error where the C library cannot be called */
export function loadLinuxCalls(): LinuxCalls {
  const libc = koffi.load('libc.so.6')
  const getdents = libc.func('getdents64', 'long', ['int', 'void *', 'size_t'])
  const statx = libc.func('statx', 'int', ['int', 'str', 'int', 'uint', 'void *'])
  const words = new Uint32Array(STATX_WORDS)
  const word = (at: number): number => words[at] ?? 0
  return {
    readEntries: (folder, into) =>
      new Promise((resolve, reject) => {
        getdents.async(folder, into, into.length, (error: Error | null, count: number | bigint) => {
          if (error === null) resolve(Number(count))
          else reject(error)
        })
      }),
    statEntry(folder, name) {
      if (statx(folder, name, AT_SYMLINK_NOFOLLOW, WANTED, words) !== 0) {
        const errno = koffi.errno()
        if (errno === ENOENT) return { kind: KIND_GONE, size: 0, modifiedMs: 0 }
        const code = getSystemErrorName(-errno)
        throw Object.assign(new Error(`${code}: statx '${name}'`), { code, errno: -errno, syscall: 'statx' })
      }
      const type = word(MODE_AT) & TYPE_MASK
      const seconds = word(SECONDS_AT) + ((words[SECONDS_AT + 1] ?? 0) | 0) * WORD
      return {
        kind: type === TYPE_FILE ? KIND_FILE : type === TYPE_FOLDER ? KIND_FOLDER : KIND_GONE,
        size: type === TYPE_FILE ? word(SIZE_AT) + word(SIZE_AT + 1) * WORD : 0,
        modifiedMs: seconds * 1000 + word(NANOSECONDS_AT) / 1e6,
      }
    },
  }
}
