import { ENTRY_PATHS } from '../../features/identity/auth/index.ts'
import { readStored, readStoredJson, writeStored } from '../../lib/storage.ts'

const KEY = 'godwit.place'
/** Leads on to the first page that the person's menu has. */
export const LANDING = '/'

/** Whether an address is worth coming back to: a page behind the sign-in. The router leads on from one that is not there. */
function isPlace(address: string): boolean {
  const { origin, pathname } = new URL(address, location.origin)
  return origin === location.origin && pathname !== LANDING && !ENTRY_PATHS.some((path) => path === pathname)
}

/** Keeps where a person was when their session ended; only the same person gets it back. */
export function rememberPlace(userId: string | undefined): void {
  const address = location.pathname + location.search
  if (!isPlace(address)) return
  writeStored(KEY, JSON.stringify({ userId: userId ?? '', address }))
}

/** @returns the landing page when nothing was kept, or for somebody else */
export function takePlace(userId: string | undefined): string {
  const place = readStoredJson(KEY)
  if (readStored(KEY) !== undefined) writeStored(KEY, undefined)
  if (typeof place !== 'object' || place === null) return LANDING
  const { userId: owner, address } = place as { readonly userId?: unknown; readonly address?: unknown }
  // A link that was opened before anyone signed in belongs to whoever signs in next.
  const isOwn = owner === userId || owner === ''
  return isOwn && typeof address === 'string' && isPlace(address) ? address : LANDING
}
