export { backupsFeature, type Backups, type BackupSummary } from './backups.feature.ts'
