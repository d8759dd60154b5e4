import type { Clock } from '@godwit/base'
import type { OperationName, RouteSpec } from '@godwit/contract'
import type { UserCtx } from '../../kernel/context.ts'
import { inTransaction, type Db, type Tx } from '../../kernel/db/index.ts'
import { endpoint, type Endpoint, type EndpointInput } from '../../kernel/endpoint.ts'
import { AppError, toAppError } from '../../kernel/errors.ts'
import type { z } from 'zod'
import { hashOf, maskSecrets } from './operation-log.policy.ts'
import { operationLogStore } from './operation-log.store.ts'

export interface OperationLogDeps {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
}

/** What was changed, and how it was and is. Secrets in either are masked by the name of their field. */
export interface ChangedThing {
  readonly kind: string
  readonly id: string | number
  /** Its name as people know it. */
  readonly name: string
  readonly before?: object | undefined
  readonly after?: object | undefined
}

/** Who did it, and from where. */
export interface Actor {
  readonly id: string
  readonly account: string
  readonly door: string
  readonly address: string
  readonly userAgent: string
  readonly requestId: string
}

interface Entry {
  readonly actor: Actor
  readonly operation: string
  readonly things: readonly ChangedThing[]
  /** `ok` unless given, or the name of an error. */
  readonly result?: string
}

/** Appends a sealed row for each thing. Call it last in the transaction of the change: other changes wait for it from here on. */
export async function appendOperations(
  { clock }: Pick<OperationLogDeps, 'clock'>,
  tx: Tx,
  { actor, operation, things, result = 'ok' }: Entry,
): Promise<void> {
  let { seq, hash } = await operationLogStore.takeHead(tx, things.length)
  const rows = things.map((thing) => {
    const row = {
      ...{ seq: ++seq, at: clock.now() },
      ...{ actor_id: actor.id, actor: actor.account.slice(0, 64), door: actor.door },
      ...{ address: actor.address.slice(0, 64), user_agent: actor.userAgent.slice(0, 256) },
      ...{ request_id: actor.requestId.slice(0, 64), operation },
      ...{
        target_kind: thing.kind,
        target_id: String(thing.id).slice(0, 64),
        target: thing.name.slice(0, 256),
        result,
      },
      ...{ state_before: jsonOf(thing.before), state_after: jsonOf(thing.after), previous_hash: hash },
    }
    hash = hashOf(row)
    return { ...row, hash }
  })
  await operationLogStore.insert(tx, rows)
}

function jsonOf(state: object | undefined): string {
  return state === undefined ? '' : JSON.stringify(maskSecrets(state))
}

/** Writes what a route changed into the log, in the transaction of the change. */
export type RecordChange = (tx: Tx, ...things: readonly ChangedThing[]) => Promise<void>

/** Changes of one thing that a refusal looks back on. */
const CONFLICT_ROWS = 50

type LoggedSpec = RouteSpec & { readonly log: OperationName }

/**
 * A route whose changes the operation log keeps. The handler records each thing it changes; a failure, and a success that
 * recorded nothing, leave a row of their own. A dry run (`dryRun` in its body) changes nothing and leaves none when it succeeds.
 */
export function loggedEndpoint<Spec extends LoggedSpec>(
  deps: OperationLogDeps,
  spec: Spec,
  handle: (ctx: UserCtx, input: EndpointInput<Spec>, record: RecordChange) => Promise<z.input<Spec['reply']>>,
): Endpoint {
  const work = async (ctx: UserCtx, input: EndpointInput<Spec>): Promise<z.input<Spec['reply']>> => {
    const actor = actorOf(ctx)
    let recorded = 0
    const record: RecordChange = async (tx, ...things) => {
      if (things.length === 0) return
      await appendOperations(deps, tx, { actor, operation: spec.log, things })
      recorded += things.length
    }
    const things = [targetOf(spec, input)]
    try {
      const reply = await handle(ctx, input, record)
      if (recorded === 0 && !isDryRun(input.body)) await appendAlone(deps, { actor, operation: spec.log, things })
      return reply
    } catch (thrown) {
      await appendAlone(deps, { actor, operation: spec.log, things, result: toAppError(thrown).code })
      throw thrown
    }
  }
  return endpoint(spec as RouteSpec, work as never)
}

function isDryRun(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'dryRun' in body && body.dryRun === true
}

/** Writes down what somebody takes out of the console and changes nothing. To be called before it leaves, so that none leaves unseen. */
export function recordExport(
  deps: OperationLogDeps,
  ctx: UserCtx,
  { operation, thing }: { readonly operation: OperationName; readonly thing: ChangedThing },
): Promise<void> {
  return appendAlone(deps, { actor: actorOf(ctx), operation, things: [thing] })
}

function appendAlone(deps: OperationLogDeps, entry: Entry): Promise<void> {
  return inTransaction(deps.db, (tx) => appendOperations(deps, tx, entry))
}

/** What a call was about as far as its path says it. */
function targetOf(spec: LoggedSpec, input: { readonly params: unknown }): ChangedThing {
  const [id = ''] = Object.values((input.params ?? {}) as Readonly<Record<string, string | number>>)
  return { kind: spec.log.split('.')[0] ?? '', id, name: '' }
}

function actorOf(ctx: UserCtx): Actor {
  const { door, address, userAgent, requestId, principal } = ctx
  return { id: principal.id, account: accountName(principal), door, address, userAgent, requestId }
}

/** The identity layer knows what an account is called; here it is known by its fields alone. */
export function accountName(principal: object): string {
  const { account } = principal as { readonly account?: { readonly account?: string } }
  return account?.account ?? ''
}

/**
 * The refusal of an edit that started from an older revision: what changed meanwhile, to what, and who did it.
 * @param present the revision of now
 */
export async function editConflict(
  db: Db,
  thing: { readonly kind: string; readonly id: string | number },
  { from, present }: { readonly from: number; readonly present: number },
): Promise<AppError> {
  const rows = await operationLogStore.ofTarget(db, { kind: thing.kind, id: String(thing.id) }, CONFLICT_ROWS)
  const changed: Record<string, unknown> = {}
  const by = new Set<string>()
  for (const row of rows.toReversed()) {
    const after = row.state_after === '' ? {} : (JSON.parse(row.state_after) as Readonly<Record<string, unknown>>)
    if (row.result !== 'ok' || typeof after['revision'] !== 'number' || after['revision'] <= from) continue
    Object.assign(changed, after)
    by.add(row.actor)
  }
  delete changed['revision']
  return new AppError('EDIT_CONFLICT', { revision: present, changed, by: [...by] })
}

const DAY_MS = 24 * 3_600_000

/** @param days how long rows are kept; 0: for ever */
export async function forgetOperations({ db, clock }: OperationLogDeps, days: number): Promise<void> {
  if (days > 0) await operationLogStore.removeOlder(db, clock.now() - days * DAY_MS)
}
