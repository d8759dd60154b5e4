import { HOOK_LIMITS } from '@godwit/contract'
import type { Clock } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import type { Vault } from '../../kernel/crypto/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Locks } from '../../kernel/locks/index.ts'
import type { Programs } from '../../foundation/programs/index.ts'
import { callHook, type CallDeps, type Outcome } from './hook-call.ts'
import { argumentsOf } from './hook-program.policy.ts'
import { waitAfter } from './hooks.policy.ts'
import type { HookDeliveryRow, HookRow } from './hooks.schema.ts'
import { deliveriesStore, hooksStore } from './hooks.store.ts'

export interface SenderDeps extends CallDeps {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly locks: Pick<Locks, 'tryRun'>
  readonly log: Log
  readonly vault: Vault
  readonly programs: Pick<Programs, 'run'>
  /** Notifies those who keep hooks that one was switched off. */
  readonly onGivenUp: (hook: HookRow) => Promise<void>
}

export const SECRET_PURPOSE = 'hook-secret'

/** Calls of one hook at once. */
const AT_ONCE = 4
const DAY_MS = 24 * 3_600_000

export interface HookSender {
  /** Begins what is due. Every hook has a line of its own, so a slow one delays nobody else. */
  look(): Promise<void>
  /** Resolves when the calls under way have ended; what has no record is sent again, under the same id. */
  stop(): Promise<void>
}

export function createHookSender(deps: SenderDeps): HookSender {
  const { db, clock, locks, log } = deps
  const lines = new Map<string, Promise<unknown>>()
  const stopping = new AbortController()
  const begin = (hookId: string): void => {
    const line = locks
      .tryRun(`hooks:${hookId}`, () => sendDue(deps, hookId, stopping.signal))
      .catch((thrown: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: thrown, hookId }, 'deliveries of a webhook stopped')
      })
      .finally(() => lines.delete(hookId))
    lines.set(hookId, line)
  }
  return {
    async look() {
      if (stopping.signal.aborted) return
      for (const hookId of await deliveriesStore.dueHooks(db, clock.now())) if (!lines.has(hookId)) begin(hookId)
    },
    async stop() {
      stopping.abort(new Error('the server stops'))
      await Promise.all(lines.values())
    },
  }
}

/** Sends until nothing of this hook is due. */
async function sendDue(deps: SenderDeps, hookId: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const hook = await hooksStore.byId(deps.db, hookId)
    if (hook?.state !== 'activated') return
    const due = await deliveriesStore.due(deps.db, hookId, {
      now: deps.clock.now(),
      limit: hook.kind === 'program' ? 1 : AT_ONCE,
    })
    if (due.length === 0) return
    const outcomes = await Promise.all(due.map((delivery) => sendOne(deps, { hook, delivery }, signal)))
    await markHook(deps, hook, outcomes)
  }
}

async function sendOne(
  deps: SenderDeps,
  { hook, delivery }: { readonly hook: HookRow; readonly delivery: HookDeliveryRow },
  signal: AbortSignal,
): Promise<Outcome> {
  const { db, clock, vault } = deps
  const { id, event, body } = delivery
  const outcome =
    hook.kind === 'program'
      ? await deps.programs.run(programCall(hook, { id, event, body }), signal)
      : await callHook(
          deps,
          { url: hook.url, secret: vault.open(SECRET_PURPOSE, hook.secret_sealed), id, body },
          signal,
        )
  const attempts = delivery.attempts + 1
  const wait = outcome.isDelivered ? undefined : waitAfter(attempts)
  const { status, reason, answer } = outcome
  await deliveriesStore.change(db, delivery.id, {
    ...{ status, reason, answer, attempts, tried_at: clock.now() },
    ...(wait === undefined ? { state: outcome.isDelivered ? 'delivered' : 'failed' } : { next_at: clock.now() + wait }),
  })
  return outcome
}

/** One run of the program of a hook. */
export function programCall(
  { program, command_line: commandLine, wait_seconds: waitSeconds }: HookRow,
  happened: { readonly id: string; readonly event: string; readonly body: string },
) {
  return { program, waitSeconds, ...happened, arguments: argumentsOf(commandLine, happened) }
}

/** Switches a hook off when nothing has come through for days. */
async function markHook(deps: SenderDeps, hook: HookRow, outcomes: readonly Outcome[]): Promise<void> {
  const { db, clock, onGivenUp } = deps
  if (outcomes.some(({ isDelivered }) => isDelivered)) {
    if (hook.failing_since !== null) await hooksStore.mark(db, hook.id, { failing_since: null })
    return
  }
  if (hook.failing_since === null) return hooksStore.mark(db, hook.id, { failing_since: clock.now() })
  if (clock.now() - Number(hook.failing_since) < HOOK_LIMITS.disableAfterDays * DAY_MS) return
  // The notice goes first: sent twice it is one, not sent it would be none.
  await onGivenUp(hook)
  await hooksStore.mark(db, hook.id, { state: 'inactivated', given_up: 1 })
}
