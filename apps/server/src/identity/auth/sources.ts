import { randomHex, type Clock, type Random } from '@godwit/base'
import type { Ctx } from '../../kernel/context.ts'
import { inTransaction, isDuplicate, type Db } from '../../kernel/db/index.ts'
import { recordEvent } from '../../kernel/events/index.ts'
import { sourceOf } from './attempts.policy.ts'
import { sourcesStore } from './sources.store.ts'

declare module '../../kernel/events/outbox.ts' {
  interface DurableEvents {
    /** An account that has signed in before did so from an address it never came from. */
    readonly 'sign-in.new-address': {
      /** Names this sign-in. */
      readonly signInId: string
      readonly userId: string
      readonly address: string
      /** As it named itself. */
      readonly program: string
    }
  }
}

export interface SourcesDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
}

/** Addresses remembered of one account; whoever travels more than this is notified of old ones again. */
const SOURCES_MAX = 200

/** Remembers where an account signs in from, and reports a place that is new. The first place of all is no news. */
export async function noteSource(
  { db, clock, random }: SourcesDeps,
  ctx: Pick<Ctx, 'address' | 'userAgent'>,
  userId: string,
): Promise<void> {
  const source = sourceOf(ctx.address).slice(0, 64)
  if (await sourcesStore.isKnown(db, userId, source)) return
  try {
    await inTransaction(db, async (tx) => {
      const before = await sourcesStore.of(tx, userId)
      await sourcesStore.remove(tx, userId, before.slice(SOURCES_MAX - 1))
      await sourcesStore.add(tx, { user_id: userId, source, first_seen_at: clock.now() })
      if (before.length === 0) return
      const { address, userAgent } = ctx
      const seen = { userId, address: address.slice(0, 64), program: userAgent.slice(0, 256) }
      await recordEvent({ tx, clock }, 'sign-in.new-address', { signInId: randomHex(random, 16), ...seen })
    })
  } catch (thrown) {
    // Two sign-ins from there at once: the other one reports it.
    if (!isDuplicate(thrown)) throw thrown
  }
}
