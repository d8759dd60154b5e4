import type { ErrorName } from '@godwit/contract'

/** Used in place of the plain text when the data of the error has a number for every placeholder (seconds also as minutes). */
export const detailedErrors: Readonly<Partial<Record<ErrorName, string>>> = {
  PASSWORD_WRONG: '账号或密码错误。已失败 {loginFailTimes} 次，达到 {maxLockTimes} 次后账号将锁定 {lockMinutes} 分钟。',
  ACCOUNT_LOCKED: '账号已锁定。请 {minutesLeft} 分钟后再试，或联系管理员。',
  ADDRESS_LOCKED: '当前 IP 因多次失败已被锁定。请 {minutesLeft} 分钟后再试。',
  RATE_LIMITED: '操作太频繁。请 {retryAfterSeconds} 秒后再试。',
  EDITION_USER_LIMIT: '当前版本最多允许 {limit} 个用户。请删除部分用户或升级版本。',
  CLIENT_CONNECTION_LIMIT: '当前版本最多允许 {limit} 个客户端同时在线。请关闭一个或升级版本。',
  SHARE_TOO_MANY_FILES: '一个链接最多包含 {limit} 个文件。请减少选择，或分享所在文件夹。',
  TOO_MANY_PATHS: '一次最多选择 {limit} 个项目。请减少选择。',
  NAME_TOO_LONG: '名称过长。最多 {max} 个字符。',
  REMARK_TOO_LONG: '备注过长。最多 {max} 个字符。',
  STORAGE_SLICE_SIZE_INVALID: '分片大小应在 {min}～{max} 字节之间。',
}
