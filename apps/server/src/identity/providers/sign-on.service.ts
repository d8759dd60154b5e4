import { SIGN_ON_PAGE } from '@godwit/contract'
import { hashToken, newToken, secretsEqual } from '../../kernel/crypto/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { UserRow } from '../users/index.ts'
import type { Arrival, SignOutMessage } from './provider.types.ts'
import { openBrowserSignOn, openSignOn, sourceIn, type OpenDeps } from './providers.kinds.ts'
import type { ProviderRow } from './providers.schema.ts'
import { providersStore } from './providers.store.ts'
import { settle, type SettleDeps } from './sign-in.service.ts'
import { sessionsOf } from './sign-on.sessions.ts'
import { signOnStore } from './sign-on.store.ts'

export interface SignOnDeps extends OpenDeps, SettleDeps {}

/** A person signs in at the provider, perhaps with a second factor, within this time. */
const LIFE_MS = 10 * 60_000
const KEPT = 'sign-on-flow'
const POSTED = 'sign-on-answer'

interface Kept {
  readonly redirectUri: string
  readonly kept: Readonly<Record<string, string>>
}

/** Names on the buttons of the sign-in page, in their order. */
export async function listSignOns(db: Db) {
  const rows = (await providersStore.all(db)).filter(({ enabled }) => enabled === 1)
  return rows.flatMap((row) => {
    const { kind, settings } = sourceIn(row)
    if (kind !== 'oidc' && kind !== 'saml') return []
    return [{ id: row.id, nameZH: settings.nameZH || row.name, nameEN: settings.nameEN || row.name }]
  })
}

/**
 * Begins a sign-in at a provider. What comes back counts only together with the key, which never leaves the browser.
 * @param origin of this site, as the person's browser has it
 * @throws AppError AUTH_PROVIDER_NOT_FOUND, and those of the provider
 */
export async function beginSignOn(
  deps: SignOnDeps,
  { providerId, again, origin }: { readonly providerId: number; readonly again: boolean; readonly origin: string },
): Promise<{ readonly url: string; readonly key: string }> {
  const { db, clock, random, vault } = deps
  const signOn = await enabledSignOn(deps, providerId)
  const [state, key] = [newToken(random), newToken(random)]
  const redirectUri = `${origin}${SIGN_ON_PAGE}`
  const { url, kept } = await signOn.opened.begin({ redirectUri, state, again })
  await signOnStore.forgetFlows(db, clock.now())
  const sealed = vault.seal(KEPT, JSON.stringify({ redirectUri, kept } satisfies Kept))
  await signOnStore.addFlow(db, {
    ...{ state_hash: hashToken(state), key_hash: hashToken(key), provider_id: providerId, sealed },
    ...{ expires_at: clock.now() + LIFE_MS, posted: null },
  })
  return { url, key }
}

async function enabledSignOn(deps: SignOnDeps, providerId: number) {
  const row = await providersStore.byId(deps.db, providerId)
  const opened = row?.enabled === 1 ? openSignOn(deps, row) : undefined
  if (row === undefined || opened === undefined) throw new AppError('AUTH_PROVIDER_NOT_FOUND')
  return { row, opened }
}

/**
 * Keeps what a provider had a browser post, until the page that began the sign-in asks for it: the post comes from another
 * site and says nothing of the browser. It is not looked at before. One for no sign-in, or a second one, is left out.
 */
export async function keepPosted(
  { db, clock, vault }: Pick<SignOnDeps, 'db' | 'clock' | 'vault'>,
  { state, posted }: { readonly state: string; readonly posted: string },
): Promise<void> {
  await signOnStore.keepPosted(db, {
    stateHash: hashToken(state),
    posted: vault.seal(POSTED, posted),
    now: clock.now(),
  })
}

export interface SignedOn {
  readonly user: UserRow
  readonly providerId: number
  readonly arrival: Arrival
}

