/**
 * Why one file of a transfer was left out or failed, as codes: what `FileFailure.code` may say. A peer of another version may
 * send others. `PATH_REFUSED` is followed by a space and the fault of the path.
 */
export const FILE_FAULTS = [
  'SOURCE_CHANGED',
  'SOURCE_UNREADABLE',
  'TARGET_UNWRITABLE',
  'TARGET_NEWER',
  'DISK_FULL',
  'HASH_MISMATCH',
  'PATH_REFUSED',
  'LINK_REFUSED',
  'LINK',
  'NOT_A_FILE',
] as const

export type FileFaultCode = (typeof FILE_FAULTS)[number]
