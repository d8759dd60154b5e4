export { mailEndpoints, type MailEndpointsDeps } from './mail.routes.ts'
export { createMailer, MAIL_JOB, type Mail, type Mailer, type MailerDeps, type MailProgress } from './mailer.ts'
export { openMail, type MailOptions, type MailSystem } from './open-mail.ts'
export {
  configuredSender,
  saveSender,
  senderAddress,
  senderInfo,
  serverOf,
  SYSTEM,
  type SendersDeps,
} from './senders.service.ts'
