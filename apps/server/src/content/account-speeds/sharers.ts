import type { Clock } from '@godwit/base'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Log } from '../../kernel/context.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { PlaceIds } from '../access/index.ts'
import type { Sharer } from './fair-queue.ts'
import { SPEED_SETTINGS } from './speed.settings.ts'

export interface SharersDeps {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly settings: Pick<Settings, 'of'>
  readonly log: Pick<Log, 'warn'>
}

/** Those who share a limit, each with the weight that holds now. */
export interface Sharers {
  /** An account has one part, however many transfers, devices and doors; so has each guest. */
  of(principal: Principal, place: PlaceIds): Sharer
  /** What no account transfers has one part among all. */
  ofNobody(place: PlaceIds): Sharer
}

/** A changed weight holds for what asks after this long. */
const LOOK_EVERY_MS = 1_000
/** Weights that are kept; beyond that all are read again. */
const KEPT_MAX = 10_000

interface Known {
  weight: number
  lookAt: number
}

export function createSharers({ clock, settings, log }: SharersDeps): Sharers {
  const known = new Map<string, Known>()

  function weightOf(key: string, target: Target): number {
    if (known.size >= KEPT_MAX && !known.has(key)) known.clear()
    const one = known.get(key) ?? { weight: SPEED_SETTINGS.specs['transfer.weight'].schema.parse(undefined), lookAt: 0 }
    known.set(key, one)
    if (clock.monotonic() < one.lookAt) return one.weight
    one.lookAt = clock.monotonic() + LOOK_EVERY_MS
    settings.of(SPEED_SETTINGS, target).then(
      (values) => (one.weight = values['transfer.weight']),
      (thrown: unknown) => log.warn({ err: thrown }, 'the weight of a transfer was not read'),
    )
    return one.weight
  }

  function sharer(key: string, target: Target): Sharer {
    const { spaceId, groupId = 0 } = target
    const place = `${spaceId}/${groupId}/${key}`
    return {
      key,
      get weight() {
        return weightOf(place, target)
      },
    }
  }

  return {
    of: (principal, place) => sharer(keyOf(principal), { ...targetOf(place), ...accountOf(principal) }),
    ofNobody: (place) => sharer('', targetOf(place)),
  }
}

interface Target {
  readonly spaceId: number
  readonly groupId?: number
  readonly userId?: string
}

function targetOf({ spaceId, groupId }: PlaceIds): Target {
  return groupId > 0 ? { spaceId, groupId } : { spaceId }
}

function isStranger({ kind }: Principal): boolean {
  return kind === 'guest' || kind === 'reviewer'
}

function accountOf(principal: Principal): Pick<Target, 'userId'> {
  return isStranger(principal) ? {} : { userId: principal.id }
}

function keyOf(principal: Principal): string {
  return isStranger(principal) ? `${principal.kind} ${principal.id}` : principal.id
}
