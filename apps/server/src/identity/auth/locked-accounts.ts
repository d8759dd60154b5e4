import type { Clock } from '@godwit/base'
import type { Log } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/index.ts'
import type { Bus } from '../../kernel/events/index.ts'
import type { Sessions } from './sessions.service.ts'
import { sessionsStore } from './sessions.store.ts'

export interface LockedAccountsDeps {
  readonly db: Db
  readonly bus: Bus
  readonly clock: Clock
  readonly log: Pick<Log, 'error'>
}

/**
 * Ends the sessions of an account for good once it is locked. The lock alone only keeps them from being used, so that one in
 * the wrong hands would go on as soon as the account is unlocked.
 */
export function endSessionsOfLocked(deps: LockedAccountsDeps, sessions: Pick<Sessions, 'end'>): void {
  // One account after the other: many may be locked at once.
  let last = Promise.resolve()
  deps.bus.subscribe('user.revoked', ({ userId, reason }, origin) => {
    if (reason !== 'locked' || origin !== 'here') return
    const lockedAt = deps.clock.now()
    last = last
      .then(() => endBegunBefore(deps, sessions, { userId, lockedAt }))
      .catch((thrown: unknown) => deps.log.error({ err: thrown, userId }, 'sessions of a locked account did not end'))
  })
}

/** A session that began later belongs to whoever signed in after the account was unlocked. */
async function endBegunBefore(
  { db }: LockedAccountsDeps,
  sessions: Pick<Sessions, 'end'>,
  { userId, lockedAt }: { readonly userId: string; readonly lockedAt: number },
): Promise<void> {
  for (const { id, created_at: createdAt } of await sessionsStore.byUser(db, userId))
    if (Number(createdAt) <= lockedAt) await sessions.end(id, userId, 'locked')
}
