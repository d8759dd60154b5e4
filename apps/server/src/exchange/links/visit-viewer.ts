import type { GuestEntry } from '@godwit/contract'
import type { Viewer } from '../../content/previews/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { GuestPrincipal } from '../../kernel/principal.ts'
import { guestsStore } from './link-guests.store.ts'
import { visitsStore } from './visits.store.ts'

/** In place of the account of somebody of whom nothing is known; marks are made before a language is. */
const NOBODY = 'guest'

/**
 * A guest as a watermark names them: the proven address or the account of the visit, and what they said of themselves.
 * @param address where the request came from
 */
export async function guestViewer(
  { db }: { readonly db: Db },
  { visitId }: GuestPrincipal,
  address: string,
): Promise<Viewer> {
  const visit = await visitsStore.byId(db, visitId)
  const entry = JSON.parse((await guestsStore.entriesOf(db, [visitId])).get(visitId) ?? '[]') as GuestEntry
  const own = visit === undefined || visit.user_id === '' ? undefined : await usersStore.byId(db, visit.user_id)
  const account = visit?.recipient || entry.find(({ kind }) => kind === 'email')?.value || NOBODY
  const name = own?.name || entry.find(({ kind }) => kind === 'name')?.value || account
  return { account, name, address }
}
