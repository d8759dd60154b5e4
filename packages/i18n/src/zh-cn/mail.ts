import type { MailKey } from '../en-us/mail.ts'

export const mail: Readonly<Record<MailKey, string>> = {
  'sign-in-code.subject': '你的登录验证码',
  'sign-in-code.body':
    '{account}，你好：\n\n这是登录{product}的验证码：\n\n{code}\n\n{minutes} 分钟内有效，仅可使用一次。如果不是你本人在登录，说明有人知道你的密码，请立即修改密码。',
  'reset-code.subject': '你的重置密码验证码',
  'reset-code.body':
    '{account}，你好：\n\n这是在{product}设置新密码的验证码：\n\n{code}\n\n{minutes} 分钟内有效，仅可使用一次。如果不是你本人申请，无需任何操作，密码不会改变。',
  'email-changed.subject': '你的邮箱已更改',
  'email-changed.body':
    '{account}，你好：\n\n{product}的邮件今后将发送到另一个邮箱。如果不是你本人更改，请立即联系管理员。',
  'invitation.subject': '你的{product}账号',
  'invitation.body':
    '{name}，你好：\n\n已为你创建{product}账号：{account}\n\n请打开以下链接设置密码。链接仅可使用一次，{days} 天内有效：',
  'test.subject': '测试邮件',
  'test.body': '收到这封邮件，说明{product}可以使用这些设置发送邮件。',
  'notice.subject': '{title}',
  'notice.body': '{content}',
  'share-link.subject': '{account} 与你分享了“{name}”',
  'share-link.body': '{text}\n\n{account} 与你分享了“{name}”，请打开以下链接查看：',
  'invite-link.subject': '{account} 邀请你上传文件',
  'invite-link.body': '{text}\n\n{account} 邀请你把文件上传到“{name}”，请打开以下链接上传：',
  'link-code.subject': '“{name}”的验证码',
  'link-code.body':
    '这是打开 {account} 分享的“{name}”所需的验证码：\n\n{code}\n\n{minutes} 分钟内有效，仅可使用一次。如果不是你本人申请，无需任何操作，没有验证码的人无法打开。',
  'link-downloaded.subject': '有人使用了你的链接“{name}”',
  'link-downloaded.body':
    '{account}，你好：\n\n访客通过你的链接“{name}”下载了文件。自上一封邮件以来的下载数：{count}。\n\n{files}\n\n在这里查看全部下载记录：',
  'link-uploaded.subject': '有文件通过你的链接“{name}”送达',
  'link-uploaded.body':
    '{account}，你好：\n\n访客通过你的链接“{name}”上传了文件。自上一封邮件以来的文件数：{count}。\n\n{files}\n\n在这里查看全部上传记录：',
  'link-expiring.subject': '你的链接“{name}”即将到期',
  'link-expiring.body':
    '{account}，你好：\n\n你的链接“{name}”将于 {time} 到期，之后将无法打开。\n\n如仍需使用，请打开以下链接，登录后即可一键延长：',
  'share-reminder.subject': '提醒：{account} 与你分享了“{name}”',
  'share-reminder.body': '{text}\n\n{account} 提醒你查看“{name}”，你还没有全部下载。请打开以下链接：',
  'invite-reminder.subject': '提醒：{account} 邀请你上传文件',
  'invite-reminder.body': '{text}\n\n{account} 仍在等待你为“{name}”上传文件。请打开以下链接上传：',
  footer: '由{product}发送，{url}',
}
