import { fakeClock, secureRandom, type FakeClock } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { groupsStore } from '../../identity/groups/index.ts'
import { spaceRulesStore } from '../../identity/memberships/index.ts'
import { createUser, usersStore } from '../../identity/users/index.ts'
import { inTransaction } from '../../kernel/db/index.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { openWorld, type World } from '../../testing/worlds.ts'
import { createSettings, createSettingsEditor, settingRegistry } from '../../foundation/settings/index.ts'
import { createAccountSpeeds, type AccountSpeeds } from './account-speeds.ts'
import { SPEED_SETTINGS } from './speed.settings.ts'
import type { SpeedRules } from './speed.policy.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const MBPS_BYTES = 125_000
const NEVER = new AbortController().signal
const placeIn = (spaceId: number, groupId = 0) => ({ spaceId, groupId })
const SPACE = placeIn(1)

const rules = (change: Partial<SpeedRules>): SpeedRules => ({
  ...{ uploadMbps: 0, downloadMbps: 0, periods: [] },
  ...change,
})
const principal = (change: Partial<SpeedRules>, id = 'mei') =>
  userPrincipal({ id, speedRules: JSON.stringify(rules(change)) })

/** Transfers of one account over two doors, in a time that passes only while they wait. */
async function withSpeeds(
  world: World,
  work: (site: { speeds: AccountSpeeds; moved: Moves; clock: FakeClock }) => Promise<void>,
) {
  const clock = fakeClock(new Date(2026, 2, 2, 7, 59, 50).getTime())
  let waiting = 0
  const sleepers: Array<{ at: number; wake: () => void }> = []
  const sleep = (ms: number): Promise<void> =>
    new Promise((wake) => {
      waiting++
      sleepers.push({ at: clock.monotonic() + ms, wake })
    })
  const { db } = world.database
  const settings = createSettings({ db, clock, log: SILENT })
  const speeds = createAccountSpeeds({ db, bus: world.bus, clock, log: SILENT, sleep, settings })
  const moved: Moves = {
    bytes: 0,
    begin(pace, chunk = 25_000) {
      void (async () => {
        for (;;) {
          await pace(chunk, NEVER)
          moved.bytes += chunk
          // An unlimited one would never let go of the thread.
          if (moved.bytes > 1e9) return
        }
      })()
    },
    async during(ms) {
      const before = moved.bytes
      for (const end = clock.monotonic() + ms; clock.monotonic() < end;) {
        // Everything that can move without waiting has moved.
        for (let seen = -1; seen !== waiting;) {
          seen = waiting
          for (let turn = 0; turn < 50; turn++) await Promise.resolve()
        }
        clock.advance(10)
        const due = sleepers.filter(({ at }) => at <= clock.monotonic())
        for (const one of due) sleepers.splice(sleepers.indexOf(one), 1)
        for (const { wake } of due) wake()
      }
      return moved.bytes - before
    },
  }
  await work({ speeds, moved, clock })
  speeds.stop()
}

interface Moves {
  bytes: number
  begin(pace: ReturnType<AccountSpeeds['paceOf']>, chunk?: number): void
  /** @returns bytes let through in this time */
  during(ms: number): Promise<number>
}

const near = (bytes: number, expected: number) => {
  expect(bytes).toBeGreaterThan(expected * 0.9)
  expect(bytes).toBeLessThan(expected * 1.1)
}

