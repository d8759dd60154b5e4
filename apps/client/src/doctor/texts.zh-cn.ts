import type { FindingKey, FindingText } from './texts.en-us.ts'

/** Findings of `godwit-client doctor`: what was found, who can mend it, and the next step. */
export const findings: Readonly<Record<FindingKey, FindingText>> = {
  'server-ok': { text: '服务器在 {ms} 毫秒后响应。' },
  'server-unreachable': {
    text: '服务器没有响应：{reason}。',
    who: '您或网络管理员',
    next: '请检查地址和网络连接，以及代理或防火墙是否允许本程序访问外部网络。',
  },
  'server-foreign': {
    text: '此地址有响应，但不是 Godwit 服务器（状态 {status}）。',
    who: '服务器管理员',
    next: '请检查地址。服务器前面的代理可能代为响应。',
  },
  'certificate-ok': { text: '证书可信，还有 {days} 天有效。' },
  'certificate-soon': { text: '证书将在 {days} 天后到期。', who: '服务器管理员', next: '请更新证书。' },
  'certificate-refused': {
    text: '证书不受信任：{reason}。',
    who: '服务器管理员',
    next: '请安装由知名机构签发的证书，或将其签发机构添加到本机。',
  },
  'certificate-none': {
    text: '连接未加密：地址以 http 开头。',
    who: '服务器管理员',
    next: '请通过 https 提供门户，并使用新地址登录。',
  },
  'clock-ok': { text: '本机与服务器的时钟一致。' },
  'clock-off': {
    text: '本机与服务器的时钟相差 {seconds} 秒。',
    who: '您或服务器管理员',
    next: '请让双方通过网络校时。在此之前，文件时间和到期时间不准确。',
  },
  'account-ok': { text: '{account} 已登录。' },
  'account-refused': {
    text: '登录已失效：{reason}。',
    who: '您',
    next: '请重新登录：godwit-client login {server}',
  },
  'upload-denied': {
    text: '该账号不能上传到其根目录，因此未测量线路：{reason}',
    who: '服务器管理员',
    next: '如有需要，请申请上传权限。',
  },
  'port-closed': {
    text: '服务器没有打开传输端口。',
    who: '服务器管理员',
    next: '请在控制台打开传输端口，并在日志中查看其故障。',
  },
  'port-forbidden': {
    text: '此账号不能使用客户端传输。',
    who: '服务器管理员',
    next: '请更改该账号或站点的传输方式。',
  },
  'tcp-ok': { text: '传输端口 {host}:{port} 可通过 TCP 访问。' },
  'tcp-blocked': {
    text: '无法通过 TCP 访问传输端口 {host}:{port}：{reason}。',
    who: '本网络或服务器的防火墙管理员',
    next: '请放行到端口 {port} 的 TCP 和 UDP。网页代理不会转发它。',
  },
  'udp-ok': { text: 'UDP 畅通：测得 {mbps} Mbit/s（测量上限 {limit}），往返 {ms} 毫秒。' },
  'udp-off': { text: '服务器已关闭 UDP，或此距离不使用 UDP；TCP 速度为 {mbps} Mbit/s。' },
  'udp-blocked': {
    text: 'UDP 不通，已改用 TCP：{mbps} Mbit/s。（{reason}）',
    who: '本网络或服务器的防火墙管理员',
    next: '请双向放行到端口 {port} 的 UDP。在远距离或有丢包的线路上，它要快得多。',
  },
  'mtu-ok': { text: '可通过 {bytes} 字节的数据包。' },
  'mtu-small': {
    text: '只能通过 {bytes} 字节的数据包；服务器允许 {wanted} 字节。',
    who: '网络管理员',
    next: '隧道或 VPN 会占用每个数据包的空间。可以正常使用，只是处理器开销略高。',
  },
  'loss-ok': { text: '丢包率 {percent} %。' },
  'loss-high': {
    text: '丢包率 {percent} %。',
    who: '网络管理员',
    next: '请用网线代替无线网络，并检查线路是否过载。丢包率在百分之几以内时，UDP 仍然很快。',
  },
  'disk-ok': { text: '{folder} 所在磁盘的写入速度为 {mbps} MB/s。' },
  'disk-slow': {
    text: '{folder} 所在磁盘的写入速度为 {mbps} MB/s，下载不会更快。',
    who: '您',
    next: '请下载到另一个磁盘：godwit-client folders downloads FOLDER',
  },
  'disk-fault': {
    text: '无法写入下载文件夹 {folder}：{reason}。',
    who: '您',
    next: '请释放空间，或选择其他文件夹：godwit-client folders downloads FOLDER',
  },
}
