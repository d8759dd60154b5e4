import type { writeBackup as write } from './backup.service.ts'
import type { restoreDrill as drill } from './drill.service.ts'
import type { restoreBackup as restore } from './restore.service.ts'

// Loaded at first use: a server that only serves reads and writes no archives.

/** See `backup.service.ts`. */
export const writeBackup: typeof write = async (...request) =>
  (await import('./backup.service.ts')).writeBackup(...request)

/** See `restore.service.ts`. */
export const restoreBackup: typeof restore = async (...request) =>
  (await import('./restore.service.ts')).restoreBackup(...request)

/** See `drill.service.ts`. */
export const restoreDrill: typeof drill = async (...request) =>
  (await import('./drill.service.ts')).restoreDrill(...request)
