import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { licencesStore } from './licence.store.ts'
import { createTrafficMeter } from './traffic-meter.ts'

const LICENCE = { rowId: 'row', trafficBytes: 1_000_000 }

for (const { dialect, open } of DATABASES) {
  describe(`counted traffic on ${dialect}`, () => {
    let world: World
    const used = () => licencesStore.usedBytes(world.database.db, 'row')
    const meterOf = () => createTrafficMeter({ db: world.database.db })

    beforeEach(async () => {
      world = await open()
      await world.database.db.transaction().execute((tx) =>
        licencesStore.insert(tx, {
          ...{ id: 'row', licence_id: 'l', state: 'in-force', file: '', used_bytes: 0, reminded_days: null },
          ...{ installed_at: 0, activated_at: 0, installed_by: '' },
        }),
      )
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('is exact once what was set aside is given back', async () => {
      const meter = meterOf()
      await meter.take(LICENCE, 1000)
      expect(await used()).toBeGreaterThan(1000)
      // Enough is set aside: nothing goes to the database.
      expect(meter.take(LICENCE, 500)).toBeUndefined()
      await meter.settle()
      expect(await used()).toBeGreaterThan(1500)
      await meter.settle()
      expect(await used()).toBe(1500)
      await meter.take(LICENCE, 1)
      await meter.stop()
      expect(await used()).toBe(1501)
    })

    it('never passes its end, however many nodes and transfers there are, and every byte may be used', async () => {
      const meters = [meterOf(), meterOf(), meterOf()]
      let passed = 0
      const transfer = async (node: number): Promise<string> => {
        for (;;) {
          try {
            await meters[node % meters.length]?.take(LICENCE, 7_919)
          } catch (thrown) {
            return String(thrown)
          }
          passed += 7_919
        }
      }
      const ends = await Promise.all([0, 1, 2, 3, 4, 5].map(transfer))
      expect(new Set(ends).size).toBe(1)
      expect(ends[0]).toContain('TRAFFIC_INSUFFICIENT')
      for (const meter of meters) await meter.stop()
      expect(passed).toBeLessThanOrEqual(LICENCE.trafficBytes)
      expect(await used()).toBe(passed)
      const left = LICENCE.trafficBytes - passed
      await meterOf().take(LICENCE, left)
      expect(await used()).toBe(LICENCE.trafficBytes)
      await expect(meterOf().take(LICENCE, 1)).rejects.toMatchObject({ code: 'TRAFFIC_INSUFFICIENT' })
    })

    it('of a process that was killed counts at least what passed', async () => {
      const killed = meterOf()
      await killed.take(LICENCE, 12_345)
      expect(await used()).toBeGreaterThanOrEqual(12_345)
    })

    it('follows another licence', async () => {
      const meter = meterOf()
      await meter.take(LICENCE, 1000)
      await world.database.db.updateTable('licences').set({ state: 'past' }).execute()
      await world.database.db.transaction().execute((tx) =>
        licencesStore.insert(tx, {
          ...{ id: 'next', licence_id: 'n', state: 'in-force', file: '', used_bytes: 0, reminded_days: null },
          ...{ installed_at: 0, activated_at: 0, installed_by: '' },
        }),
      )
      await meter.take({ rowId: 'next', trafficBytes: null }, 2000)
      await meter.stop()
      expect(await used()).toBe(1000)
      expect(await licencesStore.usedBytes(world.database.db, 'next')).toBe(2000)
    })
  })
}
