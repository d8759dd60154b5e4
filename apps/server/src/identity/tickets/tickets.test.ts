import { fakeClock, secureRandom } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { createBus } from '../../kernel/events/index.ts'
import { createTickets } from './tickets.ts'
import { userPrincipal } from '../../testing/principals.ts'

const principal = userPrincipal({ sessionId: 's' })
const place = { spaceId: 1, groupId: 0 }

interface Wanted {
  readonly principal: typeof principal
  readonly place: typeof place
  readonly paths: readonly string[]
}

function world() {
  const clock = fakeClock()
  const bus = createBus(() => {})
  return { clock, bus, tickets: createTickets<Wanted>({ clock, random: secureRandom, bus }) }
}

describe('a ticket', () => {
  it('opens its paths for ten minutes', () => {
    const { clock, tickets } = world()
    const { ticket } = tickets.issue({ principal, place, paths: ['/a'] })
    clock.advance(600_000 - 1)
    expect(tickets.redeem(ticket)).toMatchObject({ paths: ['/a'], place })
    clock.advance(1)
    expect(() => tickets.redeem(ticket)).toThrow(new AppError('TICKET_INVALID'))
  })
  it('goes on while a download by it runs, and half a day longer', () => {
    const { clock, tickets, bus } = world()
    const { ticket } = tickets.issue({ principal, place, paths: ['/a'] })
    const end = tickets.hold(ticket)
    clock.advance(48 * 3_600_000)
    const endOther = tickets.hold(ticket)
    end()
    clock.advance(48 * 3_600_000)
    endOther()
    clock.advance(12 * 3_600_000 - 1)
    expect(tickets.redeem(ticket)).toMatchObject({ paths: ['/a'] })
    clock.advance(1)
    expect(() => tickets.redeem(ticket)).toThrow(new AppError('TICKET_INVALID'))
    const revoked = tickets.issue({ principal, place, paths: ['/a'] }).ticket
    const endRevoked = tickets.hold(revoked)
    bus.publish('user.revoked', { userId: 'u', reason: 'locked' })
    endRevoked()
    expect(() => tickets.redeem(revoked)).toThrow(new AppError('TICKET_INVALID'))
  })
  it.each([
    ['session.ended', { sessionId: 's', userId: 'u', reason: 'signed-out' }],
    ['user.revoked', { userId: 'u', reason: 'locked' }],
  ] as const)('ends with %s', (name, payload) => {
    const { bus, tickets } = world()
    const { ticket } = tickets.issue({ principal, place, paths: ['/a'] })
    bus.publish(name, payload)
    expect(() => tickets.redeem(ticket)).toThrow(new AppError('TICKET_INVALID'))
  })
  it('cannot be guessed or left empty', () => {
    const { tickets } = world()
    for (const ticket of ['', 'x', 'undefined'])
      expect(() => tickets.redeem(ticket)).toThrow(new AppError('TICKET_INVALID'))
  })
})
