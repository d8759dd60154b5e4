import type { AnnouncementsKey } from './en-us/announcements.ts'
import type { AuthenticationKey } from './en-us/authentication.ts'
import type { ConsoleKey } from './en-us/console.ts'
import type { DashboardKey } from './en-us/dashboard.ts'
import type { FilesKey } from './en-us/files.ts'
import type { HelpKey } from './en-us/help.ts'
import type { HooksKey } from './en-us/hooks.ts'
import type { IdentityKey } from './en-us/identity.ts'
import type { InsideKey } from './en-us/inside.ts'
import type { LinksKey } from './en-us/links.ts'
import type { LocalKey } from './en-us/local.ts'
import type { MarksKey } from './en-us/marks.ts'
import type { OperationsKey } from './en-us/operations.ts'
import type { PapersKey } from './en-us/papers.ts'
import type { PlacesKey } from './en-us/places.ts'
import type { FirstKey } from './en-us/portal.ts'
import type { PreviewsKey } from './en-us/previews.ts'
import type { RecycleKey } from './en-us/recycle.ts'
import type { SealedKey } from './en-us/sealed.ts'
import type { ShareKey } from './en-us/share.ts'
import type { TransfersKey } from './en-us/transfers.ts'
import type { UploadsKey } from './en-us/uploads.ts'
import type { ErrorTexts } from './error-message.ts'
import type { Locale } from './locales.ts'

export type { ErrorTexts } from './error-message.ts'

/** Texts that only a part of a page needs, loaded with it. A new one is a line here and a file in each language. */
interface BundleKeys {
  /** Behind the sign-in. */
  readonly inside: InsideKey
  /** Dialogs of the file list. */
  readonly files: FilesKey
  /** The sheet of keyboard shortcuts. */
  readonly help: HelpKey
  /** Setup, recovery and the personal center. */
  readonly identity: IdentityKey
  /** The file viewer. */
  readonly previews: PreviewsKey
  /** Uploads under way. */
  readonly uploads: UploadsKey
  /** Dialogs and lists of links. */
  readonly links: LinksKey
  /** The page of the recycle bin. */
  readonly recycle: RecycleKey
  /** Pages of favorites and of what was worked with lately. */
  readonly marks: MarksKey
  /** Transfers by the desktop client. */
  readonly transfers: TransfersKey
  /** Files of end-to-end encrypted links. */
  readonly sealed: SealedKey
  /** The page of the desktop client itself. */
  readonly local: LocalKey
  /** The public page of a link. */
  readonly share: ShareKey
  /** The administrator's console. */
  readonly console: ConsoleKey
  /** Its pages of storages, spaces, links, transfers and devices. */
  readonly places: PlacesKey
  /** Its pages of directories. */
  readonly authentication: AuthenticationKey
  /** Its pages of notices that administrators write. */
  readonly announcements: AnnouncementsKey
  /** Its pages of webhooks. */
  readonly hooks: HooksKey
  /** Its pages of the licence and of certificates. */
  readonly papers: PapersKey
  /** Its operation log. */
  readonly operations: OperationsKey
  /** Its first page. */
  readonly dashboard: DashboardKey
}

export type TextBundle = keyof BundleKeys

export type PortalKey = FirstKey | BundleKeys[TextBundle]

/** Those of bundles are missing until they are loaded. */
export type PortalTexts = Readonly<Record<FirstKey, string>> & Partial<Readonly<Record<PortalKey, string>>>

type BundleTexts<Name extends TextBundle> = Readonly<Record<BundleKeys[Name], string>>

type BundleLoaders = { readonly [Name in TextBundle]: () => Promise<BundleTexts<Name>> }

/** Written out, so that each language of each bundle becomes a file of its own. */
const BUNDLES: Readonly<Record<Locale, BundleLoaders>> = {
  'zh-CN': {
    inside: async () => (await import('./zh-cn/inside.ts')).inside,
    files: async () => (await import('./zh-cn/files.ts')).files,
    help: async () => (await import('./zh-cn/help.ts')).help,
    identity: async () => (await import('./zh-cn/identity.ts')).identity,
    previews: async () => (await import('./zh-cn/previews.ts')).previews,
    uploads: async () => (await import('./zh-cn/uploads.ts')).uploads,
    links: async () => (await import('./zh-cn/links.ts')).links,
    recycle: async () => (await import('./zh-cn/recycle.ts')).recycle,
    marks: async () => (await import('./zh-cn/marks.ts')).marks,
    transfers: async () => (await import('./zh-cn/transfers.ts')).transfers,
    sealed: async () => (await import('./zh-cn/sealed.ts')).sealed,
    local: async () => (await import('./zh-cn/local.ts')).local,
    share: async () => (await import('./zh-cn/share.ts')).share,
    console: async () => (await import('./zh-cn/console.ts')).console,
    places: async () => (await import('./zh-cn/places.ts')).places,
    authentication: async () => (await import('./zh-cn/authentication.ts')).authentication,
    dashboard: async () => (await import('./zh-cn/dashboard.ts')).dashboard,
    announcements: async () => (await import('./zh-cn/announcements.ts')).announcements,
    hooks: async () => (await import('./zh-cn/hooks.ts')).hooks,
    papers: async () => (await import('./zh-cn/papers.ts')).papers,
    operations: async () => (await import('./zh-cn/operations.ts')).operations,
  },
  'en-US': {
    inside: async () => (await import('./en-us/inside.ts')).inside,
    files: async () => (await import('./en-us/files.ts')).files,
    help: async () => (await import('./en-us/help.ts')).help,
    identity: async () => (await import('./en-us/identity.ts')).identity,
    previews: async () => (await import('./en-us/previews.ts')).previews,
    uploads: async () => (await import('./en-us/uploads.ts')).uploads,
    links: async () => (await import('./en-us/links.ts')).links,
    recycle: async () => (await import('./en-us/recycle.ts')).recycle,
    marks: async () => (await import('./en-us/marks.ts')).marks,
    transfers: async () => (await import('./en-us/transfers.ts')).transfers,
    sealed: async () => (await import('./en-us/sealed.ts')).sealed,
    local: async () => (await import('./en-us/local.ts')).local,
    share: async () => (await import('./en-us/share.ts')).share,
    console: async () => (await import('./en-us/console.ts')).console,
    places: async () => (await import('./en-us/places.ts')).places,
    authentication: async () => (await import('./en-us/authentication.ts')).authentication,
    dashboard: async () => (await import('./en-us/dashboard.ts')).dashboard,
    announcements: async () => (await import('./en-us/announcements.ts')).announcements,
    hooks: async () => (await import('./en-us/hooks.ts')).hooks,
    papers: async () => (await import('./en-us/papers.ts')).papers,
    operations: async () => (await import('./en-us/operations.ts')).operations,
  },
}

export const TEXT_BUNDLES = Object.keys(BUNDLES['en-US']) as readonly TextBundle[]

export function loadTextBundle<Name extends TextBundle>(locale: Locale, name: Name): Promise<BundleTexts<Name>> {
  return BUNDLES[locale][name]()
}

/** What a first visit says, in one language; each language is a file of its own, so that a page loads only the one it shows. */
export async function loadPortalTexts(locale: Locale): Promise<Readonly<Record<FirstKey, string>>> {
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
