/** Of any request. */
export const generalErrors = {
  PARAMETER_INVALID: '部分输入不正确。请检查标出的内容后重试。',
  RATE_LIMITED: '操作太频繁。请稍等片刻再试。',
  ORIGIN_REFUSED: '请求来自其他网站，已被拒绝。请直接打开本站。',
  ROUTE_NOT_FOUND: '这个地址不存在。请检查地址是否正确。',
  CONTENT_TYPE_UNSUPPORTED: '服务器不接受这种类型的数据。请换一种格式提交。',
  BODY_TOO_LARGE: '请求内容过大。请减少一次提交的内容。',
  INTERNAL: '服务器出现故障。请稍后重试；如果仍然失败，请把请求编号告诉管理员。',
  SERVICE_STOPPING: '服务器正在重启，马上恢复。已有的内容不会丢失。',
  SETUP_DONE: '站点已完成初始设置。请直接登录。',
  SETUP_TOKEN_WRONG: '初始设置口令不正确。请从服务器启动时的输出中重新复制。',
  RESTART_REQUIRED: '更改已保存，重启服务器后生效。',
  SITE_ACCESS_DENIED: '当前网络不允许访问本站。请联系管理员。',
  HEADERS_TOO_LARGE: '请求头过大。请清除本站的 Cookie 后重试。',
  SERVER_PAUSED: '服务器已暂停以进行维护，恢复后即可重新登录并开始新的传输。',
  REQUEST_TIMEOUT: '请求发送时间过长，请重试。',
  SERVER_BUSY: '服务器正忙，请几秒后重试。',
} as const
