import { operationLogStore, type OperationRow } from '../../foundation/operation-log/index.ts'
import { signInsStore } from '../../identity/auth/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { SyslogRecord } from './syslog.format.ts'

/** A log whose records have an order. */
export interface Source {
  readonly log: 'operations' | 'sign-ins'
  /** The position behind the records from before then. @param at Unix milliseconds */
  before(db: Db, at: number): Promise<string>
  after(
    db: Db,
    position: string,
    wanted: { readonly limit: number; readonly now: number },
  ): Promise<{ readonly records: readonly SyslogRecord[]; readonly last: string }>
  waiting(db: Db, position: string): Promise<number>
}

/** Nodes write sign-ins side by side, each with an id of its own clock: so old, none comes before them any more. */
const SETTLED_MS = 3_000

const operations: Source = {
  log: 'operations',
  before: async (db, at) => String(await operationLogStore.lastBefore(db, at)),
  async after(db, position, { limit }) {
    const rows = await operationLogStore.after(db, Number(position), limit)
    return { records: rows.map(operationRecord), last: String(rows.at(-1)?.seq ?? position) }
  },
  waiting: async (db, position) => Number((await operationLogStore.head(db))?.seq ?? 0) - Number(position),
}

function operationRecord(row: OperationRow): SyslogRecord {
  const { state_before: before, state_after: after, at, operation, result, seq, actor, address, door } = row
  const facts = {
    ...{ seq: Number(seq), actor, address, door, operation, result },
    ...{ targetKind: row.target_kind, targetId: row.target_id, target: row.target, hash: row.hash },
  }
  const states = { ...(before === '' ? {} : { before: JSON.parse(before) as object }) }
  const entry = { ...facts, ...states, ...(after === '' ? {} : { after: JSON.parse(after) as object }) }
  return { at: Number(at), id: operation, isFailure: result !== 'ok', facts, entry }
}

const signIns: Source = {
  log: 'sign-ins',
  before: (db, at) => signInsStore.lastIdBefore(db, at),
  async after(db, position, { limit, now }) {
    const rows = await signInsStore.after(db, position, { until: now - SETTLED_MS, limit })
    return { records: rows.map(signInRecord), last: rows.at(-1)?.id ?? position }
  },
  waiting: (db, position) => signInsStore.countAfter(db, position),
}

type SignInRecord = Awaited<ReturnType<typeof signInsStore.after>>[number]

function signInRecord(row: SignInRecord): SyslogRecord {
  const { at, account, user_id: userId, address, user_agent: userAgent, method, result } = row
  const facts = { account: account ?? '', userId, address, method, result }
  return { at: Number(at), id: 'sign-in', isFailure: result !== 'success', facts, entry: { ...facts, userAgent } }
}

export const SOURCES: readonly Source[] = [operations, signIns]
