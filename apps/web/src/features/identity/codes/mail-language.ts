import type { MAIL_LANGUAGE } from '@godwit/contract'
import type { Locale } from '../../../lib/texts.tsx'

const WIRE: typeof MAIL_LANGUAGE = { 'zh-CN': 0, 'en-US': 1 }

/** The language in which a mail is asked for, as the wire has it. */
export function mailLanguageOf(locale: Locale): 0 | 1 {
  return WIRE[locale]
}
