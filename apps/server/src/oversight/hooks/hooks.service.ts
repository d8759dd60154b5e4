import type { Clock, Random } from '@godwit/base'
import {
  HOOK_EVENTS,
  HOOK_LIMITS,
  type Hook,
  type HookDelivery,
  type TestedHook,
  type WantedHook,
} from '@godwit/contract'
import { editConflict, type ChangedThing } from '../../foundation/operation-log/index.ts'
import type { Programs } from '../../foundation/programs/index.ts'
import { foldCase } from '../../identity/users/index.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import { inTransaction, isDuplicate, type Db, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AnyDurableEvent } from '../../kernel/events/index.ts'
import type { Ids } from '../../kernel/ids.ts'
import { OutboundError, type Outbound } from '../../kernel/outbound/index.ts'
import { callHook } from './hook-call.ts'
import { unknownFact, wordsOf } from './hook-program.policy.ts'
import { programCall, SECRET_PURPOSE } from './hook-sender.ts'
import { bodyOf, hookAddress, hostOf, secretOf } from './hooks.policy.ts'
import type { HookDeliveryRow, HookRow } from './hooks.schema.ts'
import { deliveriesStore, hooksStore, type DeliveryCount } from './hooks.store.ts'

export interface HooksDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
  readonly ids: Ids
  readonly vault: Vault
  readonly outbound: Outbound
  readonly programs: Programs
}

/** Commits with the change. */
type Record = (tx: Tx, thing: ChangedThing) => Promise<void>

const SECRET_BYTES = 32
const KEPT_MS = 30 * 24 * 3_600_000

/** Every hook that waits for an event gets a delivery, in the transaction that marks the event as handled. */
export async function recordDeliveries(
  { clock, ids }: Pick<HooksDeps, 'clock' | 'ids'>,
  events: readonly AnyDurableEvent[],
  tx: Tx,
): Promise<void> {
  const active = (await hooksStore.all(tx)).filter(({ state }) => state === 'activated')
  if (active.length === 0) return
  const now = clock.now()
  const rows = events.flatMap(({ type, payload }) => {
    const waiting = active.filter((hook) => hook.events.split(',').includes(type))
    if (waiting.length === 0) return []
    const body = bodyOf(type, payload, now)
    return waiting.map((hook) => freshDelivery({ id: ids.next(), hookId: hook.id, event: type, body, now }))
  })
  await deliveriesStore.insertAll(tx, rows)
}

function freshDelivery({ id, hookId, event, body, now }: NewDelivery): HookDeliveryRow {
  return {
    ...{ id, hook_id: hookId, event, body, state: 'waiting', attempts: 0, status: null, reason: null, answer: '' },
    ...{ created_at: now, tried_at: null, next_at: now },
  }
}

interface NewDelivery {
  readonly id: string
  readonly hookId: string
  readonly event: string
  readonly body: string
  readonly now: number
}

export async function listHooks({ db, programs }: Pick<HooksDeps, 'db' | 'programs'>) {
  const counts = await deliveriesStore.counts(db)
  const rows = (await hooksStore.all(db)).map((row) => present(row, counts))
  return { rows, total: rows.length, programs: await programs.list() }
}

/**
 * @returns its id and secret; a program has none
 * @throws AppError HOOK_LIMIT, HOOK_ADDRESS_REFUSED, HOOK_PROGRAM_REFUSED, EVENT_NAME_DUPLICATE
 */
export async function addHook(deps: HooksDeps, wanted: WantedHook, record: Record) {
  const { db, clock, ids } = deps
  if ((await hooksStore.all(db)).length >= HOOK_LIMITS.hooksMax) throw new AppError('HOOK_LIMIT')
  await requireCallable(deps, wanted)
  const secret = wanted.kind === 'program' ? '' : newSecret(deps)
  const row: HookRow = {
    ...{ id: ids.next(), secret_sealed: deps.vault.seal(SECRET_PURPOSE, secret), created_at: clock.now() },
    ...{ failing_since: null, given_up: 0, revision: 1 },
    ...columnsOf(wanted),
  }
  await withUniqueName(() =>
    inTransaction(db, async (tx) => {
      await hooksStore.insert(tx, row)
      await record(tx, thingOf(row, undefined, row))
    }),
  )
  return { hookId: row.id, secret }
}

