import type { ErrorName, NameFault, PasswordFault } from '@godwit/contract'
import type { PortalKey } from './en-us/portal.ts'
import type { Locale } from './locales.ts'

export type { PortalKey } from './en-us/portal.ts'

export type PortalTexts = Readonly<Record<PortalKey, string>>

export interface FaultTexts {
  readonly errors: Readonly<Record<ErrorName, string>>
  readonly detailed: Readonly<Partial<Record<ErrorName, string>>>
  readonly names: Readonly<Record<NameFault, string>>
  readonly passwords: Readonly<Record<PasswordFault, string>>
}

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
export async function loadFaultTexts(locale: Locale): Promise<FaultTexts> {
  switch (locale) {
    case 'zh-CN':
      return gather(
        await Promise.all([
          import('./zh-cn/errors.ts'),
          import('./zh-cn/detailed-errors.ts'),
          import('./zh-cn/faults.ts'),
        ]),
      )
    case 'en-US':
      return gather(
        await Promise.all([
          import('./en-us/errors.ts'),
          import('./en-us/detailed-errors.ts'),
          import('./en-us/faults.ts'),
        ]),
      )
  }
}

type FaultModules = readonly [
  { readonly errors: FaultTexts['errors'] },
  { readonly detailedErrors: FaultTexts['detailed'] },
  { readonly nameFaultTexts: FaultTexts['names']; readonly passwordFaultTexts: FaultTexts['passwords'] },
]

function gather([{ errors }, { detailedErrors }, { nameFaultTexts, passwordFaultTexts }]: FaultModules): FaultTexts {
  return { errors, detailed: detailedErrors, names: nameFaultTexts, passwords: passwordFaultTexts }
}
