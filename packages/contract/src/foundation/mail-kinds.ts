/** What mails are about. The texts of each are in `@godwit/i18n`. */
export const MAIL_KINDS = [
  'sign-in-code',
  'reset-code',
  'email-changed',
  'invitation',
  'test',
  'notice',
  'share-link',
  'invite-link',
  'link-code',
  'link-downloaded',
  'link-uploaded',
  'link-expiring',
  'share-reminder',
  'invite-reminder',
] as const
export type MailKind = (typeof MAIL_KINDS)[number]
