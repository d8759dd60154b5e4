import type { Clock, Random } from '@godwit/base'
import {
  API_TOKEN_PREFIX,
  SECURITY_LIMITS,
  storedPermission,
  wirePermission,
  type ApiTokenView,
} from '@godwit/contract'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import type { ApiTokenPrincipal } from '../../kernel/principal.ts'
import { inTransaction, type Db } from '../../kernel/db/index.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import { isUsable, usersStore, type UserRow } from '../users/index.ts'
import type { ApiTokenRow } from './api-tokens.schema.ts'
import { apiTokensStore } from './api-tokens.store.ts'
import type { Account } from '../principals/index.ts'

export interface ApiTokensDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
}

export interface NewApiToken {
  readonly name: string
  /** As on the wire. */
  readonly permission: number
  readonly days: number
}

const DAY_MS = 24 * 3_600_000
/** Use is written down at most this often. */
const TOUCH_EVERY_MS = 60_000

/**
 * @returns the token, which is never shown again, and its description
 * @throws AppError API_TOKEN_LIMIT; PERMISSION_DENIED when it would grant nothing, or more than the account has
 */
export async function createApiToken(
  { db, clock, random, ids }: ApiTokensDeps,
  user: UserRow,
  wanted: NewApiToken,
): Promise<{ readonly token: string; readonly apiToken: ApiTokenView }> {
  const permission = storedPermission(wanted.permission)
  if (permission === 0 || (permission & ~user.permission) !== 0) throw new AppError('PERMISSION_DENIED')
  const token = API_TOKEN_PREFIX + newToken(random)
  const now = clock.now()
  const row: ApiTokenRow = {
    id: ids.next(),
    user_id: user.id,
    token_hash: hashToken(token),
    password_stamp: hashToken(user.password_hash),
    name: wanted.name,
    permission,
    created_at: now,
    expires_at: now + wanted.days * DAY_MS,
    last_used_at: null,
  }
  await inTransaction(db, async (tx) => {
    const others = await apiTokensStore.ofUser(tx, user.id)
    if (others.length >= SECURITY_LIMITS.apiTokensMax) throw new AppError('API_TOKEN_LIMIT')
    await apiTokensStore.insert(tx, row)
    const event = { userId: user.id, what: 'token-created', name: row.name, at: now } as const
    await recordEvent({ tx, clock }, 'account.access-changed', event)
  })
  return { token, apiToken: present(row) }
}

export async function listApiTokens({ db }: Pick<ApiTokensDeps, 'db'>, userId: string): Promise<ApiTokenView[]> {
  return (await apiTokensStore.ofUser(db, userId)).map(present)
}

/** @throws AppError API_TOKEN_NOT_FOUND, also for tokens of others */
export async function removeApiToken({ db }: Pick<ApiTokensDeps, 'db'>, userId: string, id: string): Promise<void> {
  if (!(await apiTokensStore.remove(db, userId, id))) throw new AppError('API_TOKEN_NOT_FOUND')
}

/** What a token that counts stands for. */
export interface GrantedToken {
  readonly user: UserRow
  readonly row: ApiTokenRow
}

/** @returns undefined for an unknown, expired or revoked token, and for one of an account that is locked or changed its password */
export async function grantOfToken(
  deps: Pick<ApiTokensDeps, 'db' | 'clock'>,
  token: { readonly hash: string } | { readonly id: string },
): Promise<GrantedToken | undefined> {
  const { db, clock } = deps
  const row = await ('hash' in token ? apiTokensStore.byHash(db, token.hash) : apiTokensStore.byId(db, token.id))
  if (row === undefined || row.expires_at <= clock.now()) return undefined
  const user = await usersStore.byId(db, row.user_id)
  if (!user || !isUsable(user, clock.now()) || hashToken(user.password_hash) !== row.password_stamp) return undefined
  return { user, row }
}

export async function noteTokenUse(
  { db, clock }: Pick<ApiTokensDeps, 'db' | 'clock'>,
  row: ApiTokenRow,
): Promise<void> {
  const now = clock.now()
  if (now - (row.last_used_at ?? 0) >= TOUCH_EVERY_MS) await apiTokensStore.touch(db, row.id, now)
}

/** A token acts within what it was given and what its account still has, and never as an administrator. */
export function principalOfToken(account: Account, row: ApiTokenRow): ApiTokenPrincipal {
  const narrowed = { ...account, permission: account.permission & row.permission, cap: row.permission, isAdmin: false }
  return { kind: 'api-token', id: row.user_id, apiTokenId: row.id, account: narrowed }
}

function present(row: ApiTokenRow): ApiTokenView {
  return {
    id: row.id,
    name: row.name,
    permission: wirePermission(row.permission),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}
