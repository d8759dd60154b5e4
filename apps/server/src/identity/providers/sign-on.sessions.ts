import type { Db } from '../../kernel/db/index.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Ended } from './provider.types.ts'
import type { SignOnSessionRow } from './providers.schema.ts'
import { signOnStore } from './sign-on.store.ts'

export interface SignOnSessionsDeps {
  readonly db: Db
  readonly vault: Vault
}

const LEAVE = 'sign-on-leave'

/** Notes which session of a provider a session here began with. */
export async function keepSession(
  { db, vault }: SignOnSessionsDeps,
  row: Omit<SignOnSessionRow, 'sealed_leave'>,
  leave: string,
): Promise<void> {
  // The address names its person in a token of the provider.
  await signOnStore.addSession(db, { ...row, sealed_leave: leave === '' ? '' : vault.seal(LEAVE, leave) })
}

export async function provenAt({ db }: Pick<SignOnSessionsDeps, 'db'>, sessionId: string): Promise<number | undefined> {
  const row = await signOnStore.session(db, sessionId)
  return row && Number(row.proven_at)
}

/** @param origin of the page that signs out; the provider leads back to its sign-in, when it allows that address */
export async function leaveTo(
  { db, vault }: SignOnSessionsDeps,
  sessionId: string,
  origin: string | undefined,
): Promise<string | undefined> {
  const row = await signOnStore.session(db, sessionId)
  if (row === undefined || row.sealed_leave === '') return undefined
  const url = new URL(vault.open(LEAVE, row.sealed_leave))
  if (origin !== undefined) url.searchParams.set('post_logout_redirect_uri', `${origin}/signin`)
  return url.href
}

export async function sessionsOf(db: Db, providerId: number, ended: Ended) {
  return signOnStore.sessionsOf(db, providerId, ended)
}
