import koffi from 'koffi'

/**
 * Reads on in an open folder.
 * @param into filled with `struct linux_dirent64`, one behind the other
 * @returns bytes written; 0 at the end of the folder, negative when it could not be read
 */
export type ReadEntries = (folder: number, into: Uint8Array) => Promise<number>

/** The system call getdents64 of Linux, on a thread of its own. @throws Error where the C library has no such function */
export function loadGetdents(): ReadEntries {
  const getdents = koffi.load('libc.so.6').func('getdents64', 'long', ['int', 'void *', 'size_t'])
  return (folder, into) =>
    new Promise((resolve, reject) => {
      getdents.async(folder, into, into.length, (error: Error | null, count: number | bigint) => {
        if (error === null) resolve(Number(count))
        else reject(error)
      })
    })
}
