export { prepareJobs } from './prepare-jobs.ts'
export { abandonJob, UploadSender } from './upload-sender.ts'
