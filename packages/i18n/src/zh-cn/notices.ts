import type { NoticeKey } from '../en-us/notices.ts'

export const notices: Readonly<Record<NoticeKey, string>> = {
  'new-address.title': '从新地址登录',
  'new-address.content': '你的账号首次从地址 {address} 登录。\n程序：{program}\n如果不是你本人操作，请修改密码。',
  'password-changed.title': '密码已更改',
  'password-changed.content': '你的账号在其他地方的登录均已结束。如果不是你本人操作，请立即联系管理员。',
  'email-changed.title': '邮箱已更改',
  'email-changed.content': '邮件今后将发送到 {email}。如果不是你本人操作，请立即联系管理员。',
  'group-added.title': '你已加入群组 {group}',
  'group-added.content': '你现在可以在“群组文件”中查看 {group} 的文件。',
  'job-failed.title': '任务失败：{job}',
  'job-failed.content': '任务未能全部完成。已完成的部分会保留；请查看该任务并重新开始。',
  'quota-nearly-full.title': '存储空间即将用尽',
  'quota-nearly-full.content': '空间已使用 {percent}%（{used} / {quota}）。请删除不再需要的文件。',
  'mail-failed.title': '邮件发送失败',
  'mail-failed.content': '发给 {recipient} 的邮件已放弃发送。\n{reason}',
  'job.copy': '复制',
  'job.move': '移动',
  'job.remove': '删除',
  'job.restore': '恢复',
  'job.purge': '彻底删除',
  'job.other': '后台任务',
}
