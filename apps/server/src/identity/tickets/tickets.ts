import type { Clock, Random } from '@godwit/base'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { sessionIdOf } from '../principals/index.ts'

/** A link is used at once; a download it began may be continued for as long. */
const LIFE_MS = 10 * 60_000
const TICKETS_MAX = 50_000

/** What a ticket opens, besides for whom. */
interface Held {
  readonly principal: Principal
}

/**
 * Short-lived secrets for plain links, which cannot carry a header. Kept in memory under their hash: a restart ends them, as
 * does the end of the session or the account that made them.
 */
export interface Tickets<Content extends Held> {
  issue(content: Content): { readonly ticket: string; readonly expiresAt: number }
  /** @throws AppError TICKET_INVALID */
  redeem(ticket: string): Content
}

export interface TicketsDeps {
  readonly clock: Clock
  readonly random: Random
  readonly bus: Bus
  /** Default: 10 minutes. */
  readonly lifeMs?: number
}

export function createTickets<Content extends Held>({ lifeMs = LIFE_MS, ...deps }: TicketsDeps): Tickets<Content> {
  const tickets = new Map<string, { readonly content: Content; readonly expiresAt: number }>()
  deps.bus.subscribe('session.ended', ({ sessionId }) => drop((principal) => sessionIdOf(principal) === sessionId))
  deps.bus.subscribe('user.revoked', ({ userId }) => drop((principal) => principal.id === userId))

  function drop(isMeant: (principal: Principal) => boolean): void {
    for (const [hash, { content }] of tickets) if (isMeant(content.principal)) tickets.delete(hash)
  }

  return {
    issue(content) {
      const now = deps.clock.now()
      // In order of age, so the expired ones stand first.
      for (const [hash, ticket] of tickets) {
        if (ticket.expiresAt > now && tickets.size < TICKETS_MAX) break
        tickets.delete(hash)
      }
      const ticket = newToken(deps.random)
      const expiresAt = now + lifeMs
      tickets.set(hashToken(ticket), { content, expiresAt })
      return { ticket, expiresAt }
    },
    redeem(ticket) {
      const found = tickets.get(hashToken(ticket))
      if (!found || found.expiresAt <= deps.clock.now()) throw new AppError('TICKET_INVALID')
      return found.content
    },
  }
}
