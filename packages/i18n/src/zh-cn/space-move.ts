import type { spaceMove as english } from '../en-us/space-move.ts'

/** 控制台中迁移空间存储的文案。 */
export const spaceMove: Readonly<Record<keyof typeof english, string>> = {
  'console-spaces.move.title': '“{name}”的存储',
  'console-spaces.move.help': '复制期间用户可照常工作，直到切换时才需要短暂停机。',
  'console-spaces.move.where': '当前位置',
  'console-spaces.move.where.lead': '该空间的个人目录和群组目录所在的存储。虚拟目录保持不变。',
  'console-spaces.move.where.none': '该空间中还没有内容。',
  'console-spaces.move.begin': '复制到其他存储',
  'console-spaces.move.begin.lead': '包括文件、历史版本和回收站。每个文件都会与存储时的内容核对。',
  'console-spaces.move.begin.title': '将“{name}”复制到“{storage}”？',
  'console-spaces.move.begin.text': '先测试目标存储。用户可照常工作，切换之前所有内容保持在原处。可随时暂停或放弃。',
  'console-spaces.move.none': '没有其他存储，或没有可复制的内容。请先添加存储。',
  'console-spaces.move.to': '目标存储',
  'console-spaces.move.copy': '开始复制',
  'console-spaces.move.task.copy': '复制到“{storage}”',
  'console-spaces.move.task.switch': '切换到“{storage}”',
  'console-spaces.move.task.cancel': '放弃迁移',
  'console-spaces.move.task.free': '释放旧存储',
  'console-spaces.move.progress': '已复制',
  'console-spaces.move.counting': '正在统计需要复制的内容…',
  'console-spaces.move.count': '{done} / {files} 个文件，{size} / {total}',
  'console-spaces.move.rate': '{rate}，约剩 {time}',
  'console-spaces.move.pause': '暂停',
  'console-spaces.move.paused': '已暂停。已复制的内容会保留，继续时从此处开始。',
  'console-spaces.move.resume': '继续',
  'console-spaces.move.again': '复制新的更改',
  'console-spaces.move.retry': '重试',
  'console-spaces.move.done': '截至 {time}，全部内容已在“{storage}”上：{files, plural, other {# 个文件}}，{size}。',
  'console-spaces.move.changed': '其间有 {count, plural, other {# 个文件}}被更改，请再次复制。',
  'console-spaces.move.left-out': '{count, plural, other {# 个链接或无法使用的名称}}保留在原处。',
  'console-spaces.move.by-command':
    '如需切换，请停止站点的所有服务器，并在主机上运行以下命令。它会复制此后的更改，用时很短。完成后再启动服务器。',
  'console-spaces.move.switch': '切换',
  'console-spaces.move.switch.title': '将“{name}”切换到“{storage}”？',
  'console-spaces.move.switch.text':
    '服务器暂不接受新的操作，直到正在进行的操作结束，最多等待 10 分钟。随后服务器重新启动，并再次核对该空间的每个文件，其间无法使用。尚有未完成上传的目录保持在原处。',
  'console-spaces.move.switch.busy':
    '服务器暂不接受新的操作，待正在进行的操作结束后重新启动，全部内容随即位于“{storage}”上。此页面会自动恢复。',
  'console-spaces.move.switch.done': '全部内容已在“{storage}”上。',
  'console-spaces.move.command': 'godwit space move {space} --to {storage} --switch',
  'console-spaces.move.hidden': '{keeper}：历史版本或已删除的文件',
  'console-spaces.move.cancel': '放弃',
  'console-spaces.move.cancel.title': '放弃迁移“{name}”？',
  'console-spaces.move.cancel.text': '该空间保持在原处，“{storage}”上的副本将被移除。',
  'console-spaces.move.cancel.busy': '正在移除副本…',
  'console-spaces.move.cancel.done':
    '该空间保持在原处，副本已移除。{count, plural, =0 {} other {有 # 个在那里被更改的文件保留。}}',
  'console-spaces.move.free': '释放旧存储',
  'console-spaces.move.free.title': '移除“{name}”的旧文件？',
  'console-spaces.move.free.text':
    '该空间已在新存储上。它留在旧存储上的内容将被删除，此后在那里被更改的文件除外。此操作无法撤销。',
  'console-spaces.move.free.busy': '正在移除旧文件…',
  'console-spaces.move.free.done': '旧存储已释放。{count, plural, =0 {} other {有 # 个在那里被更改的文件保留。}}',
  'console-spaces.move.switched': '已切换',
  'console-spaces.move.switched.text':
    '{count, plural, other {# 个个人目录或群组目录}}已在新存储上。旧存储上的文件会保留到手动移除为止。请先确认一切正常。',
}
