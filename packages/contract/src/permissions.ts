/** Permission bit flags, as they are stored and sent. A set is the sum of its flags. */
export const PERMISSION = {
  cwd: 1,
  list: 2,
  download: 4,
  append: 8,
  delete: 16,
  rename: 32,
  mkdir: 64,
  upload: 128,
  move: 256,
  copy: 512,
  share: 1024,
  invite: 2048,
  hotFolder: 4096,
} as const

export type Permission = keyof typeof PERMISSION

/** Flags that grant nothing of their own; the wire adds them to every non-empty set. */
const UNUSED = PERMISSION.cwd | PERMISSION.append

export const FULL_PERMISSION = Object.values(PERMISSION).reduce((sum, flag) => sum | flag, 0) & ~UNUSED
export const DEFAULT_PERMISSION = PERMISSION.list | PERMISSION.download

/** The set as stored: without the unused flags, so that a set of only those is 0, which means denied. */
export function storedPermission(wire: number): number {
  return wire & FULL_PERMISSION
}

/** The set as the wire carries it. */
export function wirePermission(stored: number): number {
  const granted = storedPermission(stored)
  return granted === 0 ? 0 : granted | UNUSED
}

export function hasPermission(set: number, permission: Permission): boolean {
  return (storedPermission(set) & PERMISSION[permission]) !== 0
}