/** @throws AppError EVENT_NOT_FOUND, HOOK_ADDRESS_REFUSED, HOOK_PROGRAM_REFUSED, EVENT_NAME_DUPLICATE, EDIT_CONFLICT */
export async function editHook(
  deps: HooksDeps,
  { id, wanted, revision }: { readonly id: string; readonly wanted: WantedHook; readonly revision: number },
  record: Record,
): Promise<void> {
  const { db } = deps
  const before = await existing(db, id)
  if (wanted.kind !== before.kind)
    throw new AppError('PARAMETER_INVALID', { field: 'kind', rule: 'stays as it was made' })
  if (wanted.kind === 'program' || wanted.url !== before.url) await requireCallable(deps, wanted)
  // Who switches it on again gives it the whole time anew.
  const isBack = before.state === 'inactivated' && wanted.state === 'activated'
  const change = { ...columnsOf(wanted), ...(isBack ? { failing_since: null, given_up: 0 } : {}) }
  const isChanged = await withUniqueName(() =>
    inTransaction(db, async (tx) => {
      if (!(await hooksStore.changeAt(tx, { id, revision }, change))) return false
      await record(tx, thingOf(before, before, { ...before, ...change, revision: revision + 1 }))
      return true
    }),
  )
  if (!isChanged)
    throw await editConflict(db, { kind: 'hook', id }, { from: revision, present: (await existing(db, id)).revision })
}

/** @throws AppError EVENT_NOT_FOUND */
export async function removeHook({ db }: Pick<HooksDeps, 'db'>, id: string, record: Record): Promise<void> {
  const before = await existing(db, id)
  await inTransaction(db, async (tx) => {
    await hooksStore.remove(tx, id)
    await record(tx, thingOf(before, before, undefined))
  })
}

/** @returns the new secret @throws AppError EVENT_NOT_FOUND */
export async function renewSecret(deps: HooksDeps, id: string, record: Record): Promise<string> {
  const before = await existing(deps.db, id)
  const secret = newSecret(deps)
  await inTransaction(deps.db, async (tx) => {
    await hooksStore.setSecret(tx, id, deps.vault.seal(SECRET_PURPOSE, secret))
    await record(tx, thingOf(before, undefined, { isSecretRenewed: true }))
  })
  return secret
}

/** Calls it now, without a record of the call. @throws AppError EVENT_NOT_FOUND */
export async function tryHook(deps: HooksDeps, id: string, signal: AbortSignal): Promise<TestedHook> {
  const hook = await existing(deps.db, id)
  const begun = deps.clock.monotonic()
  const body = bodyOf('hook.test', { hook: hook.name }, deps.clock.now())
  const call = { id: deps.ids.next(), body }
  const outcome =
    hook.kind === 'program'
      ? await deps.programs.run(programCall(hook, { ...call, event: 'hook.test' }), signal)
      : await callHook(
          deps,
          { url: hook.url, secret: deps.vault.open(SECRET_PURPOSE, hook.secret_sealed), ...call },
          signal,
        )
  return { ...outcome, ms: Math.round(deps.clock.monotonic() - begun) }
}

/** @throws AppError EVENT_NOT_FOUND */
export async function listDeliveries(
  db: Db,
  id: string,
  { state, page, size }: { state?: HookDeliveryRow['state'] | undefined; page: number; size: number },
) {
  await existing(db, id)
  const { rows, total } = await deliveriesStore.page(db, { hookId: id, state }, { page, size })
  return { rows: rows.map(presentDelivery), total, page, size }
}

/** @returns how many wait again @throws AppError EVENT_NOT_FOUND */
export async function replayDeliveries(
  { db, clock }: Pick<HooksDeps, 'db' | 'clock'>,
  { id, ids }: { readonly id: string; readonly ids: readonly string[] | undefined },
  record: Record,
): Promise<number> {
  const hook = await existing(db, id)
  return inTransaction(db, async (tx) => {
    const count = await deliveriesStore.replay(tx, id, { ids, now: clock.now() })
    await record(tx, thingOf(hook, undefined, { replayed: count }))
    return count
  })
}

