import type { Clock } from '@godwit/base'
import { attemptsStore, CLOCK_SKEW_MS, sourceOf } from '../../identity/auth/index.ts'
import { inTransaction, type Db, type DialectName, type Tx } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'

export interface GuessDeps {
  readonly db: Db
  readonly dialect: DialectName
  readonly clock: Clock
}

interface Guesses {
  readonly failures: number
  /** Of the last failure, Unix milliseconds. */
  readonly since: number
  readonly lockedUntil: number
}

interface GuessRule {
  /** Wrong passwords before the first wait. */
  readonly free: number
  readonly firstWaitMs: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** One guest at one link. */
const OF_LINK: GuessRule = { free: 4, firstWaitMs: 30_000 }
/** The same while many others guess at the link too: whoever has not failed there yet notices nothing. */
const UNDER_ATTACK: GuessRule = { free: 0, firstWaitMs: HOUR_MS }
/** One address at all links; offices share addresses. */
const OF_ADDRESS: GuessRule = { free: 50, firstWaitMs: 60_000 }
/** Codes of one recipient, whoever guesses: 10^6 of them outlast any link. */
const OF_RECIPIENT: GuessRule = { free: 20, firstWaitMs: HOUR_MS }
/** Wrong passwords of a day from which a link counts as attacked. */
const ATTACK = 100

/** State after one more wrong password: the wait doubles with each, up to an hour; a day without one forgets them all. */
export function afterWrong(state: Guesses, { free, firstWaitMs }: GuessRule, now: number): Guesses {
  const age = now - state.since
  const failures = (age >= -CLOCK_SKEW_MS && age < DAY_MS ? state.failures : 0) + 1
  const waitMs = failures <= free ? 0 : Math.min(HOUR_MS, firstWaitMs * 2 ** Math.min(20, failures - free - 1))
  return { failures, since: now, lockedUntil: waitMs === 0 ? 0 : now + waitMs }
}

/** Milliseconds until the next guess. A wait longer than any is of a clock that went back. */
export function waitLeft({ lockedUntil }: Guesses, now: number): number {
  const left = lockedUntil - now
  return left > HOUR_MS + CLOCK_SKEW_MS ? 0 : Math.min(HOUR_MS, Math.max(0, left))
}

/**
 * Counts a guess at a link's password, or at the code of a recipient, as wrong before it is looked at, so that guesses at the same time cannot all be tried
 * before the first is counted.
 * @param recipient what guesses at one recipient's code are counted under
 * @returns takes the count back after a right one
 * @throws AppError RATE_LIMITED with the seconds to wait
 */
export async function countGuess(
  deps: GuessDeps,
  linkId: string,
  address: string,
  recipient?: string,
): Promise<() => Promise<void>> {
  const source = sourceOf(address)
  const ofLink = `link:${linkId}`
  const ofGuest = `link:${linkId}:${source}`
  const ofAddress = `link-address:${source}`
  await inTransaction(deps.db, async (tx) => {
    const all = await countOne({ ...deps, tx }, ofLink, { free: Infinity, firstWaitMs: 0 })
    await countOne({ ...deps, tx }, ofGuest, all.failures > ATTACK ? UNDER_ATTACK : OF_LINK)
    await countOne({ ...deps, tx }, ofAddress, OF_ADDRESS)
    if (recipient !== undefined) await countOne({ ...deps, tx }, recipient, OF_RECIPIENT)
  })
  return async () => {
    await attemptsStore.clear(deps.db, ofGuest)
    if (recipient !== undefined) await attemptsStore.clear(deps.db, recipient)
    for (const subject of [ofLink, ofAddress]) await attemptsStore.takeBack(deps.db, subject)
  }
}

async function countOne(
  { tx, dialect, clock }: GuessDeps & { readonly tx: Tx },
  subject: string,
  rule: GuessRule,
): Promise<Guesses> {
  const row = await attemptsStore.hold(tx, dialect, subject)
  // Only now: those that were counted during the wait are in the past.
  const now = clock.now()
  const state = { failures: row.failures, since: Number(row.since), lockedUntil: Number(row.locked_until) }
  const left = waitLeft(state, now)
  if (left > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.ceil(left / 1000) })
  const next = afterWrong(state, rule, now)
  await attemptsStore.put(tx, { subject, failures: next.failures, since: next.since, locked_until: next.lockedUntil })
  return next
}
