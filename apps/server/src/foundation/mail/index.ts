export { mailFeature } from './mail.feature.ts'
export {
  BULK_MAIL_JOB,
  bulkMailJobs,
  createMailer,
  type DrawnMail,
  isMail,
  isMailJob,
  MAIL_JOB,
  mailJobs,
  type Mail,
  type Mailer,
  type MailerDeps,
  type MailProgress,
  ownMailJobs,
} from './mailer.ts'
export { openMail, type MailSystem } from './open-mail.ts'
export {
  configuredSender,
  hasSender,
  saveSender,
  senderAddress,
  senderInfo,
  serverOf,
  SYSTEM,
  type SendersDeps,
} from './senders.service.ts'
export { tryMailLogin } from './smtp.login.ts'
