import type { RecycleKey } from '../en-us/recycle.ts'

export const recycle: Readonly<Record<RecycleKey, string>> = {
  'recycle.place': '删除位置',
  'recycle.filter': '按名称查找',
  'recycle.column.from': '原位置',
  'recycle.column.deleted': '删除时间',
  'recycle.column.left': '剩余保留',
  'recycle.days-left': '{days, plural, =0 {不足一天} other {# 天}}',
  'recycle.restore': '恢复',
  'recycle.restore-to': '恢复到',
  'recycle.purge': '彻底删除',
  'recycle.purge.title': '{count, plural, =1 {彻底删除“{name}”？} other {彻底删除 # 项？}}',
  'recycle.purge.text': '此操作无法撤销。',
  'recycle.purged': '{count, plural, other {已彻底删除 # 项}}',
  'recycle.empty': '清空回收站',
  'recycle.empty.title': '清空回收站？',
  'recycle.empty.text': '其中的全部内容都会被彻底删除，包括此处尚未显示的内容。此操作无法撤销。',
  'recycle.emptied': '回收站已清空',
  'recycle.none.title': '回收站是空的',
  'recycle.none.text': '{days, plural, other {删除的内容会在这里保留 # 天，期间可以恢复。}}',
  'recycle.summary': '{days, plural, other {保留 # 天}} · 文件 {files} · 回收站 {bin} · 版本 {versions}',
  'recycle.more': '显示更多',
}
