export { prepareJobs } from './prepare-jobs.ts'
export { UploadReports } from './upload-reports.ts'
export { abandonJob, UploadSender } from './upload-sender.ts'
