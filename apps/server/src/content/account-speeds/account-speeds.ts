import type { Clock } from '@godwit/base'
import type { Settings } from '../../foundation/settings/index.ts'
import { spaceRulesStore } from '../../identity/memberships/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { LicensedTransfers } from './licensed-transfers.ts'
import { createPaceBucket, everyPace, type Pace, type PaceBucket, type PaceDeps } from './pace.ts'
import { watchSiteSpeeds } from './site-speeds.ts'
import { bytesPerSecond, type Direction, type SpeedRules } from './speed.policy.ts'

/**
 * Limits of accounts, of spaces and of the site on the bytes of all their transfers together, one bucket for each of them and direction in this
 * process. A change holds for transfers under way.
 */
export interface AccountSpeeds {
  /** @throws AppError LICENCE_EXPIRED, LICENCE_INVALID, TRAFFIC_INSUFFICIENT where the licence allows no transfer */
  requireOpen(): void
  /**
   * The pace of whoever transfers in a space: a guest is held by the space and the site alone.
   * @throws AppError as requireOpen()
   */
  paceOf(principal: Principal, direction: Direction, spaceId: number): Pace
  /** The same, for what no account transfers. @throws AppError as requireOpen() */
  paceOfSpace(direction: Direction, spaceId: number): Pace
  /** Bits per second that hold now, by account, space, site or licence, whichever is lowest; Infinity without a limit. */
  limitOf(principal: Principal, direction: Direction, spaceId: number): number
  stop(): void
}

export interface AccountSpeedsDeps extends PaceDeps {
  readonly db: Db
  readonly bus: Bus
  readonly log: Log
  readonly settings: Settings
  /** Absent in tests: everything is allowed. */
  readonly licensed?: LicensedTransfers
}

/** Accounts whose rules are kept; those without a limit are not. */
const ACCOUNTS_MAX = 10_000
const BITS_PER_BYTE = 8

interface Paced {
  rules: SpeedRules | undefined
  readonly buckets: Readonly<Record<Direction, PaceBucket>>
}

export function createAccountSpeeds(deps: AccountSpeedsDeps): AccountSpeeds {
  const { db, clock, bus, log, licensed } = deps
  const accounts = new Map<string, Paced>()
  const spaces = createSpaceSpeeds(deps)
  const site = createSiteSpeeds(deps)
  const end = bus.subscribe('user.changed', ({ userId }) => readAgain(userId))

  function readAgain(userId: string): void {
    const account = accounts.get(userId)
    if (account === undefined) return
    usersStore.byId(db, userId).then(
      (user) => setRules(account, rulesIn(user?.speed_rules ?? null)),
      (thrown: unknown) => log.warn({ err: thrown }, 'the speed limits of an account were not read'),
    )
  }

  function accountOf(principal: Limited): Paced {
    const rules = rulesIn(principal.account.speedRules ?? null)
    const known = accounts.get(principal.id)
    if (known !== undefined) {
      // A request may have been let in before a change that is known by now: which of the two is newer, the database knows.
      if (JSON.stringify(known.rules) !== JSON.stringify(rules)) readAgain(principal.id)
      return known
    }
    if (accounts.size >= ACCOUNTS_MAX) accounts.clear()
    const account = pacedBy(deps, rules)
    accounts.set(principal.id, account)
    return account
  }

  /** Of the space and of the whole site. */
  function paceOfSpace(direction: Direction, spaceId: number): Pace {
    licensed?.require()
    return everyPace(spaces.paceOf(spaceId, direction), site.paceOf(direction), licensed?.paceOf(direction))
  }

  return {
    requireOpen: () => licensed?.require(),
    paceOf(principal, direction, spaceId) {
      const ofPlace = paceOfSpace(direction, spaceId)
      return isLimited(principal) ? everyPace(accountOf(principal).buckets[direction].pace, ofPlace) : ofPlace
    },
    paceOfSpace,
    limitOf(principal, direction, spaceId) {
      const paced = isLimited(principal) ? (accounts.get(principal.id) ?? accountOf(principal)) : undefined
      const rates = [paced, spaces.find(spaceId), site.now()].map((each) => rateOf(clock, each, direction))
      const limits = rates.map((rate) => (rate === 0 ? Infinity : rate * BITS_PER_BYTE))
      return Math.min(licensed?.limit() ?? Infinity, ...limits)
    },
    stop() {
      end()
      spaces.stop()
    },
  }
}

/** Limits of spaces, read once and again when somebody changes them: they are few. */
function createSpaceSpeeds(deps: AccountSpeedsDeps) {
  const { db, bus, log } = deps
  const spaces = new Map<number, Paced>()
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const rows = new Map((await spaceRulesStore.all(db)).map((row) => [row.space_id, rulesIn(row.speed_rules)]))
    for (const [id, paced] of spaces) setRules(paced, rows.get(id))
    for (const [id, rules] of rows) if (rules !== undefined && !spaces.has(id)) spaces.set(id, pacedBy(deps, rules))
  }
  const reload = (): void => {
    loading = load().catch((thrown: unknown) => {
      loading = undefined
      log.warn({ err: thrown }, 'the speed limits of spaces were not read')
    })
  }
  const ends = [bus.subscribe('space.rules-changed', reload), bus.subscribe('bus.interrupted', reload)]
  const find = (spaceId: number): Paced | undefined => {
    if (loading === undefined) reload()
    return spaces.get(spaceId)
  }
  return {
    find,
    paceOf: (spaceId: number, direction: Direction): Pace => {
      find(spaceId)
      return (bytes, signal) => spaces.get(spaceId)?.buckets[direction].pace(bytes, signal)
    },
    stop() {
      for (const each of ends) each()
    },
  }
}

/** Limits of the whole site, on this server. */
function createSiteSpeeds(deps: AccountSpeedsDeps) {
  const site = pacedBy(deps, undefined)
  const rules = watchSiteSpeeds(deps, () => setRules(site, site.rules))
  const now = (): Paced => {
    site.rules = rules()
    return site
  }
  return {
    now,
    paceOf: (direction: Direction): Pace => {
      now()
      return (bytes, signal) => now().buckets[direction].pace(bytes, signal)
    },
  }
}

function pacedBy(deps: PaceDeps, rules: SpeedRules | undefined): Paced {
  const bucket = (direction: Direction): PaceBucket =>
    createPaceBucket(deps, () => rateOf(deps.clock, paced, direction))
  const paced: Paced = { rules, buckets: { upload: bucket('upload'), download: bucket('download') } }
  return paced
}

function rateOf(clock: Pick<Clock, 'now'>, paced: Paced | undefined, direction: Direction): number {
  return bytesPerSecond(paced?.rules, direction, new Date(clock.now()))
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
