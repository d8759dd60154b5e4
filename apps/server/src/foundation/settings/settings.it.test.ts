import { defaultSiteSettings } from '@godwit/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { createSettings, type Settings } from './settings.service.ts'

for (const { dialect, open } of DATABASES) {
  describe(`site settings on ${dialect}`, () => {
    let world: World
    let settings: Settings
    const warnings: unknown[] = []
    const another = () => {
      const log = { warn: (fields: unknown) => void warnings.push(fields) }
      return createSettings({ db: world.database.db, clock: world.clock, log })
    }

    beforeEach(async () => {
      world = await open()
      warnings.length = 0
      settings = another()
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('are the defaults on a fresh installation', async () => {
      expect(await settings.current()).toEqual(defaultSiteSettings())
    })

    it('keep what was set, through a restart, until it is reset', async () => {
      await settings.set('primaryColor', '#0B6E4F')
      await settings.set('position', '9')
      await settings.set('menu.space.switch', 'on')
      const restarted = another()
      expect(await restarted.current()).toMatchObject({ primaryColor: '#0B6E4F', position: 9, 'menu.space.switch': 1 })
      await restarted.reset('primaryColor')
      expect((await restarted.current()).primaryColor).toBe('#FD5C1F')
      expect((await another().current()).position).toBe(9)
    })

    it('follow another process within a second', async () => {
      await settings.current()
      await another().set('resetPasswordSwitch', 1)
      world.clock.advance(1_000)
      expect((await settings.current()).resetPasswordSwitch).toBe(1)
    })

    it('refuse what breaks the rule, naming field and rule, and keep the old value', async () => {
      await settings.set('position', 3)
      await expect(settings.set('position', 10)).rejects.toMatchObject({
        code: 'PARAMETER_INVALID',
        details: { field: 'position', rule: 'must be 9 or less' },
      })
      expect((await settings.current()).position).toBe(3)
    })

    it('switch TCP on only together with a delay (4032)', async () => {
      await expect(settings.set('tcpEnable', 1)).rejects.toMatchObject({ wire: 4032 })
      await settings.set('tcpDelay', 200)
      await settings.set('tcpEnable', 1)
      await expect(settings.reset('tcpDelay')).rejects.toMatchObject({ wire: 4032 })
      await expect(settings.set('tcpDelay', 0)).rejects.toMatchObject({ wire: 4032 })
    })

    it('take the default, and say so, where a stored value breaks a later rule', async () => {
      const rows = [
        { name: 'position', value: '77' },
        { name: 'of.a.later.version', value: '1' },
      ]
      await world.database.db.insertInto('settings').values(rows).execute()
      expect((await settings.current()).position).toBe(6)
      expect(warnings).toEqual([{ setting: 'position' }])
    })
  })
}
