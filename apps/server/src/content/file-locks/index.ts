export { createFileLocks, endLocks, LOCK_MAX_MS, type FileLock, type FileLocks } from './file-locks.ts'
export type { LockedChange } from './file-locks.policy.ts'
