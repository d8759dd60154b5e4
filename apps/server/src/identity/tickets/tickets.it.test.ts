import { secureRandom } from '@godwit/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import type { UserPrincipal } from '../../kernel/principal.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createTickets, forgetTickets } from './index.ts'
import type { TicketRules } from './tickets.ts'

const principal = userPrincipal({ sessionId: 's' })
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

interface Wanted {
  readonly principal: UserPrincipal
  readonly paths: readonly string[]
}

for (const { dialect, open } of DATABASES) {
  describe(`a ticket, in ${dialect}`, () => {
    let world: World
    let isEnded: boolean
    const refusal = new AppError('TICKET_INVALID')
    const ticketsFor = (change: Partial<TicketRules<Wanted>> = {}) => {
      const renew: TicketRules<Wanted>['renew'] = (known) => Promise.resolve(isEnded ? undefined : known)
      const deps = { db: world.database.db, clock: world.clock, random: secureRandom }
      return createTickets<Wanted>(deps, { purpose: 'test', renew, ...change })
    }

    beforeAll(async () => {
      world = await open()
    })
    beforeEach(() => {
      isEnded = false
    })
    afterAll(() => world[Symbol.asyncDispose]())

    it('opens its paths for ten minutes, by whatever process shares the database', async () => {
      const { ticket } = await ticketsFor().issue({ principal, paths: ['/a', '/文件'] })
      world.clock.advance(10 * MINUTE_MS - 1)
      expect(await ticketsFor().redeem(ticket)).toEqual({ principal, paths: ['/a', '/文件'] })
      world.clock.advance(1)
      await expect(ticketsFor().redeem(ticket)).rejects.toThrow(refusal)
    })

    it('opens for as long as it was asked to', async () => {
      const { ticket } = await ticketsFor().issue({ principal, paths: [] }, DAY_MS)
      world.clock.advance(DAY_MS - 1)
      expect(await ticketsFor().redeem(ticket)).toMatchObject({ paths: [] })
    })

    it('goes on for a week after a download by it began, and after each part again', async () => {
      const tickets = ticketsFor()
      const { ticket } = await tickets.issue({ principal, paths: ['/a'] })
      for (let part = 0; part < 3; part++) {
        await tickets.extend(ticket)
        world.clock.advance(7 * DAY_MS - 1)
        expect(await tickets.redeem(ticket)).toMatchObject({ paths: ['/a'] })
      }
      world.clock.advance(1)
      await expect(tickets.redeem(ticket)).rejects.toThrow(refusal)
    })

    it('gives its holder the rights of now, and opens nothing once there are none', async () => {
      const narrowed = userPrincipal({ sessionId: 's', permission: 1 })
      const { ticket } = await ticketsFor().issue({ principal, paths: ['/a'] })
      const redeemed = await ticketsFor({ renew: () => Promise.resolve(narrowed) }).redeem(ticket)
      expect(redeemed.principal).toEqual(narrowed)
      isEnded = true
      await expect(ticketsFor().redeem(ticket)).rejects.toThrow(refusal)
    })

    it('opens nothing for another purpose', async () => {
      const { ticket } = await ticketsFor().issue({ principal, paths: ['/a'] })
      await expect(ticketsFor({ purpose: 'other' }).redeem(ticket)).rejects.toThrow(refusal)
    })

    it('cannot be guessed or left empty', async () => {
      for (const ticket of ['', 'x', 'undefined']) await expect(ticketsFor().redeem(ticket)).rejects.toThrow(refusal)
    })

    it('is forgotten when it opens nothing any more, and not before', async () => {
      const { db } = world.database
      const kept = async () => (await db.selectFrom('tickets').select('hash').execute()).length
      await db.deleteFrom('tickets').execute()
      await ticketsFor().issue({ principal, paths: ['/a'] })
      await ticketsFor().issue({ principal, paths: ['/a'] }, DAY_MS)
      await forgetTickets({ db, clock: world.clock })
      expect(await kept()).toBe(2)
      world.clock.advance(10 * MINUTE_MS)
      await forgetTickets({ db, clock: world.clock })
      expect(await kept()).toBe(1)
    })
  })
}
