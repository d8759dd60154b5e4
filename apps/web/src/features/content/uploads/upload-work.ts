export { createHashPool } from './hash-pool.ts'
export { prepareJobs } from './prepare-jobs.ts'
export { UploadReports } from './upload-reports.ts'
export { abandonJob, UploadSender } from './upload-sender.ts'
