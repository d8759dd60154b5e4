import type { Clock, Random } from '@godwit/base'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import type { Db } from '../../kernel/db/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Principal } from '../../kernel/principal.ts'
import { ticketsStore } from './tickets.store.ts'

/** A link is used at once. */
const LIFE_MS = 10 * 60_000
/** A browser that lost the line goes on with the same link; nobody downloads for so long without losing it once. */
const CONTINUED_MS = 7 * 24 * 3_600_000
/** Parts of one download come one after the other: they need not all write. */
const CONTINUED_BLUR_MS = 3_600_000

/** What a ticket opens, besides for whom. */
interface Held {
  readonly principal: Principal
}

/**
 * Short-lived secrets for plain links, which cannot carry a header. The database keeps them under their hash, so that every node
 * knows them, after a restart too.
 */
export interface Tickets<Content extends Held> {
  /** @param lifeMs default: 10 minutes */
  issue(content: Content, lifeMs?: number): Promise<{ readonly ticket: string; readonly expiresAt: number }>
  /** @returns what it opens, with the principal of now @throws AppError TICKET_INVALID, also when the principal may nothing any more */
  redeem(ticket: string): Promise<Content>
  /** Keeps a ticket good for a week, because a download by it began. */
  extend(ticket: string): Promise<void>
}

export interface TicketsDeps {
  readonly db: Db
  readonly clock: Clock
  readonly random: Random
}

export interface TicketRules<Content extends Held> {
  /** At most 16 characters; a ticket opens nothing where another purpose is served. */
  readonly purpose: string
  /** Whoever the ticket was made for, with the rights of now; undefined when the session, the account or the visit ended. */
  readonly renew: (principal: Content['principal']) => Promise<Content['principal'] | undefined>
}

export function createTickets<Content extends Held>(
  { db, clock, random }: TicketsDeps,
  { purpose, renew }: TicketRules<Content>,
): Tickets<Content> {
  return {
    async issue(content, lifeMs = LIFE_MS) {
      const ticket = newToken(random)
      const expiresAt = clock.now() + lifeMs
      const text = JSON.stringify(content)
      await ticketsStore.insert(db, { hash: hashToken(ticket), purpose, content: text, expires_at: expiresAt })
      return { ticket, expiresAt }
    },
    async redeem(ticket) {
      const row = await ticketsStore.byHash(db, hashToken(ticket))
      if (row?.purpose !== purpose || row.expires_at <= clock.now()) throw new AppError('TICKET_INVALID')
      // Written by issue().
      const content = JSON.parse(row.content) as Content
      const principal = await renew(content.principal)
      if (principal === undefined) throw new AppError('TICKET_INVALID')
      return { ...content, principal }
    },
    async extend(ticket) {
      const until = clock.now() + CONTINUED_MS
      await ticketsStore.extend(db, hashToken(ticket), { until, unlessAfter: until - CONTINUED_BLUR_MS })
    },
  }
}

/** Removes tickets that open nothing any more. */
export async function forgetTickets({ db, clock }: Omit<TicketsDeps, 'random'>): Promise<void> {
  await ticketsStore.removeExpired(db, clock.now())
}
