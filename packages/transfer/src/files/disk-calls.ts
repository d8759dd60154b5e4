import type { TargetFault } from '../targets/target.ts'
import type { DiskFs } from './disk-fs.ts'

export function writeAll(fs: DiskFs, handle: number, what: { bytes: Uint8Array; offset: number }): void {
  let done = 0
  while (done < what.bytes.length) {
    done += fs.writeSync(handle, what.bytes, done, what.bytes.length - done, what.offset + done)
  }
}

export function faultOf(error: unknown): TargetFault {
  const code = codeOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'DISK_FULL' : 'TARGET_UNWRITABLE'
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
