import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { defaultsOf, defineSettings, setting, SETTING_SCOPES, type SettingScope } from '../../kernel/setting.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { onOff, whole } from './schemas.ts'
import { createSettingsEditor, settingRegistry, type SettingsEditor } from './settings.registry.ts'
import { createSettings, type Settings } from './settings.service.ts'

const GROUP = defineSettings(
  {
    place: setting(whole(1, 9).default(6)),
    relay: setting(onOff(0)),
    relayDelay: setting(whole(0, 1000).default(0)),
    speed: setting(whole(0, 100).default(50), { scope: 'user', right: 'user' }),
    folders: setting(whole(0, 100).default(7), { scope: 'space', restart: true }),
  },
  ({ relay, relayDelay }) => {
    if (relay === 1 && relayDelay === 0) throw new AppError('TCP_DELAY_REQUIRED', { field: 'relayDelay' })
  },
)
const OPERATOR = { by: { kind: 'operator' }, door: 'command-line' } as const
const SITE = { ...OPERATOR, target: {} }
/** Mei in group 3 of space 2. */
const TARGETS = {
  site: {},
  space: { spaceId: 2 },
  group: { spaceId: 2, groupId: 3 },
  user: { spaceId: 2, groupId: 3, userId: 'mei' },
} as const

