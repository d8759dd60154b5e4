import type { Entry } from '../object-store.ts'
import type { DiskStat } from './disk.ts'

/** What callers see of a file or folder. @throws Error for anything else: links and devices must have been left out before */
export function toEntry(key: string, stat: DiskStat): Entry {
  if (stat.kind === 'other') throw new Error('neither a file nor a folder')
  if (stat.kind === 'folder')
    return { key, kind: 'folder', size: 0, modifiedMs: stat.modifiedMs, etag: identityOf(stat) }
  return { key, kind: 'file', size: stat.size, modifiedMs: stat.modifiedMs, etag: etagOf(stat) }
}

/**
 * Time, size, inode and birth of the inode. The product never writes into a file that is visible, so new content is always
 * a new inode; its birth time distinguishes it from an older file with the same number. A rename changes none of them.
 */
export function etagOf(stat: DiskStat): string {
  return [micros(stat.modifiedMs), stat.size.toString(36), identityOf(stat)].join('-')
}

/**
 * Whether two tags name content of the same size and time, though not the same file: a copy, or bytes that changed behind the
 * back of the file system. Tags of buckets say nothing of that.
 */
export function hasSameSizeAndTime(left: string, right: string): boolean {
  const [a, b] = [left.split('-'), right.split('-')]
  return a.length === TAG_PARTS && b.length === TAG_PARTS && a[0] === b[0] && a[1] === b[1]
}

const TAG_PARTS = 4

/** Identity of a file or folder: inode numbers are reused, but not together with their birth time. */
function identityOf({ inode, bornMs }: DiskStat): string {
  return `${inode.toString(36)}-${micros(bornMs)}`
}

function micros(ms: number): string {
  return Math.round(ms * 1000).toString(36)
}
