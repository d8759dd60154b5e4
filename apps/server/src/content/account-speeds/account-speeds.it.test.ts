import { fakeClock } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { userPrincipal } from '../../testing/principals.ts'
import { openWorld, type World } from '../../testing/worlds.ts'
import { createAccountSpeeds, type AccountSpeeds } from './index.ts'
import type { SpeedRules } from './speed.policy.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const MBPS_BYTES = 125_000
const NEVER = new AbortController().signal

const rules = (change: Partial<SpeedRules>): SpeedRules => ({
  ...{ uploadMbps: 0, downloadMbps: 0, periods: [] },
  ...change,
})
const principal = (change: Partial<SpeedRules>, id = 'mei') =>
  userPrincipal({ id, speedRules: JSON.stringify(rules(change)) })

/** Transfers of one account over two doors, in a time that passes only while they wait. */
async function withSpeeds(world: World, work: (site: { speeds: AccountSpeeds; moved: Moves }) => Promise<void>) {
  const clock = fakeClock(new Date(2026, 2, 2, 7, 59, 50).getTime())
  let waiting = 0
  const sleepers: Array<{ at: number; wake: () => void }> = []
  const sleep = (ms: number): Promise<void> =>
    new Promise((wake) => {
      waiting++
      sleepers.push({ at: clock.monotonic() + ms, wake })
    })
  const { db } = world.database
  const speeds = createAccountSpeeds({ db, bus: world.bus, clock, log: SILENT, sleep })
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
  await work({ speeds, moved })
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
      for (let door = 0; door < 3; door++) moved.begin(speeds.paceOf(mei, 'upload'))
      await moved.during(1_000)
      near(await moved.during(5_000), 5 * 8 * MBPS_BYTES)
      expect(speeds.limitOf(mei, 'download')).toBe(4e6)
      expect(speeds.paceOf(mei, 'download')(25_000, NEVER)).toBeUndefined()
      expect(speeds.paceOf(principal({ uploadMbps: 8 }, 'tom'), 'upload')(25_000, NEVER)).toBeUndefined()
    }))

  it('holds a changed limit within a second, up and down, while a large block waits under the old one', () =>
    withSpeeds(world, async ({ speeds, moved }) => {
      const pace = speeds.paceOf(principal({ uploadMbps: 1 }), 'upload')
      moved.begin(pace, 1_000_000)
      await moved.during(1_000)
      // At the old rate the first block has six seconds to go.
      speeds.paceOf(principal({ uploadMbps: 80 }), 'upload')
      await moved.during(1_000)
      near(await moved.during(2_000), 2 * 80 * MBPS_BYTES)
      speeds.paceOf(principal({ uploadMbps: 8 }), 'upload')
      await moved.during(1_000)
      near(await moved.during(10_000), 10 * 8 * MBPS_BYTES)
    }))

  it('follows the periods of the day', () =>
    withSpeeds(world, async ({ speeds, moved }) => {
      const night = { days: [1], start: '08:00', end: '24:00', uploadMbps: 8, downloadMbps: 0 }
      moved.begin(speeds.paceOf(principal({ uploadMbps: 80, periods: [night] }), 'upload'))
      near(await moved.during(9_000), 9 * 80 * MBPS_BYTES)
      // It is eight o'clock after the tenth second.
      await moved.during(2_000)
      near(await moved.during(5_000), 5 * 8 * MBPS_BYTES)
    }))
})
