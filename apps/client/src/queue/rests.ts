import type { Clock } from '@godwit/base'
import type { Profile } from '../profiles/profile.ts'
import type { QueueItem } from './queue.ts'

type Who = Omit<Profile, 'token'>

/**
 * How an attempt ended:
 * - answered: the server said what becomes of it
 * - stopped: somebody at this computer did
 * - away: its server could not be reached, or asked to come later
 * - signed-out: nobody is signed in there
 * - later: only this one has to wait
 */
export type Outcome = 'answered' | 'stopped' | 'away' | 'signed-out' | 'later'

/** What failed for now is tried again after this time. */
export const AGAIN_MS = 10_000
/** A server that stays away is asked less and less often, but an end of that is noticed within this time. */
export const AGAIN_MAX_MS = 120_000

interface Failed {
  readonly key: string
  readonly failedAt: number
  readonly until: number
}

/** Which accounts and transfers are left alone for now, so that what cannot go keeps no other from going. */
export class Rests {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #accounts = new Map<string, { readonly failures: number; readonly until: number }>()
  readonly #items = new Map<number, Failed>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** Those that may be tried now, in their order; what failed before stands behind the others. */
  due(waiting: readonly QueueItem[]): readonly QueueItem[] {
    const now = this.#clock.monotonic()
    const ids = new Set(waiting.map(({ id }) => id))
    for (const id of this.#items.keys()) if (!ids.has(id)) this.#items.delete(id)
    const failedAt = ({ id }: QueueItem): number => this.#items.get(id)?.failedAt ?? -Infinity
    return waiting
      .filter((item) => {
        const account = this.#accounts.get(accountKey(item))
        return (account?.until ?? now) <= now && (this.#items.get(item.id)?.until ?? now) <= now
      })
      .toSorted((one, other) => (failedAt(one) < failedAt(other) ? -1 : Number(failedAt(one) > failedAt(other))))
  }

  note(item: QueueItem, outcome: Outcome): void {
    const key = accountKey(item)
    const now = this.#clock.monotonic()
    if (outcome === 'answered' || outcome === 'stopped') {
      this.#items.delete(item.id)
      if (outcome === 'answered') this.#accounts.delete(key)
      return
    }
    this.#items.set(item.id, { key, failedAt: now, until: outcome === 'later' ? now + AGAIN_MS : now })
    const { failures = 0, until = now } = this.#accounts.get(key) ?? {}
    // The second one of two at once fails for the same reason.
    if (outcome === 'later' || until > now) return
    const restMs = outcome === 'away' ? Math.min(AGAIN_MS * 2 ** failures, AGAIN_MAX_MS) : AGAIN_MS
    this.#accounts.set(key, { failures: outcome === 'away' ? failures + 1 : 0, until: now + restMs })
  }

  /** The server is there: the next failure counts as the first. */
  reached(who: Who): void {
    this.#accounts.delete(accountKey(who))
  }

  /** Everything of an account may be tried at once, in its own order. */
  forget(who: Who): void {
    const key = accountKey(who)
    this.#accounts.delete(key)
    for (const [id, failed] of this.#items) if (failed.key === key) this.#items.delete(id)
  }

  forgetAll(): void {
    this.#accounts.clear()
    this.#items.clear()
  }
}

export function accountKey({ server, account }: Who): string {
  return JSON.stringify([server, account])
}
