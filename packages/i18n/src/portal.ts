import type { PortalKey } from './en-us/portal.ts'
import type { ErrorTexts } from './error-message.ts'
import type { Locale } from './locales.ts'

export type { PortalKey } from './en-us/portal.ts'
export type { ErrorTexts } from './error-message.ts'

export type PortalTexts = Readonly<Record<PortalKey, string>>

/** The portal's texts in one language; each language is a file of its own, so that a page loads only the one it shows. */
export async function loadPortalTexts(locale: Locale): Promise<PortalTexts> {
  switch (locale) {
    case 'zh-CN':
      return (await import('./zh-cn/portal.ts')).portal
    case 'en-US':
      return (await import('./en-us/portal.ts')).portal
  }
}

/** Texts for everything that can go wrong: not needed for the first paint. */
export async function loadErrorTexts(locale: Locale): Promise<ErrorTexts> {
  switch (locale) {
    case 'zh-CN':
      return (await import('./zh-cn/error-texts.ts')).errorTexts
    case 'en-US':
      return (await import('./en-us/error-texts.ts')).errorTexts
  }
}
