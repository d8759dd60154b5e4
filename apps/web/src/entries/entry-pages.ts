import { admin } from '@godwit/contract/table/admin'
import { auth } from '@godwit/contract/table/auth'
import { site } from '@godwit/contract/table/site'
import type { TextBundle } from '@godwit/i18n/portal'

/**
 * The one list of HTML pages. Vite builds them, the server serves each one below its address, the offline worker leaves all but
 * the portal alone, and the budget has a row for each. A line here, its HTML and its entry are a new page.
 */

export interface EntryPage {
  /** In `apps/web`, and as built; names the page in the manifest. Two pages may be of one file. */
  readonly html: string
  /** First part of the addresses it answers, `/` for those of no other page. */
  readonly under: string
  /** It stands in a frame of another page, without an origin of its own, and draws what a stranger may have written. */
  readonly isFrame?: true
  /** What its first view needs besides its entry; the server names it in the page, so that it is fetched at once. */
  readonly first?: Pieces & {
    /** The server draws it: the styles of its parts come before the first paint. */
    readonly isDrawn?: true
  }
  /** What somebody who is signed in needs first: `assets/ahead.js` has it fetched while the page's code is on its way. */
  readonly inside?: Pieces & {
    /** Addresses that the page's first calls ask; one that ends in `?spaceId=` may name the space. */
    readonly asks: readonly string[]
  }
}

export interface Pieces {
  readonly texts: ReadonlyArray<TextBundle | 'portal'>
  /** Modules that the entry imports later, from `apps/web`. */
  readonly parts?: readonly string[]
}

export const PORTAL_PAGE = {
  ...{ html: 'index.html', under: '/', first: { texts: ['portal'] } },
  inside: {
    texts: ['inside', 'files'],
    parts: ['src/entries/portal/portal.tsx', 'src/features/content/files/empty-folder.tsx'],
    asks: [site.website.path, `${auth.info.path}?spaceId=`, site.service.path],
  },
} as const satisfies EntryPage

/** The portal where somebody arrives to sign in: the same page, which the server draws. */
export const SIGN_IN_PAGE: EntryPage = {
  ...{ html: 'index.html', under: '/signin' },
  first: { texts: ['portal'], isDrawn: true },
}

/** The page of links. */
export const PUBLIC_PAGE = {
  ...{ html: 'public.html', under: '/share' },
  first: {
    texts: ['portal', 'share', 'inside'],
    parts: ['src/features/exchange/visits/visit-disk.tsx'],
    isDrawn: true,
  },
} as const satisfies EntryPage

export const CONSOLE_PAGE = {
  ...{ html: 'console.html', under: '/admin' },
  first: { texts: ['portal'] },
  inside: {
    texts: ['inside', 'identity', 'console'],
    parts: ['src/entries/console/console.tsx'],
    asks: [site.website.path, admin.me.path],
  },
} as const satisfies EntryPage

export const ENTRY_PAGES: readonly EntryPage[] = [
  PORTAL_PAGE,
  SIGN_IN_PAGE,
  PUBLIC_PAGE,
  CONSOLE_PAGE,
  { html: 'document.html', under: '/viewer/document', isFrame: true },
]

/** Which page answers at this path, which has no query. */
export function entryPageAt(path: string): EntryPage {
  return ENTRY_PAGES.find(({ under }) => path === under || path.startsWith(`${under}/`)) ?? PORTAL_PAGE
}
