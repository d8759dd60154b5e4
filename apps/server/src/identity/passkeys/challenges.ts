import type { Clock } from '@godwit/base'
import { hashToken } from '../../kernel/crypto/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { ticketsStore } from '../tickets/index.ts'

const LIFE_MS = 5 * 60_000
const PURPOSE = 'passkey'

/**
 * Random challenges that were given out and not answered yet: each counts once, within five minutes, whichever node is
 * answered. They are kept with the tickets, under their hashes.
 */
export interface Challenges {
  /** @param subject whose answer it must be; '' for a sign-in, which names nobody */
  note(challenge: string, subject: string): Promise<void>
  /** @returns whether it was given to this subject and is still good; it is spent either way */
  take(challenge: string, subject: string): Promise<boolean>
}

export interface ChallengesDeps {
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
}

export function createChallenges({ db, clock }: ChallengesDeps): Challenges {
  return {
    note: (challenge, subject) =>
      ticketsStore.insert(db, {
        ...{ hash: hashToken(challenge), purpose: PURPOSE, content: JSON.stringify(subject) },
        expires_at: clock.now() + LIFE_MS,
      }),
    async take(challenge, subject) {
      const found = await ticketsStore.take(db, hashToken(challenge), PURPOSE)
      return found?.content === JSON.stringify(subject) && Number(found.expires_at) > clock.now()
    },
  }
}
