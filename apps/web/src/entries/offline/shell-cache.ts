import { INCOMING } from '@godwit/contract/content/incoming'
import { entryPageAt, PORTAL_PAGE, SIGN_IN_PAGE } from '../entry-pages.ts'

/** What the offline worker may keep: the portal's page and its built pieces, never an answer of the server or anybody's content. */

export type Keeping =
  /** The page that every address of the portal opens; kept under its root, whatever the address was. */
  | 'page'
  /** The portal's page as the server drew it for somebody who signs in: asked for anew, never kept; the kept page opens without an answer. */
  | 'drawn'
  /** Named by its content: never changes. */
  | 'piece'
  /** A fixed name: asked for anew, kept for when there is no answer. */
  | 'fixture'
  /** Files that another app of the device shares: they stay on the device until the person says where they go. */
  | 'incoming'
  /** None of the worker's business. */
  | 'nothing'

export interface Asked {
  readonly method: string
  readonly isNavigation: boolean
  /** Path of the address, without query. */
  readonly path: string
}

/** Addresses that the server answers itself, though a person may open them in a tab. */
const SERVED = /^\/(api|ws|files|customize|download|docs|healthz|readyz)(\/|$)/
/** The build puts eight characters of the content's hash before the extension. */
const PIECE = /^\/assets\/[^/]+-[\w-]{8}\.(js|css|svg|wasm)$/

export function keepingOf({ method, isNavigation, path }: Asked): Keeping {
  if (method === 'POST' && isNavigation && path === INCOMING.page) return 'incoming'
  if (method !== 'GET') return 'nothing'
  if (isNavigation) {
    const asked = entryPageAt(path)
    if (SERVED.test(path) || path.includes('.')) return 'nothing'
    if (asked === SIGN_IN_PAGE) return 'drawn'
    return asked === PORTAL_PAGE ? 'page' : 'nothing'
  }
  if (PIECE.test(path)) return 'piece'
  return /^\/assets\/[^/]+$/.test(path) ? 'fixture' : 'nothing'
}