for (const { dialect, open } of DATABASES) {
  describe(`settings on ${dialect}`, () => {
    let world: World
    let settings: Settings
    let editor: SettingsEditor
    const warnings: unknown[] = []
    const another = () => {
      const log = { warn: (fields: unknown) => void warnings.push(fields) }
      return createSettings({ db: world.database.db, clock: world.clock, log })
    }
    const fresh = () => another().of(GROUP)

    beforeEach(async () => {
      world = await open()
      warnings.length = 0
      settings = another()
      const { database, clock, ids } = world
      const { db, dialect: kind } = database
      editor = createSettingsEditor({ db, dialect: kind, clock, ids, registry: settingRegistry([GROUP]) })
    })
    afterEach(async () => world[Symbol.asyncDispose]())

    it('are the defaults on a fresh installation', async () => {
      expect(await settings.of(GROUP)).toEqual(defaultsOf(GROUP))
      expect((await editor.list()).map(({ source }) => source)).toEqual(Array.from({ length: 5 }, () => 'default'))
    })

    it('keep what was set, through a restart, until it is reset', async () => {
      await editor.set('place', '9', SITE)
      await editor.set('folders', 3, SITE)
      expect(await fresh()).toMatchObject({ place: 9, folders: 3 })
      expect(await editor.reset('place', SITE)).toBe(6)
      expect(await fresh()).toMatchObject({ place: 6, folders: 3 })
    })

    it('follow another process within a second', async () => {
      await settings.of(GROUP)
      await editor.set('place', 1, SITE)
      world.clock.advance(1_000)
      expect((await settings.of(GROUP)).place).toBe(1)
    })

    it('come from the narrowest place that has a value, whatever was set and reset before', async () => {
      const step = fc.record({
        scope: fc.constantFrom(...SETTING_SCOPES),
        value: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
          const model = new Map<SettingScope, number>()
          for (const { scope, value } of steps) {
            const change = { ...OPERATOR, target: TARGETS[scope] }
            if (value === undefined) {
              model.delete(scope)
              await editor.reset('speed', change)
            } else {
              model.set(scope, value)
              await editor.set('speed', value, change)
            }
          }
          for (const [index, scope] of SETTING_SCOPES.entries()) {
            const deciding = SETTING_SCOPES.slice(0, index + 1).findLast((wider) => model.has(wider))
            const value = deciding === undefined ? 50 : model.get(deciding)
            expect((await another().of(GROUP, TARGETS[scope])).speed).toBe(value)
            const view = (await editor.list(TARGETS[scope])).find(({ key }) => key === 'speed')
            expect(view).toEqual({ key: 'speed', value, source: deciding ?? 'default' })
          }
          // Others see the site's value only.
          const others = await another().of(GROUP, { spaceId: 9, groupId: 9, userId: 'tom' })
          expect(others.speed).toBe(model.get('site') ?? 50)
          for (const scope of SETTING_SCOPES) await editor.reset('speed', { ...OPERATOR, target: TARGETS[scope] })
        }),
        { numRuns: dialect === 'sqlite' ? 40 : 12 },
      )
    })

    it('refuse a place that is narrower than they allow', async () => {
      for (const [key, target] of [
        ['place', TARGETS.space],
        ['folders', TARGETS.group],
        ['folders', TARGETS.user],
      ] as const) {
        const refused = editor.set(key, 1, { ...OPERATOR, target })
        await expect(refused).rejects.toMatchObject({ code: 'PARAMETER_INVALID', details: { field: 'scope' } })
      }
    })

    it('are changed by administrators, and by accounts where the setting lets them change their own', async () => {
      const door = 'http' as const
      const mei = { kind: 'account', id: 'mei', isAdmin: false } as const
      await editor.set('speed', 10, { target: TARGETS.user, by: mei, door })
      for (const [key, target] of [
        ['speed', TARGETS.site],
        ['speed', { userId: 'tom' }],
        ['folders', TARGETS.space],
        ['place', TARGETS.site],
      ] as const) {
        await expect(editor.set(key, 1, { target, by: mei, door })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
      }
      await editor.set('place', 2, { target: {}, by: { ...mei, isAdmin: true }, door })
      expect((await fresh()).place).toBe(2)
    })

    it('refuse what breaks the rule, naming field and rule, and keep the old value', async () => {
      await editor.set('place', 3, SITE)
      await expect(editor.set('place', 10, SITE)).rejects.toMatchObject({
        code: 'PARAMETER_INVALID',
        details: { field: 'place', rule: 'must be 9 or less' },
      })
      await expect(editor.set('plaice', 1, SITE)).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
      expect((await fresh()).place).toBe(3)
    })

    it('demand of one another what their group says', async () => {
      await expect(editor.set('relay', 1, SITE)).rejects.toMatchObject({ wire: 4032 })
      await editor.set('relayDelay', 200, SITE)
      await editor.set('relay', 1, SITE)
      await expect(editor.reset('relayDelay', SITE)).rejects.toMatchObject({ wire: 4032 })
      await expect(editor.set('relayDelay', 0, SITE)).rejects.toMatchObject({ wire: 4032 })
    })

    it('never end up in what the group forbids, however two change them at once', async () => {
      await editor.set('relayDelay', 200, SITE)
      await Promise.allSettled([editor.set('relay', 1, SITE), editor.reset('relayDelay', SITE)])
      const { relay, relayDelay } = await fresh()
      expect(relay === 1 && relayDelay === 0).toBe(false)
    })

    it('keep who changed them, when, and from what to what, and emit it in the same transaction', async () => {
      const by = { kind: 'account', id: 'mei', isAdmin: false } as const
      await editor.set('speed', 10, { target: TARGETS.user, by, door: 'http' })
      world.clock.advance(1_000)
      await editor.set('speed', 20, { ...OPERATOR, target: TARGETS.user })
      await editor.set('speed', 20, { ...OPERATOR, target: TARGETS.user })
      await expect(editor.set('speed', 101, { ...OPERATOR, target: TARGETS.user })).rejects.toThrow('PARAMETER_INVALID')
      world.clock.advance(1_000)
      await editor.reset('speed', { ...OPERATOR, target: TARGETS.user })
      await editor.reset('speed', { ...OPERATOR, target: TARGETS.user })
      const history = await editor.history('speed')
      const told = history.map((row) => [row.old_value, row.new_value, row.by_kind, row.by_id, row.scope, row.door])
      expect(told).toEqual([
        ['20', null, 'operator', '', 'user', 'command-line'],
        ['10', '20', 'operator', '', 'user', 'command-line'],
        [null, '10', 'account', 'mei', 'user', 'http'],
      ])
      expect(history[0]?.at).toBe(world.clock.now())
      expect(await editor.history('place')).toEqual([])
      const events = await world.database.db.selectFrom('outbox').selectAll().orderBy('seq').execute()
      expect(events.map(({ type, payload }) => [type, JSON.parse(payload) as unknown])).toMatchObject([
        ['setting.changed', { key: 'speed', scope: 'user', scopeId: 'mei', by: 'mei', door: 'http' }],
        ['setting.changed', { by: 'operator' }],
        ['setting.changed', { by: 'operator' }],
      ])
    })

    it('pass over stored values that break a later rule, and say so', async () => {
      const at = { scope: 'site', scope_id: '' } as const
      const rows = [
        { ...at, name: 'place', value: '77' },
        { ...at, name: 'of.a.later.version', value: '1' },
        { scope: 'user' as const, scope_id: 'mei', name: 'folders', value: '1' },
      ]
      await world.database.db.insertInto('setting_values').values(rows).execute()
      expect(await settings.of(GROUP, TARGETS.user)).toMatchObject({ place: 6, folders: 7 })
      expect(warnings).toEqual([{ setting: 'place' }])
      expect((await editor.list()).find(({ key }) => key === 'place')).toMatchObject({ source: 'default' })
    })
  })
}

describe('a registry', () => {
  it('refuses a key that two features declare', () => {
    const other = defineSettings({ place: setting(z.string().default('')) })
    expect(() => settingRegistry([GROUP, other])).toThrow('two features declare the setting place')
  })
})
