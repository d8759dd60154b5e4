import type { Locale } from './locales.ts'
import type { MailTemplate } from './mail-texts.ts'

const ENGLISH: Readonly<Record<MailTemplate, string>> = {
  'sign-in-code': 'Code for a sign-in',
  'reset-code': 'Code for a new password',
  'email-changed': 'Changed e-mail address',
  invitation: 'Invitation to an account',
  test: 'Test',
  notice: 'Copy of a notice',
  'share-link': 'Share link',
  'invite-link': 'Invite link',
  'link-code': 'Code for a link',
  'link-downloaded': 'Downloads by a link',
  'link-uploaded': 'Uploads by a link',
  'link-expiring': 'Link that ends soon',
  'share-reminder': 'Reminder of a share link',
  'invite-reminder': 'Reminder of an invite link',
}

const CHINESE: Readonly<Record<MailTemplate, string>> = {
  'sign-in-code': '登录验证码',
  'reset-code': '重设密码验证码',
  'email-changed': '邮箱已更改',
  invitation: '账号邀请',
  test: '测试',
  notice: '通知副本',
  'share-link': '分享链接',
  'invite-link': '邀请链接',
  'link-code': '链接验证码',
  'link-downloaded': '链接下载',
  'link-uploaded': '链接上传',
  'link-expiring': '链接即将到期',
  'share-reminder': '分享链接提醒',
  'invite-reminder': '邀请链接提醒',
}

/** What a mail is called where its words are changed. */
export function mailName(locale: Locale, template: MailTemplate): string {
  return (locale === 'zh-CN' ? CHINESE : ENGLISH)[template]
}
