import { usersStore } from '../../identity/users/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Principal } from '../../kernel/principal.ts'
import { createPaceBucket, type Pace, type PaceBucket, type PaceDeps } from './pace.ts'
import { bytesPerSecond, type Direction, type SpeedRules } from './speed.policy.ts'

/**
 * Limits of accounts on the bytes of all their transfers together, one bucket for each account and direction in this process.
 * A change holds for transfers under way.
 */
export interface AccountSpeeds {
  paceOf(principal: Principal, direction: Direction): Pace
  /** Bits per second that hold for the account now; Infinity without a limit. */
  limitOf(principal: Principal, direction: Direction): number
  stop(): void
}

export interface AccountSpeedsDeps extends PaceDeps {
  readonly db: Db
  readonly bus: Bus
  readonly log: Log
}

/** Accounts whose rules are kept; those without a limit are not. */
const ACCOUNTS_MAX = 10_000
const BITS_PER_BYTE = 8

interface Paced {
  rules: SpeedRules | undefined
  readonly buckets: Readonly<Record<Direction, PaceBucket>>
}

export function createAccountSpeeds(deps: AccountSpeedsDeps): AccountSpeeds {
  const { db, clock, bus, log } = deps
  const accounts = new Map<string, Paced>()
  const end = bus.subscribe('user.changed', ({ userId }) => {
    const account = accounts.get(userId)
    if (account === undefined) return
    usersStore.byId(db, userId).then(
      (user) => setRules(account, rulesIn(user?.speed_rules ?? null)),
      (thrown: unknown) => log.warn({ err: thrown }, 'the speed limits of an account were not read'),
    )
  })

  function accountOf(principal: Limited): Paced {
    const rules = rulesIn(principal.account.speedRules ?? null)
    const known = accounts.get(principal.id)
    if (known !== undefined) {
      setRules(known, rules)
      return known
    }
    if (accounts.size >= ACCOUNTS_MAX) accounts.clear()
    const bucket = (direction: Direction): PaceBucket => createPaceBucket(deps, () => rateOf(account, direction))
    const account: Paced = { rules, buckets: { upload: bucket('upload'), download: bucket('download') } }
    accounts.set(principal.id, account)
    return account
  }

  const rateOf = ({ rules }: Paced, direction: Direction): number =>
    bytesPerSecond(rules, direction, new Date(clock.now()))

  return {
    paceOf: (principal, direction) =>
      isLimited(principal) ? accountOf(principal).buckets[direction].pace : () => undefined,
    limitOf(principal, direction) {
      if (!isLimited(principal)) return Infinity
      const rate = rateOf(accounts.get(principal.id) ?? accountOf(principal), direction)
      return rate === 0 ? Infinity : rate * BITS_PER_BYTE
    },
    stop: end,
  }
}

type Limited = Exclude<Principal, { readonly kind: 'guest' | 'reviewer' }>

function isLimited(principal: Principal): principal is Limited {
  return principal.kind !== 'guest' && principal.kind !== 'reviewer'
}

function setRules(account: Paced, rules: SpeedRules | undefined): void {
  account.buckets.upload.settle()
  account.buckets.download.settle()
  account.rules = rules
}

function rulesIn(json: string | null): SpeedRules | undefined {
  return json === null ? undefined : (JSON.parse(json) as SpeedRules)
}
