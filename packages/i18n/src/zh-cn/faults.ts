import type { NameFault, PasswordFault } from '@godwit/contract'

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

/** For a number that the catalogue does not hold; `{code}` is the number. */
export const unknownError = '未知错误 ({code})'

/** For an answer that is neither a success nor a business error. */
export const serverUnavailable = '服务器不可用（负载过高或出现故障）。请稍后重试。'
