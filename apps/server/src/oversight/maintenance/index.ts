export { restoreBackup, restoreDrill, writeBackup } from './archives.ts'
export {
  backupFolder,
  backupPath,
  backupSize,
  isWithin,
  prepareBackupFolder,
  removeBackupFile,
} from './backup-files.ts'
export { examine, type DoctorDeps } from './doctor.service.ts'
export { listenFault } from './listen-faults.ts'
export type { MaintenanceDeps } from './maintenance.deps.ts'
export { verify, type VerifyReport } from './verify.service.ts'
