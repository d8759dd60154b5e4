import type { Locale } from '../doctor/texts.ts'

/** Why what the person chose in a dialog is not done, in the dialog that says so. */
export type OrderTexts = Readonly<Record<'refused' | 'not-found' | 'loop', string>>

export const ORDER_TEXTS: Readonly<Record<Locale, OrderTexts>> = {
  'en-US': {
    refused: 'Too many transfers are waiting. Remove some, and try again.',
    'not-found': 'There is no such folder any more.',
    loop: 'A folder inside or around this one is kept in sync the other way. Choose another folder.',
  },
  'zh-CN': {
    refused: '等待中的传输过多。请移除一些后重试。',
    'not-found': '该文件夹已不存在。',
    loop: '此文件夹的上级或下级文件夹正以相反方向同步，请选择其他文件夹。',
  },
}
