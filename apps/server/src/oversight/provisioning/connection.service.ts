import {
  DEFAULT_PERMISSION,
  SCIM_TOKEN_PREFIX,
  storedPermission,
  wirePermission,
  type ScimConnection,
  type ScimConnectionChange,
} from '@godwit/contract'
import type { Clock, Random } from '@godwit/base'
import type { RecordChange } from '../../foundation/operation-log/index.ts'
import { sourceOf } from '../../identity/auth/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import { provisionedStore } from '../../identity/provisioning/index.ts'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import { inTransaction, isDuplicate, type Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { CallLimit } from '../../kernel/limits/index.ts'
import type { ConnectionRow } from './connection.schema.ts'
import { connectionStore } from './connection.store.ts'

export interface ConnectionDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  /** Wrong tokens, for each caller's address. */
  readonly guesses: CallLimit
}

interface Call {
  readonly ctx: UserCtx
  readonly record: RecordChange
}

const THING = { kind: 'authentication', id: 'scim', name: 'SCIM' } as const
const MINUTE_MS = 60_000

/** As it is before anybody has changed it. */
const NEW: Omit<ConnectionRow, 'name'> = {
  ...{ enabled: 0, new_accounts: 'provider', permission: DEFAULT_PERMISSION, token_hash: '' },
  ...{ created_by: '', created_at: null, used_at: null, revision: 0 },
}

export async function connectionRow(db: Db): Promise<Omit<ConnectionRow, 'name'>> {
  const { name: _name, ...row } = { name: '', ...NEW, ...(await connectionStore.get(db)) }
  return row
}

export async function presentConnection({ db }: Pick<ConnectionDeps, 'db'>): Promise<ScimConnection> {
  const row = await connectionRow(db)
  return {
    ...{ enabled: row.enabled === 1, newAccounts: row.new_accounts, permission: wirePermission(row.permission) },
    ...{ hasToken: row.token_hash !== '', createdBy: row.created_by, revision: row.revision },
    createdAt: row.created_at === null ? null : Number(row.created_at),
    usedAt: row.used_at === null ? null : Number(row.used_at),
    accounts: await provisionedStore.countAccounts(db),
  }
}

/** @throws AppError EDIT_CONFLICT */
export async function editConnection(
  deps: ConnectionDeps,
  { record }: Call,
  { revision, enabled, newAccounts, permission }: ScimConnectionChange,
): Promise<ScimConnection> {
  const known = await connectionRow(deps.db)
  if (known.revision !== revision) throw new AppError('EDIT_CONFLICT', { revision: known.revision })
  const columns = {
    ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
    ...(newAccounts === undefined ? {} : { new_accounts: newAccounts }),
    ...(permission === undefined ? {} : { permission: storedPermission(permission) }),
  }
  const names = Object.keys(columns) as Array<keyof typeof columns>
  const before = Object.fromEntries(names.map((name) => [name, known[name]]))
  await save(deps, { ...known, ...columns }, (tx) => record(tx, { ...THING, before, after: columns }))
  return presentConnection(deps)
}

/** Makes the token of the connection; an earlier one ends with it. @returns with the token, which is never shown again */
export async function createToken(
  deps: ConnectionDeps,
  { ctx, record }: Call,
): Promise<ScimConnection & { readonly token: string }> {
  const token = SCIM_TOKEN_PREFIX + newToken(deps.random)
  const made = {
    ...{ token_hash: hashToken(token), created_by: accountOf(ctx.principal).account },
    ...{ created_at: deps.clock.now(), used_at: null },
  }
  const known = await connectionRow(deps.db)
  await save(deps, { ...known, ...made }, (tx) => record(tx, { ...THING, after: { token: 'set' } }))
  return { ...(await presentConnection(deps)), token }
}

async function save(
  { db }: ConnectionDeps,
  row: Omit<ConnectionRow, 'name'>,
  record: (tx: Parameters<RecordChange>[0]) => Promise<void>,
): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      if (!(await connectionStore.changeAt(tx, row))) throw new AppError('EDIT_CONFLICT')
      await record(tx)
    })
  } catch (thrown) {
    // Two made the first row at once.
    if (isDuplicate(thrown)) throw new AppError('EDIT_CONFLICT', undefined, { cause: thrown })
    throw thrown
  }
}

/**
 * Whether a request is the identity management's.
 * @throws AppError ROUTE_NOT_FOUND while it is switched off; TOKEN_INVALID; RATE_LIMITED after too many wrong tokens
 */
export async function requireConnection(
  deps: ConnectionDeps,
  { bearer, address }: Pick<Ctx, 'bearer' | 'address'>,
): Promise<void> {
  const { enabled, token_hash: hash, used_at: usedAt } = await connectionRow(deps.db)
  if (enabled !== 1) throw new AppError('ROUTE_NOT_FOUND')
  // What is compared are hashes: how far two of them agree says nothing of the token.
  if (hash === '' || bearer === undefined || hashToken(bearer) !== hash) {
    await deps.guesses.take(sourceOf(address))
    throw new AppError('TOKEN_INVALID')
  }
  const now = deps.clock.now()
  if (usedAt === null || now - Number(usedAt) >= MINUTE_MS) await connectionStore.used(deps.db, now)
}
