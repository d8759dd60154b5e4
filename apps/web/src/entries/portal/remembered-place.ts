import { readStored, readStoredJson, writeStored } from '../../lib/storage.ts'

const KEY = 'godwit.place'
export const LANDING = '/personal'

/** Keeps where a person was when their session ended; only the same person gets it back (document 1, section 2). */
export function rememberPlace(userId: string | undefined): void {
  const address = location.pathname + location.search
  if (!address.startsWith('/personal')) return
  writeStored(KEY, JSON.stringify({ userId: userId ?? '', address }))
}

export function takePlace(userId: string | undefined): string {
  const place = readStoredJson(KEY)
  if (readStored(KEY) !== undefined) writeStored(KEY, undefined)
  if (typeof place !== 'object' || place === null) return LANDING
  const { userId: owner, address } = place as { readonly userId?: unknown; readonly address?: unknown }
  const isOwn = owner === userId || owner === ''
  return isOwn && typeof address === 'string' && address.startsWith('/personal') ? address : LANDING
}
