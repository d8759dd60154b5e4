import type { Clock } from '@godwit/base'
import { usersStore } from '../../identity/users/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Principal } from '../../kernel/principal.ts'
import { bytesPerSecond, type Direction, type SpeedRules } from './speed.policy.ts'

/** Waits until these bytes may pass; undefined when they may at once. */
export type Pace = (bytes: number, signal: AbortSignal) => Promise<void> | undefined

/**
 * Limits of accounts on the bytes of all their transfers together, one bucket for each account and direction in this process.
 * A change holds for transfers under way.
 */
export interface AccountSpeeds {
  paceOf(principal: Principal, direction: Direction): Pace
  stop(): void
}

export interface AccountSpeedsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly bus: Bus
  readonly log: Log
}

/** Accounts whose rules are kept; those without a limit are not. */
const ACCOUNTS_MAX = 10_000
/** What an idle account may send at once before it is slowed down. */
const BURST_MS = 250
/** A wait is looked at anew this often: a period may have begun or ended. */
const LOOK_MS = 1_000

interface Paced {
  rules: SpeedRules | undefined
  /** Monotonic time at which everything let through so far is paid for. */
  readonly paidAt: Record<Direction, number>
}

export function createAccountSpeeds({ db, clock, bus, log }: AccountSpeedsDeps): AccountSpeeds {
  const accounts = new Map<string, Paced>()
  const end = bus.subscribe('user.changed', ({ userId }) => {
    const account = accounts.get(userId)
    if (account === undefined) return
    usersStore.byId(db, userId).then(
      (user) => (account.rules = rulesIn(user?.speed_rules ?? null)),
      (thrown: unknown) => log.warn({ err: thrown }, 'the speed limits of an account were not read'),
    )
  })

  function accountOf(userId: string, rules: SpeedRules | undefined): Paced {
    const known = accounts.get(userId)
    if (known !== undefined) {
      known.rules = rules
      return known
    }
    if (accounts.size >= ACCOUNTS_MAX) accounts.clear()
    const account = { rules, paidAt: { upload: -Infinity, download: -Infinity } }
    accounts.set(userId, account)
    return account
  }

  async function wait(account: Paced, direction: Direction, until: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const left = until - clock.monotonic()
      if (left <= 0 || rateOf(account, direction) === 0) return
      await pause(Math.min(left, LOOK_MS), signal)
    }
  }

  const rateOf = ({ rules }: Paced, direction: Direction): number =>
    rules === undefined ? 0 : bytesPerSecond(rules, direction, new Date(clock.now()))

  return {
    paceOf(principal, direction) {
      if (principal.kind === 'guest' || principal.kind === 'reviewer') return () => undefined
      const account = accountOf(principal.id, rulesIn(principal.account.speedRules ?? null))
      return (bytes, signal) => {
        const rate = rateOf(account, direction)
        if (rate === 0) return undefined
        const now = clock.monotonic()
        const until = Math.max(account.paidAt[direction], now - BURST_MS) + (bytes / rate) * 1000
        account.paidAt[direction] = until
        return until <= now ? undefined : wait(account, direction, until, signal)
      }
    },
    stop: end,
  }
}

function rulesIn(json: string | null): SpeedRules | undefined {
  return json === null ? undefined : (JSON.parse(json) as SpeedRules)
}

/** @throws the reason of the signal */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
