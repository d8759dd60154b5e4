import { SECURITY_LIMITS, type SignInLogEntry, type SignInView } from '@godwit/contract'
import type { Clock } from '@godwit/base'
import type { Ctx, Log } from '../../kernel/context.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import type { SignInRow } from './sign-ins.schema.ts'
import { signInsStore, type SignInsFilter } from './sign-ins.store.ts'

export interface SignInsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
}

export type SignIn = Pick<SignInView, 'method' | 'result'> & { readonly userId: string }

declare module '../../kernel/events/bus.ts' {
  interface LocalSignals {
    /** Somebody did not get into a known account. */
    readonly 'sign-in.failed': SignIn & Pick<Ctx, 'address' | 'userAgent'>
  }
}

/** Writes failures down after they were answered. */
export function keepFailures(deps: SignInsDeps & { readonly bus: Bus; readonly log: Pick<Log, 'error'> }): void {
  deps.bus.subscribe('sign-in.failed', ({ address, userAgent, ...signIn }) => {
    setImmediate(() => {
      noteSignIn(deps, { address, userAgent }, signIn).catch((thrown: unknown) =>
        deps.log.error({ err: thrown }, 'a failed sign-in could not be written down'),
      )
    })
  })
}

/** Writes one attempt of a known account into its history. Attempts that a lock already stops are not written down. */
export async function noteSignIn(
  { db, clock, ids }: SignInsDeps,
  ctx: Pick<Ctx, 'address' | 'userAgent'>,
  { userId, method, result }: SignIn,
): Promise<void> {
  await signInsStore.insert(db, {
    id: ids.next(),
    user_id: userId,
    at: clock.now(),
    address: ctx.address.slice(0, 64),
    user_agent: ctx.userAgent.slice(0, 256),
    method,
    result,
  })
}

export async function signInHistory(
  db: Db,
  userId: string,
  { pageNum, pageSize }: { readonly pageNum: number; readonly pageSize: number },
) {
  const rows = await signInsStore.page(db, userId, { page: pageNum, size: pageSize })
  return { result: rows.map(view), total: await signInsStore.count(db, userId), size: pageSize, current: pageNum }
}

/** Everyone's sign-ins, as an administrator reads them. */
export async function signInLog(
  db: Db,
  filter: SignInsFilter,
  page: { readonly page: number; readonly size: number },
): Promise<{ readonly rows: SignInLogEntry[]; readonly total: number }> {
  const { rows, total } = await signInsStore.search(db, filter, page)
  return {
    rows: rows.map((row) => ({ ...view(row), userId: row.user_id, account: row.account, name: row.name })),
    total,
  }
}

function view({ id, at, address, user_agent: userAgent, method, result }: SignInRow): SignInView {
  return {
    ...{ id, at, address, userAgent },
    method: method as SignInView['method'],
    result: result as SignInView['result'],
  }
}

/** History is kept for 90 days. */
export async function forgetSignIns({ db, clock }: Pick<SignInsDeps, 'db' | 'clock'>): Promise<void> {
  await signInsStore.removeOlder(db, clock.now() - SECURITY_LIMITS.signInsKeptMs)
}
