import type { HelpKey } from '../en-us/help.ts'

/** 快捷键一览的文案。 */
export const help: Readonly<Record<HelpKey, string>> = {
  'help.title': '键盘快捷键',
  'help.group.files': '文件',
  'help.group.selection': '选择',
  'help.group.navigation': '移动',
  'help.group.uploads': '上传',
  'help.group.general': '通用',
  'help.single-keys': '单键快捷键',
  'help.single-keys-hint': '使用语音输入或容易误触时可以关闭。',
  'help.key.move': '移动焦点',
  'help.key.extend': '扩展选择',
  'help.key.move-only': '只移动，不选择',
  'help.key.toggle': '选择或取消选择此行',
  'help.key.ends': '第一行或最后一行',
  'help.key.page': '上一页或下一页',
  'help.key.letters': '跳到以这些字母开头的名称',
  'help.key.menu': '打开此行的菜单',
  'help.letters': '字母键',
}