/**
 * Finishes a sign-in with what the provider sent back. It counts once, whatever comes of it.
 * @returns the account, made or brought up to date
 * @throws AppError SIGN_ON_STALE, SIGN_ON_REFUSED, SIGN_ON_NO_ACCOUNT, and those of the provider
 */
export async function finishSignOn(
  deps: SignOnDeps,
  { key, answer }: { readonly key: string; readonly answer: string },
): Promise<SignedOn> {
  const { db, clock, vault } = deps
  const state = new URLSearchParams(answer).get('state') ?? ''
  const flow = await signOnStore.flow(db, hashToken(state))
  const isOwn = flow !== undefined && secretsEqual(flow.key_hash, hashToken(key)) && flow.expires_at > clock.now()
  // Two that come back at once: the first one takes it.
  if (!isOwn || !(await signOnStore.takeFlow(db, flow.state_hash))) throw new AppError('SIGN_ON_STALE')
  const { row, opened } = await enabledSignOn(deps, flow.provider_id)
  const { redirectUri, kept } = JSON.parse(vault.open(KEPT, flow.sealed)) as Kept
  const posted = flow.posted === null ? '' : vault.open(POSTED, flow.posted)
  const arrival = await opened.finish({ redirectUri, state, kept, query: answer, posted })
  const user = await settle(deps, row, arrival.person)
  if (user === undefined) throw new AppError('SIGN_ON_NO_ACCOUNT', { provider: row.name })
  return { user, providerId: row.id, arrival }
}

/**
 * Sessions that end because their person signed out at the provider.
 * @throws AppError SIGN_ON_ANSWER_INVALID for a notice of nobody who is known here
 */
export async function sessionsEndedBy(deps: SignOnDeps, notice: string) {
  const claims = unproven(notice)
  for (const row of await providersStore.all(deps.db)) {
    if (row.enabled === 0 || !isMeant(row, claims)) continue
    const ended = await openSignOn(deps, row)?.ended(notice)
    if (ended !== undefined) return sessionsOf(deps.db, row.id, ended)
  }
  throw new AppError('SIGN_ON_ANSWER_INVALID')
}

/**
 * Sessions that end because their person signed out at a provider that sent the browser here to say so.
 * @returns with where the browser goes with the answer; '' for nowhere
 * @throws AppError SIGN_ON_ANSWER_INVALID for a message of nobody who is known here
 */
export async function signedOutBy(deps: SignOnDeps, message: SignOutMessage) {
  let silent: AppError | undefined
  for (const row of await providersStore.all(deps.db)) {
    if (row.enabled === 0) continue
    try {
      const signedOut = await openBrowserSignOn(deps, row)?.signOut(message)
      if (signedOut !== undefined)
        return { url: signedOut.url, sessions: await sessionsOf(deps.db, row.id, signedOut.ended) }
    } catch (thrown) {
      // One that cannot be asked, or whose name somebody forged, stands in the way of no other.
      if (!(thrown instanceof AppError)) throw thrown
      silent ??= thrown
    }
  }
  throw silent ?? new AppError('SIGN_ON_ANSWER_INVALID')
}

interface Notice {
  readonly iss?: unknown
  readonly aud?: unknown
}

/** Only to know whom to ask: nothing of it is believed before the provider's keys have proved it. */
function unproven(notice: string): Notice {
  try {
    const claims: unknown = JSON.parse(Buffer.from(notice.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return typeof claims === 'object' && claims !== null ? claims : {}
  } catch {
    // Nobody's notice.
    return {}
  }
}

function isMeant(row: ProviderRow, { iss, aud }: Notice): boolean {
  const { kind, settings } = sourceIn(row)
  if (kind !== 'oidc' || typeof iss !== 'string' || !URL.canParse(iss)) return false
  const audience: readonly unknown[] = Array.isArray(aud) ? aud : [aud]
  return new URL(iss).href === new URL(settings.issuer).href && audience.includes(settings.clientId)
}
