import { isKeptElsewhere, type AccountType } from '@godwit/contract'
import { isDuplicate, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/context.ts'
import { usersStore, type UserRow } from '../users/index.ts'
import { applySteps, presentFor, type AccountsDeps } from './accounts.service.ts'
import { externalStore } from './external.store.ts'
import { planOf } from './people.policy.ts'
import type { Person } from './provider.types.ts'
import { openPasswords, originOf, type OpenDeps } from './providers.kinds.ts'
import type { ExternalAccountRow, ProviderRow } from './providers.schema.ts'
import { providersStore } from './providers.store.ts'
import { CHECK_MS } from './time-limits.ts'
import { leaveTo, provenAt } from './sign-on.sessions.ts'

export interface SignInDeps extends OpenDeps, SettleDeps {}

export interface SettleDeps extends AccountsDeps {
  readonly log: Pick<Log, 'warn'>
}

/** Somebody who typed a name and a password that this server does not know as a pair. */
export interface Attempt {
  /** The account of that name, if there is one. */
  readonly user: UserRow | undefined
  readonly login: string
  readonly password: string
}

/** Passwords that are kept elsewhere. */
export interface Elsewhere {
  /**
   * @returns the account, made or brought up to date, when its provider takes the password
   * @throws AppError when a provider that may know the account cannot be asked
   */
  signIn(attempt: Attempt): Promise<UserRow | undefined>
  /** Whether name, e-mail, phone and password of an account are kept elsewhere. */
  isManaged(userId: string): Promise<boolean>
  /** Whether nobody signs in to an account, because the provider that it comes from is switched off or was removed. */
  isShut(user: UserRow): Promise<boolean>
  /** Whether a session began at an identity provider, and when the person proved themselves there. Unix milliseconds. */
  provenAt(sessionId: string): Promise<number | undefined>
  /** Where a session that ends here is ended at its identity provider; undefined without one. */
  leaveTo(sessionId: string, origin: string | undefined): Promise<string | undefined>
}

export function createElsewhere(deps: SignInDeps): Elsewhere {
  return {
    // A bind without a password succeeds and proves nothing, so it never gets as far as a provider.
    signIn: async (attempt) => (attempt.password.trim() === '' ? undefined : signIn(deps, attempt)),
    isManaged: async (userId) => (await externalStore.ofUser(deps.db, userId)) !== undefined,
    isShut: (user) => isShut(deps.db, user),
    provenAt: (sessionId) => provenAt(deps, sessionId),
    leaveTo: (sessionId, origin) => leaveTo(deps, sessionId, origin),
  }
}

async function signIn(deps: SignInDeps, { user, login, password }: Attempt): Promise<UserRow | undefined> {
  const providers = (await providersStore.all(deps.db)).filter(({ enabled }) => enabled === 1)
  if (providers.length === 0) return undefined
  const link = user && (await externalStore.ofUser(deps.db, user.id))
  if (user === undefined || (link === undefined && isLeftBehind(user)))
    return unknownHere(deps, providers, { login, password })
  return link && knownHere(deps, providers, { link, password })
}

async function isShut(db: Db, { id, password_hash: hash }: UserRow): Promise<boolean> {
  if (hash !== '') return false
  const link = await externalStore.ofUser(db, id)
  const row = link && (await providersStore.byId(db, link.provider_id))
  return row?.enabled !== 1
}

/** The provider of the account was removed: the next one of its kind that knows the person may take it over. */
function isLeftBehind({ account_type: type, password_hash: hash }: UserRow): boolean {
  return isKeptElsewhere(type as AccountType) && hash === ''
}

/** An account is checked where it comes from and nowhere else; one of this server by this server alone. */
async function knownHere(
  deps: SignInDeps,
  providers: readonly ProviderRow[],
  { link, password }: { readonly link: ExternalAccountRow; readonly password: string },
): Promise<UserRow | undefined> {
  const row = providers.find(({ id }) => id === link.provider_id)
  if (row === undefined) return undefined
  const checked = (await openPasswords(deps, row)?.check(link.login, password)) ?? 'unknown'
  // Another entry under the same name is another person.
  if (typeof checked === 'string' || checked.key !== link.external_key) return undefined
  return settle(deps, row, checked)
}

/** The first provider that has somebody of the name decides; one that cannot be asked decides nothing. */
async function unknownHere(
  deps: SignInDeps,
  providers: readonly ProviderRow[],
  { login, password }: { readonly login: string; readonly password: string },
): Promise<UserRow | undefined> {
  const sources = providers.flatMap((row) => {
    const source = openPasswords(deps, row)
    return source === undefined ? [] : [{ row, source }]
  })
  // Each has its share of the time: one that hangs keeps nobody from the next.
  const withinMs = CHECK_MS / Math.max(1, sources.length)
  let silent: AppError | undefined
  for (const { row, source } of sources) {
    try {
      const checked = await source.check(login, password, withinMs)
      if (checked === 'unknown') continue
      return checked === 'wrong' ? undefined : await settle(deps, row, checked)
    } catch (thrown) {
      if (!(thrown instanceof AppError)) throw thrown
      silent ??= thrown
    }
  }
  if (silent !== undefined) throw silent
  return undefined
}

/** Makes the account of somebody who proved who they are, or brings it up to date. */
export async function settle(deps: SettleDeps, row: ProviderRow, person: Person): Promise<UserRow | undefined> {
  const { db, log } = deps
  const origin = originOf(row)
  const present = await presentFor(db, { providerId: row.id, ...origin }, person)
  // An account that waits for its person is there already.
  const isThere = present.known.size > 0 || present.announced.size > 0
  if (!isThere && !origin.createAtSignIn) return undefined
  const steps = planOf([person], present)
  const [step] = steps
  if (step?.change === 'skip') {
    log.warn(
      { provider: row.name, account: step.account, reason: step.reason },
      'somebody of a provider gets no account',
    )
    return undefined
  }
  try {
    await applySteps(deps, steps, { origin: { providerId: row.id, ...origin }, groups: present.groups })
  } catch (thrown) {
    // The same person twice at once: the first one made the account.
    if (!isDuplicate(thrown)) throw thrown
  }
  return accountOf(db, row.id, person.key)
}

async function accountOf(db: Db, providerId: number, key: string): Promise<UserRow | undefined> {
  const link = await externalStore.byKey(db, providerId, key)
  return link && usersStore.byId(db, link.user_id)
}
