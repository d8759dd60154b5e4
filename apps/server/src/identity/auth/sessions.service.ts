import type { Clock, Random } from '@godwit/base'
import { API_TOKEN_PREFIX, type SessionEnd, type SessionView } from '@godwit/contract'
import { hashToken, newToken, secretsEqual, transferPassword } from '../../kernel/crypto/index.ts'
import type { Authenticator, Ctx } from '../../kernel/context.ts'
import type { AccountPrincipal, ClientPrincipal, UserPrincipal } from '../../kernel/principal.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import { principalOfToken, grantOfToken, noteTokenUse, type GrantedToken } from '../api-tokens/index.ts'
import { isUsable, usersStore, type UserRow } from '../users/index.ts'
import { admittedAs, loadAccount, loadUser, sessionIdOf } from '../principals/index.ts'
import { attemptsStore } from './attempts.store.ts'
import type { SessionRow } from './sessions.schema.ts'
import { sessionsStore } from './sessions.store.ts'

declare module '../../kernel/events/bus.ts' {
  interface Signals {
    /** The session ended; sockets and caches that hold it must let go. */
    readonly 'session.ended': { readonly sessionId: string; readonly userId: string; readonly reason: SessionEnd }
  }
}

export interface SessionsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly bus: Bus
  readonly idleMs: number
  /** Whether an account may be signed in from several addresses at once; without it, it may. */
  readonly severalAddresses?: () => Promise<boolean>
}

export interface TokenPair {
  readonly token: string
  readonly refreshToken: string
}

/** Activity is written down at most this often a session; idle limits are minutes, so a minute of blur is harmless. */
const TOUCH_EVERY_MS = 60_000
/** Another process's revocation is seen at the latest after this long. */
export const SESSION_CACHE_MS = 1_000
const CACHE_MAX = 20_000
const ADDRESS_MAX = 64
/** Counters of failed sign-ins that nothing was added to for so long, and that lock nothing, are forgotten. */
const ATTEMPTS_KEPT_MS = 24 * 3_600_000

interface Cached {
  readonly principal: UserPrincipal
  readonly until: number
  touchedAt: number
}

export type OpenSession = Omit<SessionView, 'current'>

export interface Sessions extends Authenticator {
  authenticate(bearer: string, touch: boolean): Promise<AccountPrincipal | undefined>
  open(user: UserRow, from: Pick<Ctx, 'address' | 'userAgent'>): Promise<TokenPair & { readonly sessionId: string }>
  /**
   * Gives a new pair. The one before stays good until the new one is used, because the answer may be lost on its way:
   * shown again before that, the refresh token is answered with another pair, and the lost one is spent.
   * @throws AppError TOKEN_INVALID; a spent refresh token also ends the whole session it belonged to
   */
  refresh(refreshToken: string): Promise<TokenPair>
  end(sessionId: string, userId: string, reason: SessionEnd): Promise<void>
  /** @param reason what open pages are shown */
  endAllOf(userId: string, reason?: SessionEnd): Promise<number>
  /** Marks activity that comes without a session token, such as the parts of an upload. */
  keepAlive(sessionId: string): Promise<void>
  /**
   * The principal with the rights of now: for what goes on after it was allowed, such as a download or a ticket.
   * @returns undefined when the session ended or the account was locked or removed, by whichever process
   */
  renew(principal: AccountPrincipal): Promise<AccountPrincipal | undefined>
  /** Checks user id and derived password as a transfer client shows them. */
  byTransferCredentials(userId: string, password: string): Promise<ClientPrincipal | undefined>
  /** What is open of an account; ended and idle ones are left out. */
  listOf(userId: string): Promise<OpenSession[]>
  /** The nearest reason that the database knows for sessions that ended in another process. */
  whyEnded(userId: string): Promise<SessionEnd>
  sweepIdle(): Promise<void>
}

export function createSessions(deps: SessionsDeps): Sessions {
  return new DatabaseSessions(deps)
}

/** Sessions in the database, with a short memory of the last look-ups in front. */
class DatabaseSessions implements Sessions {
  readonly #deps: SessionsDeps
  readonly #cache = new Map<string, Cached>()
  /** Counts what was forgotten: a look-up that began before is not remembered, because it may have read what changed. */
  #forgotten = 0

