import type { OverallState } from '@godwit/contract'
import type { Locale } from '../doctor/texts.ts'

export type TrayTexts = Readonly<Record<OverallState | 'open' | 'pause' | 'resume' | 'quit', string>>

export const TRAY_TEXTS: Readonly<Record<Locale, TrayTexts>> = {
  'en-US': {
    ...{
      error: 'Some transfers failed',
      offline: 'Not connected',
      asking: 'Needs your answer',
      paused: 'Paused',
      active: 'Transferring',
    },
    ...{ idle: 'Up to date', open: 'Open', pause: 'Pause all', resume: 'Resume all', quit: 'Quit' },
  },
  'zh-CN': {
    ...{ error: '部分传输失败', offline: '未连接', asking: '等待你的选择', paused: '已暂停', active: '传输中' },
    ...{ idle: '已全部完成', open: '打开', pause: '全部暂停', resume: '全部继续', quit: '退出' },
  },
}
