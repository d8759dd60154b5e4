import { METRICS_TOKEN_PREFIX, type MetricsTokenInfo } from '@godwit/contract'
import type { Clock, Random } from '@godwit/base'
import type { RecordChange } from '../../foundation/operation-log/index.ts'
import { accountOf } from '../../identity/principals/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MetricsTokensTable } from './metrics-token.schema.ts'

export interface MetricsTokenDeps {
  readonly db: Db
}

const NAME = 'site'
const THING = { kind: 'metrics', id: NAME, name: '' } as const

async function tokenRow(db: Db | Tx): Promise<MetricsTokensTable | undefined> {
  return db.selectFrom('metrics_tokens').selectAll().where('name', '=', NAME).executeTakeFirst()
}

/** Whether there is a token, and since when. */
export async function metricsTokenInfo({ db }: MetricsTokenDeps): Promise<MetricsTokenInfo> {
  const row = await tokenRow(db)
  return { isSet: row !== undefined, createdAt: row?.created_at ?? null, createdBy: row?.created_by ?? '' }
}

/** Makes the token of the site; an earlier one ends with it. @returns the token, which is never shown again */
export async function createMetricsToken(
  { db, clock, random }: MetricsTokenDeps & { readonly clock: Clock; readonly random: Random },
  { ctx, record }: { readonly ctx: UserCtx; readonly record: RecordChange },
): Promise<MetricsTokenInfo & { readonly token: string }> {
  const token = METRICS_TOKEN_PREFIX + newToken(random)
  const { account } = accountOf(ctx.principal)
  const row = { name: NAME, token_hash: hashToken(token), created_by: account, created_at: clock.now() }
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('metrics_tokens').where('name', '=', NAME).execute()
    await tx.insertInto('metrics_tokens').values(row).execute()
    await record(tx, { ...THING, after: { token: 'set' } })
  })
  return { token, ...(await metricsTokenInfo({ db })) }
}

export async function removeMetricsToken({ db }: MetricsTokenDeps, record: RecordChange): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.deleteFrom('metrics_tokens').where('name', '=', NAME).execute()
    await record(tx, { ...THING, before: { token: 'set' } })
  })
}

/** @throws AppError TOKEN_INVALID also where no token was made: nobody learns whether the site has figures at all */
export async function requireMetricsToken({ db }: MetricsTokenDeps, token: string | undefined): Promise<void> {
  const row = token?.startsWith(METRICS_TOKEN_PREFIX) === true ? await tokenRow(db) : undefined
  // What is compared are hashes: how far two of them agree says nothing of the token.
  if (row === undefined || token === undefined || row.token_hash !== hashToken(token))
    throw new AppError('TOKEN_INVALID')
}
