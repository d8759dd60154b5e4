import type { InsideKey } from './en-us/inside.ts'
import type { FirstKey } from './en-us/portal.ts'
import type { ErrorTexts } from './error-message.ts'
import type { Locale } from './locales.ts'

export type { ErrorTexts } from './error-message.ts'

export type PortalKey = FirstKey | InsideKey

/** Those behind the sign-in are missing until they are loaded. */
export type PortalTexts = Readonly<Record<FirstKey, string>> & Partial<Readonly<Record<InsideKey, string>>>

/** What a first visit says, in one language; each language is a file of its own, so that a page loads only the one it shows. */
export async function loadPortalTexts(locale: Locale): Promise<Readonly<Record<FirstKey, string>>> {
  switch (locale) {
    case 'zh-CN':
      return (await import('./zh-cn/portal.ts')).portal
    case 'en-US':
      return (await import('./en-us/portal.ts')).portal
  }
}

/** What is said behind the sign-in only. */
export async function loadInsideTexts(locale: Locale): Promise<Readonly<Record<InsideKey, string>>> {
  switch (locale) {
    case 'zh-CN':
      return (await import('./zh-cn/inside.ts')).inside
    case 'en-US':
      return (await import('./en-us/inside.ts')).inside
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
