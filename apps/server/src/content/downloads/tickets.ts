import type { Clock, Random } from '@godwit/base'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import type { Actor } from '../../kernel/context.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Place } from '../files/index.ts'

/** What one ticket opens: these paths, for this account, for reading. */
export interface Ticket {
  readonly actor: Actor
  readonly place: Place
  readonly paths: readonly string[]
  readonly expiresAt: number
}

/** A link is used at once; a download it began may be continued for as long. */
const LIFE_MS = 10 * 60_000
const TICKETS_MAX = 50_000

/**
 * Short-lived secrets for plain links, which cannot carry a header. Kept in memory under their hash: a restart ends them, as
 * does the end of the session or the account that made them.
 */
export interface Tickets {
  issue(actor: Actor, place: Place, paths: readonly string[]): { readonly ticket: string; readonly expiresAt: number }
  /** @throws AppError TICKET_INVALID */
  redeem(ticket: string): Ticket
}

export function createTickets(deps: { clock: Clock; random: Random; bus: Bus }): Tickets {
  const tickets = new Map<string, Ticket>()
  deps.bus.subscribe('session.ended', ({ sessionId }) => drop(({ actor }) => actor.sessionId === sessionId))
  deps.bus.subscribe('user.revoked', ({ userId }) => drop(({ actor }) => actor.userId === userId))

  function drop(isMeant: (ticket: Ticket) => boolean): void {
    for (const [hash, ticket] of tickets) if (isMeant(ticket)) tickets.delete(hash)
  }

  return {
    issue(actor, place, paths) {
      const now = deps.clock.now()
      // In order of age, so the expired ones stand first.
      for (const [hash, ticket] of tickets) {
        if (ticket.expiresAt > now && tickets.size < TICKETS_MAX) break
        tickets.delete(hash)
      }
      const ticket = newToken(deps.random)
      const expiresAt = now + LIFE_MS
      tickets.set(hashToken(ticket), { actor, place, paths, expiresAt })
      return { ticket, expiresAt }
    },
    redeem(ticket) {
      const found = tickets.get(hashToken(ticket))
      if (!found || found.expiresAt <= deps.clock.now()) throw new AppError('TICKET_INVALID')
      return found
    },
  }
}