  constructor(deps: SessionsDeps) {
    this.#deps = deps
    deps.bus.subscribe('session.ended', ({ sessionId }) =>
      this.#forget((principal) => sessionIdOf(principal) === sessionId),
    )
    for (const signal of ['user.revoked', 'user.changed'] as const) {
      deps.bus.subscribe(signal, ({ userId }) => this.#forget((principal) => principal.id === userId))
    }
  }

  async authenticate(bearer: string, touch: boolean): Promise<AccountPrincipal | undefined> {
    const tokenHash = hashToken(bearer)
    if (bearer.startsWith(API_TOKEN_PREFIX)) return this.#byApiToken(tokenHash, touch)
    const entry = this.#remembered(tokenHash) ?? (await this.#load(tokenHash))
    if (entry && touch) await this.#touchIfDue(entry)
    return entry?.principal
  }

  async open(user: UserRow, from: Pick<Ctx, 'address' | 'userAgent'>) {
    const { db, clock, ids } = this.#deps
    const pair = this.#newPair()
    const sessionId = ids.next()
    const now = clock.now()
    await sessionsStore.insert(db, {
      id: sessionId,
      user_id: user.id,
      token_hash: pair.tokenHash,
      refresh_hash: pair.refreshHash,
      previous_token_hash: null,
      previous_refresh_hash: null,
      created_at: now,
      last_seen_at: now,
      address: from.address.slice(0, ADDRESS_MAX),
      user_agent: from.userAgent.slice(0, 256),
    })
    if ((await this.#deps.severalAddresses?.()) === false) await this.#endElsewhere(user.id, from.address)
    return { ...pair, sessionId }
  }

  /** The newer sign-in wins: whoever is at another address finds the session ended. */
  async #endElsewhere(userId: string, address: string): Promise<void> {
    const sessions = await sessionsStore.byUser(this.#deps.db, userId)
    for (const session of sessions)
      if (session.address !== address.slice(0, ADDRESS_MAX)) await this.end(session.id, userId, 'elsewhere')
  }

  async refresh(refreshToken: string): Promise<TokenPair> {
    const { db, clock } = this.#deps
    const shownHash = hashToken(refreshToken)
    const session = await sessionsStore.byRefreshHash(db, shownHash)
    if (!session) return this.#refuseSpent(shownHash)
    const user = await usersStore.byId(db, session.user_id)
    if (!user || !isUsable(user, clock.now()) || this.#isIdle(session)) throw new AppError('TOKEN_INVALID')
    const pair = this.#newPair()
    const rotation = { ...pair, session, isAgain: session.refresh_hash !== shownHash, at: clock.now() }
    const isRotated = await inTransaction(db, (tx) => sessionsStore.rotate(tx, rotation))
    // Another call was in between: what the token is worth now has to be read again.
    if (!isRotated) return this.refresh(refreshToken)
    this.#forget((principal) => sessionIdOf(principal) === session.id)
    return pair
  }

  async end(sessionId: string, userId: string, reason: SessionEnd): Promise<void> {
    await sessionsStore.remove(this.#deps.db, sessionId)
    this.#deps.bus.publish('session.ended', { sessionId, userId, reason })
  }

  async endAllOf(userId: string, reason: SessionEnd = 'revoked'): Promise<number> {
    const sessions = await sessionsStore.byUser(this.#deps.db, userId)
    await sessionsStore.removeOfUser(this.#deps.db, userId)
    for (const { id } of sessions) this.#deps.bus.publish('session.ended', { sessionId: id, userId, reason })
    return sessions.length
  }

  async keepAlive(sessionId: string): Promise<void> {
    await sessionsStore.touch(this.#deps.db, sessionId, this.#deps.clock.now())
  }

  async renew(principal: AccountPrincipal): Promise<AccountPrincipal | undefined> {
    return admittedAs(await this.#fresh(principal), principal)
  }

  async #fresh(principal: AccountPrincipal): Promise<AccountPrincipal | undefined> {
    if (principal.kind === 'api-token') {
      return this.#principalOfToken(await grantOfToken(this.#deps, { id: principal.apiTokenId }))
    }
    const sessionId = sessionIdOf(principal)
    const user = await usersStore.byId(this.#deps.db, principal.id)
    if (!user || !isUsable(user, this.#deps.clock.now())) return undefined
    const session = sessionId === '' ? undefined : await sessionsStore.byId(this.#deps.db, sessionId)
    return sessionId === '' || (session && !this.#isIdle(session))
      ? loadUser(this.#deps.db, user, sessionId)
      : undefined
  }

  async byTransferCredentials(userId: string, password: string): Promise<ClientPrincipal | undefined> {
    const user = await usersStore.byId(this.#deps.db, userId)
    if (!user || !isUsable(user, this.#deps.clock.now())) return undefined
    const session = (await sessionsStore.byUser(this.#deps.db, userId)).find(
      (row) =>
        !this.#isIdle(row) &&
        tokenHashesOf(row).some((tokenHash) => secretsEqual(transferPassword(tokenHash), password)),
    )
    return session && asClient(await loadUser(this.#deps.db, user, session.id))
  }

  async listOf(userId: string): Promise<OpenSession[]> {
    const rows = await sessionsStore.byUser(this.#deps.db, userId)
    return rows
      .filter((row) => !this.#isIdle(row))
      .map(({ id, address, user_agent: userAgent, created_at: createdAt, last_seen_at: lastSeenAt }) => ({
        ...{ id, address, userAgent, createdAt, lastSeenAt },
      }))
  }

  async whyEnded(userId: string): Promise<SessionEnd> {
    const user = await usersStore.byId(this.#deps.db, userId)
    if (user === undefined) return 'removed'
    return user.locked === 1 ? 'locked' : 'revoked'
  }

  async sweepIdle(): Promise<void> {
    const { db, clock, bus, idleMs } = this.#deps
    const removed = await sessionsStore.removeIdle(db, clock.now() - idleMs)
    for (const sessionId of removed) bus.publish('session.ended', { sessionId, userId: '', reason: 'idle' })
    // Anyone may name accounts that do not exist, so the counters of failures would grow without end.
    await attemptsStore.removeOlder(db, clock.now() - ATTEMPTS_KEPT_MS)
  }

  /** Not remembered: programs ask seldom, and a revoked token ends at once. */
  async #byApiToken(hash: string, touch: boolean): Promise<AccountPrincipal | undefined> {
    const granted = await grantOfToken(this.#deps, { hash })
    if (granted && touch) await noteTokenUse(this.#deps, granted.row)
    return this.#principalOfToken(granted)
  }

  async #principalOfToken(granted: GrantedToken | undefined): Promise<AccountPrincipal | undefined> {
    return granted && principalOfToken(await loadAccount(this.#deps.db, granted.user), granted.row)
  }

  #remembered(tokenHash: string): Cached | undefined {
    const entry = this.#cache.get(tokenHash)
    return entry && entry.until > this.#deps.clock.monotonic() ? entry : undefined
  }

  async #load(tokenHash: string): Promise<Cached | undefined> {
    const { db, clock } = this.#deps
    const forgotten = this.#forgotten
    this.#cache.delete(tokenHash)
    const session = await sessionsStore.byTokenHash(db, tokenHash)
    if (!session) return this.#endSpent(tokenHash)
    if (this.#isIdle(session)) return undefined
    await this.#confirmIfNew(session, tokenHash)
    const user = await usersStore.byId(db, session.user_id)
    if (!user || !isUsable(user, this.#deps.clock.now())) return undefined
    const until = clock.monotonic() + SESSION_CACHE_MS
    const entry = { principal: await loadUser(db, user, session.id), until, touchedAt: session.last_seen_at }
    if (this.#cache.size >= CACHE_MAX) this.#cache.clear()
    if (forgotten === this.#forgotten) this.#cache.set(tokenHash, entry)
    return entry
  }

  #forget(matches: (principal: AccountPrincipal) => boolean): void {
    this.#forgotten += 1
    for (const [tokenHash, entry] of this.#cache) if (matches(entry.principal)) this.#cache.delete(tokenHash)
  }

  async #touchIfDue(entry: Cached): Promise<void> {
    const now = this.#deps.clock.now()
    if (now - entry.touchedAt < TOUCH_EVERY_MS) return
    entry.touchedAt = now
    await sessionsStore.touch(this.#deps.db, sessionIdOf(entry.principal), now)
  }

  #isIdle(session: SessionRow): boolean {
    return this.#deps.clock.now() - session.last_seen_at > this.#deps.idleMs
  }

  #newPair(): TokenPair & { readonly tokenHash: string; readonly refreshHash: string } {
    const token = newToken(this.#deps.random)
    const refreshToken = newToken(this.#deps.random)
    return { token, refreshToken, tokenHash: hashToken(token), refreshHash: hashToken(refreshToken) }
  }

  /** The first use of a new pair shows that it has arrived. */
  async #confirmIfNew(session: SessionRow, shownHash: string): Promise<void> {
    if (session.previous_token_hash === null || session.token_hash !== shownHash) return
    const { db, clock } = this.#deps
    await inTransaction(db, (tx) => sessionsStore.confirm(tx, session, clock.now()))
    this.#forget((principal) => sessionIdOf(principal) === session.id)
  }

  async #refuseSpent(refreshHash: string): Promise<never> {
    await this.#endSpent(refreshHash)
    throw new AppError('TOKEN_INVALID')
  }

  /** Someone shows a token that was already exchanged: either side may be the thief, so the session ends for both. */
  async #endSpent(hash: string): Promise<undefined> {
    const sessionId = await sessionsStore.spentBy(this.#deps.db, hash)
    if (sessionId !== undefined) await this.end(sessionId, '', 'refresh-token-reused')
  }
}

function tokenHashesOf({ token_hash, previous_token_hash }: SessionRow): string[] {
  return previous_token_hash === null ? [token_hash] : [token_hash, previous_token_hash]
}

/** Who shows credentials derived from a session is the transfer client that the session's page started. */
function asClient(user: UserPrincipal): ClientPrincipal {
  return { ...user, kind: 'client' }
}
