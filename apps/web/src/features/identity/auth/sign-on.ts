import { routes } from '@godwit/contract/table'
import type { Api } from '../../../lib/http.ts'

/** What a sign-in at an identity provider leaves in this tab until it is back. It never leaves the browser. */
export interface Departed {
  /** Proves that this browser began it. */
  readonly key: string
  /** The page of this site to go on with. */
  readonly place: string
}

const KEY = 'godwit.sign-on'

/** Goes to the provider. The page is left, so nothing follows unless it fails. @throws ApiError */
export async function leaveForProvider(api: Api, providerId: number): Promise<void> {
  const { url, key } = await api.call(routes.signOn.begin, { body: { providerId } }, { token: null })
  const { pathname, search } = location
  sessionStorage.setItem(KEY, JSON.stringify({ key, place: pathname + search } satisfies Departed))
  location.assign(url)
}

/** What this tab left with; it counts once. */
export function takeDeparted(): Departed | undefined {
  const text = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  if (text === null) return undefined
  const { key, place } = JSON.parse(text) as Partial<Departed>
  return typeof key === 'string' && typeof place === 'string' ? { key, place } : undefined
}
