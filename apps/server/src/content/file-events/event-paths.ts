import { createHash } from 'node:crypto'
import { LIMITS } from '@godwit/contract'
import type { FileEvent } from './file-events.ts'

/** SHA-256 of a path, which is too long for a key. */
export function hashOfPath(path: string): string {
  return createHash('sha256').update(path).digest('hex')
}

/** The account whose tree the path of an event counts in; '' for the library of a group. */
export function treeOwnerOf({ userId, groupId }: Pick<FileEvent, 'userId' | 'groupId'>): string {
  return groupId === LIMITS.defaultGroupId ? userId : ''
}

/** The folder of a path, '' for the root, which is in none. */
export function folderOf(path: string): string {
  return path === '/' ? '' : path.slice(0, path.lastIndexOf('/')) || '/'
}
