export const LOCALES = ['zh-CN', 'en-US'] as const
export type Locale = (typeof LOCALES)[number]

/** The best supported locale for an `Accept-Language` style header; English when nothing fits. */
export function pickLocale(header: string | undefined): Locale {
  const wanted = (header ?? '').split(',').map((entry) => entry.trim().toLowerCase())
  return wanted.find((entry) => entry !== '')?.startsWith('zh') ? 'zh-CN' : 'en-US'
}
