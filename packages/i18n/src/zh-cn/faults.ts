import type { ImageFault, LicenceFault, NameFault, PasswordFault, SmtpReason } from '@godwit/contract'

/** Why a file or folder name is refused. */
export const nameFaultTexts: Readonly<Record<NameFault, string>> = {
  empty: '名称不能为空。',
  'too-long': '名称过长。最多 255 个字符（85 个汉字）。',
  'forbidden-character': '名称不能包含 \\ / : " * ? < > |。',
  'control-character': '名称含有不可见的控制字符。请重新输入。',
  'malformed-unicode': '名称含有损坏的字符。请重新输入。',
  'dot-name': '不能使用 . 或 .. 作为名称。',
  'trailing-dot-or-space': '名称不能以点或空格结尾，否则 Windows 无法打开。',
  'windows-reserved': '此名称为 Windows 保留名称。请换一个。',
  'reserved-by-product': '以 .godwit 开头的名称为系统保留。请换一个。',
}

/** Why a password is refused. */
export const passwordFaultTexts: Readonly<Record<PasswordFault, string>> = {
  length: '密码长度不符合要求。',
  space: '密码不能包含空格。',
  chinese: '密码不能包含汉字。',
  account: '密码不能包含账号。',
  classes: '密码需组合使用大写字母、小写字母、数字和符号。',
}

/** Why a mail could not be sent, and what to do. */
export const smtpReasonTexts: Readonly<Record<SmtpReason, string>> = {
  'unknown-host': '找不到该邮件服务器。请检查服务器地址是否有误。',
  'not-allowed': '该邮件服务器位于内部网络。运维人员可通过 outbound.allow 放行。',
  refused: '该主机和端口没有响应。请检查端口：SSL/TLS 用 465，STARTTLS 用 587。',
  timeout: '邮件服务器未及时响应。请检查主机、端口以及中间的防火墙。',
  disconnected: '邮件服务器断开了连接。请检查端口与加密方式是否匹配。',
  'no-tls': '该端口不支持所选的加密方式。SSL/TLS 用 465，STARTTLS 用 587。',
  certificate: '邮件服务器的证书不受信任、已过期或与域名不符。',
  credentials: '邮件服务器拒绝了账号或密码。部分服务商需使用应用专用密码。',
  'no-sign-in': '邮件服务器在此不提供登录。请选择加密方式，或不填密码。',
  'sender-refused': '邮件服务器不接受此账号作为发件人。',
  'recipient-refused': '邮件服务器不接受收件人地址。',
  'message-refused': '邮件服务器拒收了这封邮件。',
  'password-unreadable': '已保存的密码无法读取。请重新输入。',
}

/** Why a licence is refused. */
export const licenceFaultTexts: Readonly<Record<LicenceFault, string>> = {
  form: '这不是许可证文件，或内容不完整。请原样使用收到的文件。',
  'no-issuer': '服务器尚未设置许可证签发方。请运维人员设置 licence.issuerKey。',
  signature: '许可证不是由本服务器的签发方签发，或签发后被修改。请重新获取文件。',
  machine: '此许可证属于其他安装。请使用本安装的机器码申请许可证。',
  'not-started': '许可证尚未生效。请检查其开始日期和服务器时间。',
}

/** Why an image of the site is refused. */
export const imageFaultTexts: Readonly<Record<ImageFault, string>> = {
  size: '文件过大。Logo 和水印不超过 512 KB，图标不超过 128 KB，背景不超过 4 MB。',
  type: '请选择 PNG 或 JPEG；图标请选择 ICO 或 PNG。SVG 可能包含脚本，因此不支持。',
  dimensions: '图片像素过大。Logo 不超过 160×70，图标不超过 64×64，背景和水印不超过 1920×1080。',
  broken: '文件已损坏。请重新保存图片后再选择。',
}

/** For a number that the catalogue does not hold; `{code}` is the number. */
export const unknownError = '未知错误（{code}）'

/** For an answer that is neither a success nor a business error. */
export const serverUnavailable = '服务器不可用（负载过高或出现故障），请稍后重试。'

/** Of QUOTA_EXCEEDED, where the bytes are those of a group. */
export const groupFull = '群组空间已用完。请清理群组中的文件，或为群组申请更多空间。'
