import { laggingClock, type Clock } from '@godwit/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { countGuess } from './link-guesses.ts'

for (const { dialect, open } of DATABASES) {
  describe(`guesses at the password of a link on ${dialect}`, () => {
    let world: World
    beforeAll(async () => void (world = await open()))
    afterAll(async () => world[Symbol.asyncDispose]())

    let link = 0
    beforeEach(() => void link++)
    const guess = (address: string, clock: Clock = world.clock) =>
      countGuess({ db: world.database.db, dialect, clock }, `link ${link}`, address)
    const wait = async (address: string): Promise<number> => {
      try {
        await guess(address)
        return 0
      } catch (thrown) {
        return (thrown as { readonly details: { readonly retryAfterSeconds: number } }).details.retryAfterSeconds
      }
    }

    it('wait longer each time after the fourth, up to an hour, and a right one ends it (T20)', async () => {
      for (let wrong = 1; wrong <= 5; wrong++) await guess('192.0.2.1')
      const waits: number[] = []
      for (let wrong = 6; wrong <= 14; wrong++) {
        waits.push(await wait('192.0.2.1'))
        world.clock.advance((waits.at(-1) ?? 0) * 1000)
        await guess('192.0.2.1')
      }
      expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
      world.clock.advance(3_600_000)
      const takeBack = await guess('192.0.2.1')
      await takeBack()
      await guess('192.0.2.1')
      expect(await wait('192.0.2.1')).toBe(0)
    })

    it('at the same time are counted before any is tried, by clocks that differ a little', async () => {
      const clock = laggingClock(world.clock)
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => guess('192.0.2.2', clock)))
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    })

    it('count one IPv6 network as one guest, and leave others alone (T21)', async () => {
      for (let at = 1; at <= 5; at++) await guess(`2001:db8:7:7::${at}`)
      expect(await wait('2001:db8:7:7::ffff')).toBe(30)
      expect(await wait('2001:db8:7:8::1')).toBe(0)
      expect(await wait('192.0.2.9')).toBe(0)
    })

    it('by many addresses get one try an hour each; a guest who did not fail notices nothing', async () => {
      for (let at = 0; at <= 100; at++) await guess(`198.51.100.${at}`)
      await guess('203.0.113.1')
      expect(await wait('203.0.113.1')).toBe(3600)
      const takeBack = await guess('203.0.113.2')
      await takeBack()
      expect(await wait('203.0.113.2')).toBe(0)
    })
  })
}
