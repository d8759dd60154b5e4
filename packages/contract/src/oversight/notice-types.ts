/** Apart from the schemas, which a page does not load. */

/** Who gets a notice: whom it is about, those who keep the group, all administrators, or the super administrator. */
export const NOTICE_READERS = ['self', 'keepers', 'administrators', 'super'] as const
export type NoticeReader = (typeof NOTICE_READERS)[number]

interface NoticeType {
  readonly to: NoticeReader
  /** Whether those who want copies by e-mail get one. */
  readonly byMail: boolean
  /** The setting that switches it; absent: what protects an account is always sent. */
  readonly setting?: string
}

/** The notices that the server writes by itself. */
export const SYSTEM_NOTICES = {
  'new-address': { to: 'self', byMail: true },
  'password-changed': { to: 'self', byMail: true },
  'email-changed': { to: 'self', byMail: true },
  'second-factor-on': { to: 'self', byMail: true },
  'second-factor-off': { to: 'self', byMail: true },
  'passkey-added': { to: 'self', byMail: true },
  'token-created': { to: 'self', byMail: true },
  'group-added': { to: 'self', byMail: true, setting: 'notices.groupAdded' },
  'link-shared': { to: 'self', byMail: true, setting: 'notices.linkShared' },
  'link-reminder': { to: 'self', byMail: true, setting: 'notices.linkShared' },
  // A mail of its own says it, with a way to extend the link.
  'link-expiring': { to: 'self', byMail: false, setting: 'notices.linkExpiring' },
  'job-failed': { to: 'self', byMail: true, setting: 'notices.jobFailed' },
  'quota-nearly-full': { to: 'self', byMail: true, setting: 'notices.quota' },
  'group-quota-nearly-full': { to: 'keepers', byMail: true, setting: 'notices.quota' },
  'files-cleaned': { to: 'self', byMail: false, setting: 'notices.cleaned' },
  'mail-failed': { to: 'administrators', byMail: false, setting: 'notices.mailFailed' },
  'hook-disabled': { to: 'super', byMail: true },
  'certificate-expiring': { to: 'administrators', byMail: true },
  'licence-expiring': { to: 'administrators', byMail: true },
} as const satisfies Readonly<Record<string, NoticeType>>
export type SystemNotice = keyof typeof SYSTEM_NOTICES

/** The page of the portal where a reader goes on. */
export const NOTICE_PAGES: Readonly<Partial<Record<string, '/recycle'>>> = { 'files-cleaned': '/recycle' }

export function noticeType(kind: SystemNotice): NoticeType {
  return SYSTEM_NOTICES[kind]
}
