/** Of running transfers, of folders in sync, and of rooms where two programs meet. */
export const exchangeErrors = {
  TRANSFER_TAKEN_OVER: '该传输已由另一个标签页或设备接管。',
  TRANSFER_DEADLINE_PAST: '该时间已过，请选择将来的时间。',
  RENDEZVOUS_OFF: '本站点不为 gwt 程序建立连接。',
  RENDEZVOUS_ACCOUNT_REQUIRED: '接收方需要本站点账号的 API 令牌。',
  RENDEZVOUS_ROOM_NOT_FOUND: '没有接收方在此号码下等待，请核对代码。',
  RENDEZVOUS_ROOM_TAKEN: '此号码下已有其他程序连接。',
  RENDEZVOUS_RECEIVER_AWAY: '接收方目前未连接。',
  RENDEZVOUS_ROOM_EXPIRED: '10 分钟内无人连接，或接收方已重新连接，此号码在此处已失效。',
  RENDEZVOUS_ROOMS_LIMIT: '此账号或地址等待中的接收方过多。',
  RENDEZVOUS_RELAY_LIMIT: '本站点的中继为此代码传输的数据量已达上限。',
  SYNC_OFF: '此处未开启文件夹同步，请联系管理员。',
} as const