export function purgeDeliveries({ db, clock }: Pick<HooksDeps, 'db' | 'clock'>): Promise<void> {
  return deliveriesStore.purge(db, clock.now() - KEPT_MS)
}

function newSecret({ random }: Pick<HooksDeps, 'random'>): string {
  return secretOf(random.fill(new Uint8Array(SECRET_BYTES)))
}

/** @throws AppError HOOK_ADDRESS_REFUSED, HOOK_PROGRAM_REFUSED */
async function requireCallable(deps: HooksDeps, { kind, url, program, commandLine }: WantedHook): Promise<void> {
  if (kind === 'webhook') return requireReachable(deps, url)
  const found = await deps.programs.find(program)
  if ('fault' in found) throw new AppError('HOOK_PROGRAM_REFUSED', { field: 'program', reason: found.fault })
  const words = wordsOf(commandLine)
  if (words === undefined || unknownFact(words) !== undefined || commandLine.includes('\0')) {
    throw new AppError('HOOK_PROGRAM_REFUSED', { field: 'commandLine', reason: 'arguments' })
  }
}

/** @throws AppError HOOK_ADDRESS_REFUSED */
async function requireReachable({ outbound }: Pick<HooksDeps, 'outbound'>, url: string): Promise<void> {
  const address = hookAddress(url)
  if (address === undefined) throw new AppError('HOOK_ADDRESS_REFUSED', { field: 'url', reason: 'form' })
  try {
    await outbound.addressOf(hostOf(address))
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) throw thrown
    throw new AppError('HOOK_ADDRESS_REFUSED', { field: 'url', reason: thrown.reason }, { cause: thrown })
  }
}

async function withUniqueName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (isDuplicate(thrown)) throw new AppError('EVENT_NAME_DUPLICATE', { field: 'name' }, { cause: thrown })
    throw thrown
  }
}

/** @throws AppError EVENT_NOT_FOUND */
async function existing(db: Db, id: string): Promise<HookRow> {
  const row = await hooksStore.byId(db, id)
  if (row === undefined) throw new AppError('EVENT_NOT_FOUND')
  return row
}

function columnsOf({ name, kind, url, program, commandLine, waitSeconds, events, state, remark }: WantedHook) {
  const called =
    kind === 'webhook'
      ? { url, program: '', command_line: '', wait_seconds: waitSeconds }
      : { url: '', program, command_line: commandLine, wait_seconds: waitSeconds }
  const chosen = HOOK_EVENTS.filter((event) => events.includes(event)).join(',')
  return { name, name_key: foldCase(name), kind, ...called, events: chosen, state, remark }
}

function present(row: HookRow, counts: readonly DeliveryCount[]): Hook {
  const countOf = (state: DeliveryCount['state']): number =>
    counts.find((each) => each.hookId === row.id && each.state === state)?.count ?? 0
  return {
    ...{ kind: row.kind, program: row.program, commandLine: row.command_line, waitSeconds: row.wait_seconds },
    ...{ id: row.id, name: row.name, url: row.url, state: row.state, remark: row.remark, revision: row.revision },
    events: HOOK_EVENTS.filter((event) => row.events.split(',').includes(event)),
    createdAt: Number(row.created_at),
    failingSince: row.failing_since === null ? null : Number(row.failing_since),
    isGivenUp: row.given_up === 1,
    ...{ waiting: countOf('waiting'), failed: countOf('failed') },
  }
}

function presentDelivery(row: HookDeliveryRow): HookDelivery {
  return {
    ...{ id: row.id, event: row.event, state: row.state, attempts: row.attempts, createdAt: Number(row.created_at) },
    triedAt: row.tried_at === null ? null : Number(row.tried_at),
    nextAt: row.state === 'waiting' ? Number(row.next_at) : null,
    ...{ status: row.status, reason: row.reason, answer: row.answer, body: row.body },
  }
}

function thingOf({ id, name }: HookRow, before: object | undefined, after: object | undefined): ChangedThing {
  return { kind: 'hook', id, name, before, after }
}
