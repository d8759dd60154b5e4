import type { TargetFault } from '../targets/target.ts'
import type { DiskFs } from './disk-fs.ts'

export function writeAll(fs: DiskFs, handle: number, what: { bytes: Uint8Array; offset: number }): void {
  let done = 0
  while (done < what.bytes.length) {
    done += fs.writeSync(handle, what.bytes, done, what.bytes.length - done, what.offset + done)
  }
}

/** Smallest hole: what most file systems allocate at once is a part of it. */
const HOLE_BYTES = 64 * 1024
const ZEROS = Buffer.alloc(HOLE_BYTES)

/** Leaves out long runs of zeros; where they belong the file must hold nothing else. */
export function writeAroundHoles(fs: DiskFs, handle: number, what: { bytes: Uint8Array; offset: number }): void {
  const { bytes, offset } = what
  let from = 0
  const writeUntil = (end: number): void => {
    if (end > from) writeAll(fs, handle, { bytes: bytes.subarray(from, end), offset: offset + from })
  }
  for (let at = 0; at < bytes.length; at += HOLE_BYTES) {
    const part = bytes.subarray(at, at + HOLE_BYTES)
    if (!ZEROS.subarray(0, part.length).equals(part)) continue
    writeUntil(at)
    from = at + part.length
  }
  writeUntil(bytes.length)
}

export function faultOf(error: unknown): TargetFault {
  const code = codeOf(error)
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'DISK_FULL' : 'TARGET_UNWRITABLE'
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
