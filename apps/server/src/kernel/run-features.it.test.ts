import { setTimeout as pause } from 'node:timers/promises'
import { noticeRoutes } from '@godwit/contract'
import { secureRandom, systemClock } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorld, type World } from '../testing/worlds.ts'
import { fileEvent } from '../testing/file-events.ts'
import { endpoint } from './endpoint.ts'
import { createOutbox, recordEvent, type Outbox } from './events/index.ts'
import { defineFeature, featureList, type Declared, type Feature } from './feature.ts'
import { push } from './push.ts'
import { createQueue, type Queue } from './queue/index.ts'
import { runFeatures, type RunningFeatures } from './run-features.ts'

declare module './events/bus.ts' {
  interface Signals {
    readonly 'test.counted': { readonly userId: string; readonly count: number }
  }
}

describe('a list of features', () => {
  const logged: unknown[] = []
  let world: World
  let outbox: Outbox
  let queue: Queue
  let running: RunningFeatures | undefined
  let events: string[]

  beforeEach(async () => {
    world = await openWorld()
    logged.length = 0
    events = []
    running = undefined
    const log = { info: () => {}, warn: () => {}, error: (fields: unknown) => void logged.push(fields) }
    const { database, ids, bus } = world
    outbox = createOutbox({ db: database.db, clock: systemClock, log })
    queue = createQueue({ database, clock: systemClock, random: secureRandom, ids, bus, log })
  })
  afterEach(async () => {
    await running?.stop()
    await world[Symbol.asyncDispose]()
  })

  const run = async (...features: Feature[]) => {
    const log = { info: () => {}, warn: () => {}, error: (fields: unknown) => void logged.push(fields) }
    running = await runFeatures(
      { outbox, queue, db: world.database.db, locks: world.locks, log, sweep: async () => {} },
      features,
    )
    return running
  }
  const noted = (name: string): Feature =>
    defineFeature({
      name,
      start: async () => {
        await pause(1)
        events.push(`start ${name}`)
      },
      stop: async () => {
        await pause(1)
        events.push(`stop ${name}`)
      },
    })

  it('starts in its order and stops in the reverse one, each step by its name', async () => {
    await run(noted('a'), noted('b'), noted('c'))
    expect(events).toEqual(['start a', 'start b', 'start c'])
    events = []
    const steps: string[] = []
    await running?.stop((step) => steps.push(step))
    expect(events).toEqual(['stop c', 'stop b', 'stop a'])
    expect(steps).toEqual(['periodic work', 'jobs', 'c', 'b', 'a', 'events'])
    running = undefined
  })

  it('stops what it started when one cannot start, and says why', async () => {
    const broken = defineFeature({ name: 'b', start: () => Promise.reject(new Error('port taken')) })
    await expect(run(noted('a'), broken, noted('c'))).rejects.toThrow('port taken')
    expect(events).toEqual(['start a', 'stop a'])
  })

  it('stops the others when one fails to stop', async () => {
    const broken = defineFeature({ name: 'b', stop: () => Promise.reject(new Error('stuck')) })
    await run(noted('a'), broken, noted('c'))
    await expect(running?.stop()).rejects.toThrow('stuck')
    expect(events.slice(2)).toEqual(['stop c', 'stop a'])
    running = undefined
  })

  it('gives a feature to the ones after it', () => {
    const { all, add } = featureList()
    const counter = add(defineFeature({ name: 'counter', api: { next: () => 7 } }))
    add(defineFeature({ name: 'user', checks: [{ name: 'count', run: () => Promise.resolve(void counter.next()) }] }))
    expect([counter.next(), all.map(({ name }) => name)]).toEqual([7, ['counter', 'user']])
  })

  it.each([
    ['feature', { name: 'a' }],
    ['subscriber a.x', { name: 'b', on: { 'job.failed': { subscriber: 'a.x', handle: () => Promise.resolve() } } }],
    ['route', { name: 'b', endpoints: [endpoint(noticeRoutes.markRead, () => Promise.resolve({ unread: 0 }))] }],
    ['check database', { name: 'b', checks: [{ name: 'database', run: () => Promise.resolve() }] }],
  ])('refuses two claims to one %s', async (what, other: Feature) => {
    const first = defineFeature({
      name: 'a',
      on: { 'file.committed': { subscriber: 'a.x', handle: () => Promise.resolve() } },
      endpoints: [endpoint(noticeRoutes.markRead, () => Promise.resolve({ unread: 0 }))],
    })
    await expect(run(first, other)).rejects.toThrow(`two features claim the ${what}`)
  })

  it('mounts a made-up feature: route, check, event, job, periodic work and push', async () => {
    const handled: string[] = []
    const sweeps = Promise.withResolvers<void>()
    let all: Declared | undefined
    const counting = defineFeature({
      name: 'counting',
      endpoints: [endpoint(noticeRoutes.markRead, () => Promise.resolve({ unread: 3 }))],
      on: {
        'file.committed': {
          subscriber: 'counting.files',
          async handle({ path, userId }) {
            handled.push(path)
            await queue.add({ kind: 'test.one', ownerId: userId, payload: path, progress: null })
          },
        },
      },
      jobs: { 'test.one': ({ payload }) => Promise.resolve(handled.push(`job ${String(payload)}`)) },
      every: [{ name: 'sweep', everyMs: 1, work: () => Promise.resolve(sweeps.resolve()) }],
      checks: [{ name: 'counter', run: () => Promise.reject(new Error('no counter')) }],
      push: [
        push('notice.changed', {
          signal: 'test.counted',
          to: ({ userId }) => userId,
          message: ({ count }) => ({ unread: count }),
          atSignIn: (userId) => Promise.resolve({ userId, count: 1 }),
        }),
      ],
    })
    const reader = { locale: 'en-US', requestId: '' } as const
    const shown: unknown[] = []
    const carrier = defineFeature({
      name: 'carrier',
      start(declared) {
        all = declared
        for (const { connect } of declared.push) {
          connect(world.bus, (userId, { name, fieldsFor }) => shown.push([userId, name, fieldsFor(reader)]))
        }
        return Promise.resolve()
      },
    })
    await run(counting, carrier)
    await recordEvent({ tx: world.database.db, clock: systemClock }, 'file.committed', fileEvent('/a', 'mei'))
    outbox.nudge()
    await expect.poll(() => handled).toEqual(['/a', 'job /a'])
    await sweeps.promise
    world.bus.publish('test.counted', { userId: 'mei', count: 2 })
    expect(shown).toEqual([['mei', 'notice.changed', { unread: 2 }]])
    const greeting = await all?.push[0]?.atSignIn?.('mei')
    expect(greeting?.fieldsFor(reader)).toEqual({ unread: 1 })
    expect(all?.endpoints.map(({ spec }) => spec.path)).toEqual([noticeRoutes.markRead.path])
    const checks = await Promise.allSettled((all?.checks ?? []).map(async (check) => check.run()))
    expect(checks.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  it('logs periodic work that fails and goes on with it', async () => {
    let runs = 0
    const twice = Promise.withResolvers<void>()
    const work = () => {
      if (++runs === 2) twice.resolve()
      return Promise.reject(new Error('not now'))
    }
    await run(defineFeature({ name: 'a', every: [{ name: 'sweep', everyMs: 1, work }] }))
    await twice.promise
    expect(logged[0]).toMatchObject({ work: 'a.sweep' })
  })
})
