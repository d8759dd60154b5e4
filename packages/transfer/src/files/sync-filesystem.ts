/**
 * Linux's syncfs(2): everything written to the file system of an open file becomes durable, in one wait for the disk.
 * It reports write errors since Linux 5.8. Node has no call for it.
 * @returns undefined where there is none; files are then flushed one by one
 */
export async function loadSyncFilesystem(): Promise<((handle: number) => void) | undefined> {
  if (process.platform !== 'linux') return undefined
  try {
    // Loaded only here: a platform without the native package must still receive.
    const { default: koffi } = await import('koffi')
    const call = koffi.load(null).func('syncfs', 'int', ['int']) as (handle: number) => number
    return (handle) => {
      if (call(handle) === 0) return
      const code = Object.entries(koffi.os.errno).find(([, number]) => number === koffi.errno())?.[0] ?? 'EIO'
      throw Object.assign(new Error(`syncfs: ${code}`), { code })
    }
  } catch {
    // No binary for this processor, or a C library without the call.
    return undefined
  }
}
