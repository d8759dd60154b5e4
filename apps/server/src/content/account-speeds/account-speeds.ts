import type { Clock } from '@godwit/base'
import type { Settings } from '../../foundation/settings/index.ts'
import { groupsStore } from '../../identity/groups/index.ts'
import { spaceRulesStore } from '../../identity/memberships/index.ts'
import { usersStore } from '../../identity/users/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Bus, Signals } from '../../kernel/events/index.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { PlaceIds } from '../access/index.ts'
import type { Sharer } from './fair-queue.ts'
import type { LicensedTransfers } from './licensed-transfers.ts'
import { createPaceBucket, everyPace, type Pace, type PaceBucket, type PaceDeps } from './pace.ts'
import { createSharers } from './sharers.ts'
import { watchSiteSpeeds } from './site-speeds.ts'
import { bytesPerSecond, type Direction, type SpeedRules } from './speed.policy.ts'

/**
 * Limits of accounts, of group libraries, of spaces and of the site on the bytes of all their transfers together, one bucket for each
 * of them and direction in this process. A change holds for transfers under way.
 */
export interface AccountSpeeds {
  /** @throws AppError LICENCE_EXPIRED, LICENCE_INVALID, TRAFFIC_INSUFFICIENT where the licence allows no transfer */
  requireOpen(): void
  /**
   * The pace of whoever transfers in a place: a guest is held by group, space and site alone.
   * @throws AppError as requireOpen()
   */
  paceOf(principal: Principal, direction: Direction, place: PlaceIds): Pace
  /** The same, for what no account transfers. @throws AppError as requireOpen() */
  paceOfPlace(direction: Direction, place: PlaceIds): Pace
  /** Whoever transfers in a place, as one of those who share it. */
  sharerOf(principal: Principal, place: PlaceIds): Sharer
  /** Bits per second that hold now, by account, group, space, site or licence, whichever is lowest; Infinity without a limit. */
  limitOf(principal: Principal, direction: Direction, place: PlaceIds): number
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
  const { db, clock, licensed } = deps
  const accounts = createOwnSpeeds(deps)
  const spaces = createPlaceSpeeds(deps, {
    changed: 'space.rules-changed',
    read: async () => (await spaceRulesStore.all(db)).map((row) => [row.space_id, row.speed_rules]),
  })
  const groups = createPlaceSpeeds(deps, {
    changed: 'group.speed-changed',
    read: async () => (await groupsStore.limited(db)).map(({ id, speed_rules: rules }) => [id, rules]),
  })
  const site = createSiteSpeeds(deps)
  const sharers = createSharers(deps)

  /** Of the group, of the space and of the whole site, for one of those who share them. */
  function paceFor(sharer: Sharer, direction: Direction, { spaceId, groupId }: PlaceIds): Pace {
    licensed?.require()
    const ofGroup = groupId > 0 ? groups.paceOf(groupId, direction, sharer) : undefined
    const ofSpace = spaces.paceOf(spaceId, direction, sharer)
    return everyPace(ofGroup, ofSpace, site.paceOf(direction, sharer), licensed?.paceOf(direction, sharer))
  }

  return {
    requireOpen: () => licensed?.require(),
    paceOf(principal, direction, place) {
      const ofPlace = paceFor(sharers.of(principal, place), direction, place)
      return isLimited(principal) ? everyPace(accounts.of(principal).buckets[direction].pace, ofPlace) : ofPlace
    },
    paceOfPlace: (direction, place) => paceFor(sharers.ofNobody(place), direction, place),
    sharerOf: (principal, place) => sharers.of(principal, place),
    limitOf(principal, direction, { spaceId, groupId }) {
      const paced = isLimited(principal) ? accounts.known(principal) : undefined
      const places = [groups.find(groupId), spaces.find(spaceId), site.now()]
      const rates = [paced, ...places].map((each) => rateOf(clock, each, direction))
      const limits = rates.map((rate) => (rate === 0 ? Infinity : rate * BITS_PER_BYTE))
      return Math.min(licensed?.limit() ?? Infinity, ...limits)
    },
    stop() {
      accounts.stop()
      spaces.stop()
      groups.stop()
    },
  }
}

/** Limits of accounts, read with the requests they come in with, and again when somebody changes them. */
function createOwnSpeeds(deps: AccountSpeedsDeps) {
  const { db, bus, log } = deps
  const accounts = new Map<string, Paced>()
  const end = bus.subscribe('user.changed', ({ userId }) => readAgain(userId))

  function readAgain(userId: string): void {
    const account = accounts.get(userId)
    if (account === undefined) return
    usersStore.byId(db, userId).then(
      (user) => setRules(account, rulesIn(user?.speed_rules ?? null)),
      (thrown: unknown) => log.warn({ err: thrown }, 'the speed limits of an account were not read'),
    )
  }

  function of(principal: Limited): Paced {
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

  return {
    of,
    /** As they were at the last look. */
    known: (principal: Limited): Paced => accounts.get(principal.id) ?? of(principal),
    stop: end,
  }
}

interface LimitedPlaces {
  /** Said when some of the rules are others. */
  readonly changed: keyof Signals
  /** Rules as they are stored, by the number of the place; those without any may be left out. */
  read(): Promise<ReadonlyArray<readonly [number, string | null]>>
}

/** Limits of spaces or of groups, read once and again when somebody changes them: they are few. */
function createPlaceSpeeds(deps: AccountSpeedsDeps, { changed, read }: LimitedPlaces) {
  const { bus, log } = deps
  const places = new Map<number, Paced>()
  let loading: Promise<void> | undefined

  async function load(): Promise<void> {
    const rows = new Map((await read()).map(([id, rules]) => [id, rulesIn(rules)]))
    for (const [id, paced] of places) setRules(paced, rows.get(id))
    for (const [id, rules] of rows) if (rules !== undefined && !places.has(id)) places.set(id, pacedBy(deps, rules))
  }
  const reload = (): void => {
    loading = load().catch((thrown: unknown) => {
      loading = undefined
      log.warn({ err: thrown }, 'the speed limits of places were not read')
    })
  }
  const ends = [bus.subscribe(changed, reload), bus.subscribe('bus.interrupted', reload)]
  const find = (id: number): Paced | undefined => {
    if (loading === undefined) reload()
    return places.get(id)
  }
  return {
    find,
    paceOf: (id: number, direction: Direction, sharer: Sharer): Pace => {
      find(id)
      return (bytes, signal) => places.get(id)?.buckets[direction].pace(bytes, signal, sharer)
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
    paceOf: (direction: Direction, sharer: Sharer): Pace => {
      now()
      return (bytes, signal) => now().buckets[direction].pace(bytes, signal, sharer)
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
