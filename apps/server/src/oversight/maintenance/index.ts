export { restoreBackup, restoreDrill, writeBackup } from './archives.ts'
export {
  backupFolder,
  backupPath,
  backupSize,
  isWithin,
  prepareBackupFolder,
  removeBackupFile,
} from './backup-files.ts'
export { copyDatabase, copySnapshot, endCopy, type CopiedTable } from './database-copy.ts'
export { finishSwitch, lastSwitchFault, prepareSwitch } from './database-switch.ts'
export { examine } from './doctor.service.ts'
export type { DoctorDeps } from './doctor.types.ts'
export { listenFault } from './listen-faults.ts'
export type { MaintenanceDeps } from './maintenance.deps.ts'
export { requireWholeDatabase } from './unfinished.ts'
export { verify, type VerifyReport } from './verify.service.ts'
