import { fakeClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, type World } from '../../testing/worlds.ts'
import type { Settings } from '../settings/index.ts'
import { watchLicence } from './licence.service.ts'

for (const { dialect, open } of DATABASES) {
  describe(`the licence in force on ${dialect}`, () => {
    let world: World
    beforeEach(async () => {
      world = await open()
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('adds no age of its own to the edition that the settings know', async () => {
      let edition = 'pro'
      const settings = { of: () => Promise.resolve({ edition }), forget: () => undefined } as unknown as Settings
      const { db } = world.database
      const licence = watchLicence({ db, clock: fakeClock(), ids: world.ids, issuerKey: '', settings })
      expect((await licence.terms()).edition).toBe('pro')
      edition = 'free'
      expect(await licence.terms()).toMatchObject({ edition: 'free', clients: 3 })
      expect(licence.current().edition).toBe('free')
    })
  })
}