describe('the bucket of an account', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(async () => world[Symbol.asyncDispose]())

  it('is one for all doors, and another for each direction and account', () =>
    withSpeeds(world, async ({ speeds, moved }) => {
      const mei = principal({ uploadMbps: 8, downloadMbps: 4 })
      for (let door = 0; door < 3; door++) moved.begin(speeds.paceOf(mei, 'upload', SPACE))
      await moved.during(1_000)
      near(await moved.during(5_000), 5 * 8 * MBPS_BYTES)
      expect(speeds.limitOf(mei, 'download', SPACE)).toBe(4e6)
      expect(speeds.paceOf(mei, 'download', SPACE)(25_000, NEVER)).toBeUndefined()
      expect(speeds.paceOf(principal({ uploadMbps: 8 }, 'tom'), 'upload', SPACE)(25_000, NEVER)).toBeUndefined()
    }))

  it('holds a changed limit within a second, up and down, while a large block waits under the old one', () =>
    withSpeeds(world, async ({ speeds, moved }) => {
      const { database, clock, ids, bus } = world
      const { db } = database
      const users = { db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' } as const
      const { id } = await createUser(users, { account: 'ada', email: '', password: 'Sunrise-42x' })
      const put = async (uploadMbps: number): Promise<void> => {
        await usersStore.update(db, id, { speed_rules: JSON.stringify(rules({ uploadMbps })) })
        bus.publish('user.changed', { userId: id })
        await expect.poll(() => speeds.limitOf(principal({ uploadMbps }, id), 'upload', SPACE)).toBe(uploadMbps * 1e6)
      }
      const before = principal({ uploadMbps: 1 }, id)
      await put(1)
      moved.begin(speeds.paceOf(before, 'upload', SPACE), 1_000_000)
      await moved.during(1_000)
      // At the old rate the first block has six seconds to go.
      await put(80)
      // A request that was let in before the change brings the old limit along, and does not bring it back.
      speeds.paceOf(before, 'upload', SPACE)
      await moved.during(1_000)
      near(await moved.during(2_000), 2 * 80 * MBPS_BYTES)
      await put(8)
      await moved.during(1_000)
      near(await moved.during(10_000), 10 * 8 * MBPS_BYTES)
    }))

  it('of the site holds everybody everywhere, with its periods, and follows a change', () =>
    withSpeeds(world, async ({ speeds, moved, clock }) => {
      const { database, ids } = world
      const registry = settingRegistry([SPEED_SETTINGS])
      const editor = createSettingsEditor({ db: database.db, dialect: database.dialect, clock, ids, registry })
      const by = { kind: 'operator' } as const
      const set = (key: string, value: unknown) => editor.set(key, value, { target: {}, by, door: 'command-line' })
      const limit = async (mbps: number) => {
        clock.advance(1_000)
        await expect.poll(() => speeds.limitOf(principal({}), 'upload', SPACE)).toBe(mbps * 1e6)
      }
      await set('transfer.uploadMbps', 8)
      await limit(8)
      for (const space of [1, 2]) moved.begin(speeds.paceOf(principal({}, `of ${space}`), 'upload', placeIn(space)))
      await moved.during(1_000)
      near(await moved.during(5_000), 5 * 8 * MBPS_BYTES)
      expect(speeds.paceOf(principal({}), 'download', SPACE)(25_000, NEVER)).toBeUndefined()
      await set('transfer.periods', '1-5 07:00-09:00 2/0')
      await limit(2)
      for (const wrong of ['1-5 09:00-07:00 2/0', '1-5 07:00-09:00 2/0; 3 08:00-10:00 1/0'])
        await expect(set('transfer.periods', wrong)).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
      await editor.reset('transfer.periods', { target: {}, by, door: 'command-line' })
      await set('transfer.uploadMbps', 0)
      clock.advance(1_000)
      await expect.poll(() => speeds.limitOf(principal({}), 'upload', SPACE)).toBe(Infinity)
    }))

  it('of a space holds all who transfer in it, and follows a change', () =>
    withSpeeds(world, async ({ speeds, moved }) => {
      const { db } = world.database
      const put = async (uploadMbps: number) => {
        const speed_rules = JSON.stringify({ uploadMbps, downloadMbps: 0, periods: [] })
        const row = { space_id: 7, allowed_addresses: '', denied_addresses: '', speed_rules }
        await inTransaction(db, (tx) => spaceRulesStore.put(tx, row))
        world.bus.publish('space.rules-changed', { spaceId: 7 })
        await expect.poll(() => speeds.limitOf(principal({}), 'upload', placeIn(7))).toBe(uploadMbps * 1e6)
      }
      await put(8)
      moved.begin(speeds.paceOf(principal({}), 'upload', placeIn(7)))
      moved.begin(speeds.paceOf(principal({ uploadMbps: 80 }, 'tom'), 'upload', placeIn(7)))
      moved.begin(speeds.paceOfPlace('upload', placeIn(7)))
      await moved.during(1_000)
      near(await moved.during(5_000), 5 * 8 * MBPS_BYTES)
      await put(16)
      await moved.during(1_000)
      near(await moved.during(5_000), 5 * 16 * MBPS_BYTES)
      expect(speeds.paceOfPlace('download', placeIn(7))(1e9, NEVER)).toBeUndefined()
      expect(speeds.limitOf(principal({}), 'upload', placeIn(8))).toBe(Infinity)
    }))

  it('of a space is shared by accounts and not by transfers, and what one leaves the others have', () =>
    withSpeeds(world, async ({ speeds, moved }) => {
      const { db } = world.database
      const speed_rules = JSON.stringify(rules({ uploadMbps: 8 }))
      const row = { space_id: 9, allowed_addresses: '', denied_addresses: '', speed_rules }
      await inTransaction(db, (tx) => spaceRulesStore.put(tx, row))
      world.bus.publish('space.rules-changed', { spaceId: 9 })
      await expect.poll(() => speeds.limitOf(principal({}), 'upload', placeIn(9))).toBe(8e6)
      const had = { mei: 0, tom: 0, slow: 0 }
      const begin = (name: keyof typeof had, change: Partial<SpeedRules> = {}): void => {
        const pace = speeds.paceOf(principal(change, name), 'upload', placeIn(9))
        moved.begin(async (bytes, signal) => {
          await pace(bytes, signal)
          had[name] += bytes
        })
      }
      for (let lane = 0; lane < 8; lane++) begin('mei')
      begin('tom')
      await moved.during(1_000)
      Object.assign(had, { mei: 0, tom: 0 })
      await moved.during(10_000)
      near(had.mei, 5 * 8 * MBPS_BYTES)
      near(had.tom, 5 * 8 * MBPS_BYTES)
      const registry = settingRegistry([SPEED_SETTINGS])
      const { database, ids, clock } = world
      const editor = createSettingsEditor({ db, dialect: database.dialect, clock, ids, registry })
      const weigh = (value: number | null, target: object) =>
        editor.setAll([{ key: 'transfer.weight', value }], { target, by: { kind: 'operator' }, door: 'command-line' })
      const parts = async (): Promise<number> => {
        await moved.during(1_100)
        Object.assign(had, { mei: 0, tom: 0 })
        await moved.during(4_000)
        return Math.round((had.tom / had.mei) * 4) / 4
      }
      // The space says what the site leaves open, and the account what the space does.
      await weigh(20, { spaceId: 9 })
      await weigh(60, { userId: 'tom' })
      await expect.poll(parts).toBe(3)
      await weigh(null, { userId: 'tom' })
      await expect.poll(parts).toBe(1)
      begin('slow', { uploadMbps: 1 })
      await moved.during(2_000)
      Object.assign(had, { mei: 0, tom: 0, slow: 0 })
      await moved.during(20_000)
      near(had.slow, 20 * MBPS_BYTES)
      near(had.mei, 10 * 7 * MBPS_BYTES)
      near(had.tom, 10 * 7 * MBPS_BYTES)
    }))

  it('of a group library holds all who transfer in it, members and guests, and nobody elsewhere', () =>
    withSpeeds(world, async ({ speeds, moved }) => {
      const { db } = world.database
      const speed_rules = JSON.stringify(rules({ uploadMbps: 8 }))
      const row = { space_id: 1, name: 'Film', name_key: 'film', quota_bytes: 0, speed_rules, created_at: 0 }
      const library = placeIn(1, await groupsStore.insert(db, row))
      const limit = (place = library) => speeds.limitOf(principal({}), 'upload', place)
      await expect.poll(() => limit()).toBe(8e6)
      moved.begin(speeds.paceOf(principal({}), 'upload', library))
      moved.begin(speeds.paceOf(principal({}, 'tom'), 'upload', library))
      moved.begin(speeds.paceOfPlace('upload', library))
      await moved.during(1_000)
      near(await moved.during(5_000), 5 * 8 * MBPS_BYTES)
      expect(speeds.paceOfPlace('download', library)(25_000, NEVER)).toBeUndefined()
      expect([limit(SPACE), limit(placeIn(1, library.groupId + 1)), limit(placeIn(1, -library.groupId))]).toEqual([
        ...[Infinity, Infinity, Infinity],
      ])
      await groupsStore.change(db, library.groupId, { speed_rules: null })
      world.bus.publish('group.speed-changed', { groupId: library.groupId })
      await expect.poll(() => limit()).toBe(Infinity)
    }))

  it('follows the periods of the day', () =>
    withSpeeds(world, async ({ speeds, moved }) => {
      const night = { days: [1], start: '08:00', end: '24:00', uploadMbps: 8, downloadMbps: 0 }
      moved.begin(speeds.paceOf(principal({ uploadMbps: 80, periods: [night] }), 'upload', SPACE))
      near(await moved.during(9_000), 9 * 80 * MBPS_BYTES)
      // It is eight o'clock after the tenth second.
      await moved.during(2_000)
      near(await moved.during(5_000), 5 * 8 * MBPS_BYTES)
    }))
})
