import type { ArchiveKey } from '../en-us/archives.ts'

/** Texts inside a zip that the server generates. */
export const archives: Readonly<Record<ArchiveKey, string>> = {
  'left-out.name': '未打包的内容.txt',
  'left-out.content':
    '以下文件夹中还有未放入此压缩包的内容：链接、设备、无法读取的文件、名称不是有效文字的文件，或在打包期间被替换的内容。如有需要，请联系管理员。',
  'left-out.folder': '文件夹 {folder}：{count}',
}
