export { mailEndpoints } from './mail.routes.ts'
export { createMailer, MAIL_JOB, type Mailer, type MailProgress } from './mailer.ts'
export { openMail, type MailSystem } from './open-mail.ts'
export { saveSender, senderAddress, senderInfo, serverOf, SYSTEM, type SendersDeps } from './senders.service.ts'
