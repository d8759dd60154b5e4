import type { Clock, Random } from '@godwit/base'
import { hashToken, newToken } from '../../kernel/crypto/index.ts'
import type { Principal } from '../../kernel/principal.ts'
import type { Bus } from '../../kernel/events/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { sessionIdOf } from '../principals/index.ts'

/** A link is used at once. */
const LIFE_MS = 10 * 60_000
/** A browser that lost the line goes on with the same link, so a link whose download ended is good for as long again. */
const CONTINUED_MS = 12 * 3_600_000
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
  /** Keeps a ticket good while a download by it runs, and for a while after its end. @returns what is to be called at the end */
  hold(ticket: string): () => void
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

  const continued = new Map<string, { readonly content: Content; holders: number; expiresAt: number }>()

  function drop(isMeant: (principal: Principal) => boolean): void {
    for (const kept of [tickets, continued])
      for (const [hash, { content }] of kept) if (isMeant(content.principal)) kept.delete(hash)
  }

  function find(hash: string): Content {
    const now = deps.clock.now()
    const fresh = tickets.get(hash)
    if (fresh !== undefined && fresh.expiresAt > now) return fresh.content
    const used = continued.get(hash)
    if (used === undefined || (used.holders === 0 && used.expiresAt <= now)) throw new AppError('TICKET_INVALID')
    return used.content
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
    redeem: (ticket) => find(hashToken(ticket)),
    hold(ticket) {
      const hash = hashToken(ticket)
      const content = find(hash)
      const now = deps.clock.now()
      for (const [other, { holders, expiresAt }] of continued) {
        if ((holders > 0 || expiresAt > now) && continued.size < TICKETS_MAX) break
        continued.delete(other)
      }
      const used = continued.get(hash) ?? { content, holders: 0, expiresAt: 0 }
      used.holders++
      continued.set(hash, used)
      return () => {
        used.holders--
        // Not when it was taken back meanwhile.
        if (!continued.delete(hash)) return
        used.expiresAt = deps.clock.now() + CONTINUED_MS
        continued.set(hash, used)
      }
    },
  }
}
