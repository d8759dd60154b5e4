import type { Clock } from '@godwit/base'

const LIFE_MS = 5 * 60_000
const CHALLENGES_MAX = 10_000

/** Random challenges that were given out and not answered yet: each counts once, within five minutes, in this process. */
export interface Challenges {
  /** @param subject whose answer it must be; '' for a sign-in, which names nobody */
  note(challenge: string, subject: string): void
  /** @returns whether it was given to this subject and is still good; it is spent either way */
  take(challenge: string, subject: string): boolean
}

export function createChallenges(clock: Pick<Clock, 'monotonic'>): Challenges {
  const given = new Map<string, { readonly subject: string; readonly until: number }>()
  return {
    note(challenge, subject) {
      const now = clock.monotonic()
      // In order of age, so the expired ones stand first.
      for (const [other, { until }] of given) {
        if (until > now && given.size < CHALLENGES_MAX) break
        given.delete(other)
      }
      given.set(challenge, { subject, until: now + LIFE_MS })
    },
    take(challenge, subject) {
      const found = given.get(challenge)
      given.delete(challenge)
      return found?.subject === subject && found.until > clock.monotonic()
    },
  }
}
