import type { Locale } from '../doctor/texts.ts'

export interface NoteTexts {
  readonly uploaded: string
  readonly downloaded: string
  /** Has a place for a number. */
  readonly several: (count: number) => string
  readonly failed: string
  readonly partial: (count: number) => string
  readonly asking: (count: number) => string
  readonly openFolder: string
  readonly copyLink: string
  readonly show: string
}

export const NOTE_TEXTS: Readonly<Record<Locale, NoteTexts>> = {
  'en-US': {
    ...{ uploaded: 'Upload completed', downloaded: 'Download completed', failed: 'Transfer failed' },
    several: (count) => `${count} transfers completed`,
    partial: (count) => (count === 1 ? '1 file failed' : `${count} files failed`),
    asking: (count) => (count === 1 ? '1 file already exists' : `${count} files already exist`),
    ...{ openFolder: 'Open folder', copyLink: 'Copy link', show: 'Show' },
  },
  'zh-CN': {
    ...{ uploaded: '上传完成', downloaded: '下载完成', failed: '传输失败' },
    several: (count) => `${count} 个传输已完成`,
    partial: (count) => `${count} 个文件失败`,
    asking: (count) => `${count} 个文件已存在`,
    ...{ openFolder: '打开文件夹', copyLink: '复制链接', show: '查看' },
  },
}
