import type { Db } from '../../kernel/db/index.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Ended } from './provider.types.ts'
import { openSignOn, type OpenDeps } from './providers.kinds.ts'
import { providersStore } from './providers.store.ts'
import type { SignOnSessionRow } from './providers.schema.ts'
import { signOnStore } from './sign-on.store.ts'

export interface SignOnSessionsDeps {
  readonly db: Db
  readonly vault: Vault
}

type LeaveDeps = SignOnSessionsDeps & OpenDeps

const LEAVE = 'sign-on-leave'

/** Notes which session of a provider a session here began with. */
export async function keepSession(
  { db, vault }: SignOnSessionsDeps,
  row: Omit<SignOnSessionRow, 'sealed_leave'>,
  leave: string,
): Promise<void> {
  // It names its person to the provider.
  await signOnStore.addSession(db, { ...row, sealed_leave: leave === '' ? '' : vault.seal(LEAVE, leave) })
}

export async function provenAt({ db }: Pick<SignOnSessionsDeps, 'db'>, sessionId: string): Promise<number | undefined> {
  const row = await signOnStore.session(db, sessionId)
  return row && Number(row.proven_at)
}

/** @param origin of the page that signs out; the provider leads back to its sign-in, when it allows that address */
export async function leaveTo(
  deps: LeaveDeps,
  sessionId: string,
  origin: string | undefined,
): Promise<string | undefined> {
  const { db, vault } = deps
  const session = await signOnStore.session(db, sessionId)
  if (session === undefined || session.sealed_leave === '') return undefined
  const row = await providersStore.byId(db, session.provider_id)
  const backTo = origin === undefined ? undefined : `${origin}/signin`
  return row && openSignOn(deps, row)?.leave(vault.open(LEAVE, session.sealed_leave), backTo)
}

export async function sessionsOf(db: Db, providerId: number, ended: Ended) {
  return signOnStore.sessionsOf(db, providerId, ended)
}
