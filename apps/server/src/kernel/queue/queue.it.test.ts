import { millis, secureRandom, systemClock } from '@godwit/base'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterEach, describe, expect, it } from 'vitest'
import { DATABASES, openWorld, type World } from '../../testing/worlds.ts'
import { AppError } from '../errors.ts'
import { queueStore } from './queue.store.ts'
import { createQueue, TryLater, type Queue } from './queue.ts'

declare module './jobs.ts' {
  interface Jobs {
    readonly 'test.one': { readonly payload: unknown; readonly progress: unknown }
    readonly 'test.two': { readonly payload: unknown; readonly progress: unknown }
  }
}

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const PATIENCE_MS = 20_000

for (const { dialect, open } of DATABASES) {
  describe(`jobs on ${dialect}`, () => {
    const queues: Queue[] = []
    let world: World | undefined
    afterEach(async () => {
      await Promise.all(queues.splice(0).map((queue) => queue.stop()))
      await world?.[Symbol.asyncDispose]()
      world = undefined
    })

    async function newQueue(clock = systemClock): Promise<Queue> {
      world ??= await open()
      const { database, ids, bus } = world
      const queue = createQueue({ database, ids, bus, clock, random: secureRandom, log: SILENT })
      queues.push(queue)
      return queue
    }

    it('run once each, however many processes claim them', async () => {
      const runs: string[] = []
      const both = [await newQueue(), await newQueue()]
      const jobs = []
      for (const queue of both) queue.handle({ 'test.one': (job) => Promise.resolve(runs.push(job.id)) })
      for (let n = 0; n < 20; n++)
        jobs.push(await both[0]?.add({ kind: 'test.one', ownerId: 'u', payload: n, progress: 0 }))
      for (const queue of both) queue.start()
      for (const job of jobs) expect((await both[1]?.settled(job?.id ?? '', PATIENCE_MS))?.state).toBe('completed')
      expect(runs.toSorted()).toEqual(jobs.flatMap((job) => job?.id ?? []).toSorted())
    })

    it('run once at a time in a process whose clock jumped over their leases', async () => {
      let aheadMs = 0
      const queue = await newQueue({ ...systemClock, now: () => millis(systemClock.now() + aheadMs) })
      const started = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      let runs = 0
      queue.handle({
        'test.one': async () => {
          runs++
          started.resolve()
          await end.promise
          return 'done'
        },
        'test.two': () => Promise.resolve('done'),
      })
      queue.start()
      const { id } = await queue.add({ kind: 'test.one', ownerId: 'u', payload: null, progress: null })
      await started.promise
      aheadMs = 3_600_000
      // The older one is taken first: once this one is over, the other one was not.
      const later = await queue.add({ kind: 'test.two', ownerId: 'u', payload: null, progress: null })
      const other = await queue.settled(later.id, PATIENCE_MS)
      end.resolve()
      expect(other.state).toBe('completed')
      expect(await queue.settled(id, PATIENCE_MS)).toMatchObject({ state: 'completed', attempts: 1 })
      expect(runs).toBe(1)
    })

    it('wait for what is outside as often as it takes, and notify everybody when their time is over', async () => {
      const queue = await newQueue()
      let tries = 0
      queue.handle({
        'test.one': () => {
          if (++tries < 8) return Promise.reject(new TryLater(1))
          return Promise.resolve('done')
        },
      })
      queue.handle({ 'test.two': () => Promise.reject(new TryLater(60_000)) })
      queue.start()
      const { id } = await queue.add({ kind: 'test.one', ownerId: 'u', payload: null, progress: null })
      const lost = await queue.add({ kind: 'test.two', ownerId: 'u', payload: null, progress: null, deadlineMs: 1_000 })
      expect((await queue.settled(id, PATIENCE_MS)).state).toBe('completed')
      expect((await queue.settled(lost.id, PATIENCE_MS)).state).toBe('failed')
      const events = await world?.database.db.selectFrom('outbox').selectAll().execute()
      expect(events?.map(({ type, payload }) => [type, JSON.parse(payload) as unknown])).toEqual([
        ['job.failed', { jobId: lost.id, kind: 'test.two', ownerId: 'u' }],
      ])
    })

    it('survive a passing fault, however often they waited or were stopped before', async () => {
      const waits = 6
      let aheadMs = 0
      const newer = () => newQueue({ ...systemClock, now: () => millis(systemClock.now() + aheadMs) })
      const first = await newer()
      const { id } = await first.add({ kind: 'test.one', ownerId: 'u', payload: null, progress: null })
      for (let n = 0; n < waits; n++) {
        const queue = await newer()
        const started = Promise.withResolvers<void>()
        queue.handle({
          'test.one': (_job, run) => {
            started.resolve()
            return aborted(run.signal)
          },
        })
        queue.start()
        await started.promise
        await queue.stop()
      }
      let tries = 0
      first.handle({
        'test.one': ({ attempts }) => {
          if (++tries <= waits) return Promise.reject(new TryLater(1))
          return tries === waits + 1 ? Promise.reject(new Error('passing')) : Promise.resolve(attempts)
        },
      })
      first.start()
      await expect
        .poll(async () => [tries, (await first.byId(id))?.state], { timeout: PATIENCE_MS })
        .toEqual([waits + 1, 'queued'])
      aheadMs = 3_600_000
      // The first run, one more for all the stops, and the fault.
      expect(await first.settled(id, PATIENCE_MS)).toMatchObject({ state: 'completed', progress: 3 })
    })

    it('fail when the process died at each of ten starts', async () => {
      const queue = await newQueue()
      const { database } = world ?? expect.fail('there is no world')
      const kinds = ['test.one']
      const { id } = await queue.add({ kind: 'test.one', ownerId: 'u', payload: null, progress: 'begun' })
      for (let n = 0; n < 10; n++) {
        const now = systemClock.now()
        const claim = { leaseOwner: `dead${n}`, leaseUntil: now - 1, now, kinds, except: [] }
        expect((await queueStore.claim(database.db, database.dialect, claim))?.id).toBe(id)
      }
      let isKilling = true
      queue.handle({
        'test.one': () => (isKilling ? Promise.reject(new AppError('QUOTA_EXCEEDED')) : Promise.resolve('done')),
      })
      queue.start()
      expect(await queue.settled(id, PATIENCE_MS)).toMatchObject({ state: 'failed', progress: 'begun' })
      expect((await queueStore.byId(database.db, id))?.error).toBe('INTERNAL')
      const events = await database.db.selectFrom('outbox').select('type').execute()
      expect(events).toEqual([{ type: 'job.failed' }])
      isKilling = false
      expect(await queue.rerun(id)).toBe(true)
      expect((await queue.settled(id, PATIENCE_MS)).state).toBe('completed')
    })

    it('of one lane never wait for those of another', async () => {
      const queue = await newQueue()
      const blocked = Promise.withResolvers<void>()
      queue.handle({ 'test.one': () => blocked.promise })
      queue.handle({ 'test.two': () => Promise.resolve('done') }, 'quick')
      for (let n = 0; n < 8; n++) await queue.add({ kind: 'test.one', ownerId: 'u', payload: n, progress: 0 })
      queue.start()
      const { id } = await queue.add({ kind: 'test.two', ownerId: 'u', payload: null, progress: 0 })
      expect((await queue.settled(id, PATIENCE_MS)).state).toBe('completed')
      blocked.resolve()
    })

    it('of one kind have one handler', async () => {
      const queue = await newQueue()
      queue.handle({ 'test.one': () => Promise.resolve(1) })
      expect(() => queue.handle({ 'test.one': () => Promise.resolve(2) })).toThrow('two handlers')
    })

    it('stop when they are cancelled and show how far they came', async () => {
      const queue = await newQueue()
      queue.handle({
        'test.one': async (_job, run) => {
          for (let step = 1; ; step++) {
            run.report(step)
            await pause(5)
            run.signal.throwIfAborted()
          }
        },
      })
      queue.start()
      const { id } = await queue.add({ kind: 'test.one', ownerId: 'u', payload: null, progress: 0 })
      expect((await queue.settled(id, 300)).state).toBe('running')
      await queue.cancel(id)
      const ended = await queue.settled(id, PATIENCE_MS)
      expect(ended.state).toBe('cancelled')
      expect(ended.progress).toBeGreaterThan(0)
    })

    it('never run when they were cancelled before', async () => {
      const queue = await newQueue()
      queue.handle({ 'test.one': () => Promise.reject(new Error('it ran')) })
      const { id } = await queue.add({ kind: 'test.one', ownerId: 'u', payload: null, progress: 0 })
      await queue.cancel(id)
      queue.start()
      expect((await queue.settled(id, PATIENCE_MS)).state).toBe('cancelled')
    })

    it('keep what was written last, whatever arrives after it', async () => {
      const standing = systemClock.now()
      const queue = await newQueue({ ...systemClock, now: () => standing })
      const { db } = (world ?? expect.fail('there is no world')).database
      queue.handle({
        'test.one': async ({ id }, run) => {
          run.report('early')
          await expect.poll(async () => (await queue.byId(id))?.progress).toBe('early')
          const early = (await queueStore.byId(db, id)) ?? expect.fail('the job is gone')
          run.report('late')
          await run.checkpoint(7)
          // The first note once more, as if its connection had been slow.
          const isTaken = await queueStore.noteProgress(db, early, {
            progress: early.progress,
            updated_at: early.updated_at,
          })
          return { isTaken, progress: (await queue.byId(id))?.progress }
        },
      })
      queue.start()
      const { id } = await queue.add({ kind: 'test.one', ownerId: 'u', payload: 0, progress: null })
      expect((await queue.settled(id, PATIENCE_MS)).progress).toEqual({ isTaken: false, progress: 'late' })
    })

    it('go on from their checkpoint after the process ended', async () => {
      const first = await newQueue()
      const started = Promise.withResolvers<void>()
      first.handle({
        'test.one': async (job, run) => {
          run.report('two done')
          await expect.poll(async () => (await first.byId(job.id))?.progress).toBe('two done')
          // Soon after the former, this is not written down by itself.
          run.report('seven done')
          await run.checkpoint(7)
          started.resolve()
          await aborted(run.signal)
          return null
        },
      })
      first.start()
      const { id } = await first.add({ kind: 'test.one', ownerId: 'u', payload: 0, progress: null })
      await started.promise
      // As a process that is killed would leave it.
      const written = await first.byId(id)
      await first.stop()
      expect(written?.progress).toBe('seven done')
      const second = await newQueue()
      second.handle({ 'test.one': (job) => Promise.resolve({ from: job.payload, attempts: job.attempts }) })
      second.start()
      const ended = await second.settled(id, PATIENCE_MS)
      expect(ended).toMatchObject({ state: 'completed', progress: { from: 7, attempts: 2 } })
    })

    it('fail for good with what a person can cause, and may be run again by hand', async () => {
      const queue = await newQueue()
      let isBroken = true
      queue.handle({
        'test.one': () => (isBroken ? Promise.reject(new AppError('QUOTA_EXCEEDED')) : Promise.resolve('done')),
      })
      queue.start()
      const { id } = await queue.add({ kind: 'test.one', ownerId: 'u', payload: null, progress: 'begun' })
      expect(await queue.settled(id, PATIENCE_MS)).toMatchObject({ state: 'failed', progress: 'begun', attempts: 1 })
      isBroken = false
      expect(await queue.rerun(id)).toBe(true)
      expect(await queue.settled(id, PATIENCE_MS)).toMatchObject({ state: 'completed', progress: 'done' })
    })

    it('are forgotten when they ended long ago', async () => {
      const queue = await newQueue()
      queue.handle({ 'test.one': () => Promise.resolve(1) })
      queue.start()
      const { id } = await queue.add({ kind: 'test.one', ownerId: 'u', payload: null, progress: 0 })
      await queue.settled(id, PATIENCE_MS)
      expect(await queue.purge(systemClock.now() - 60_000)).toBe(0)
      expect(await queue.purge(systemClock.now() + 1)).toBe(1)
      expect(await queue.byId(id)).toBeUndefined()
    })
  })
}

describe('jobs of two nodes on one MariaDB', () => {
  it('run once each, and on the other node when the lease of the first ran out, which then stops', async () => {
    const url = await mariadbUrl()
    await using here = await openWorld(url)
    await using there = await openWorld(url)
    const worlds = [here, there]
    const queues = worlds.map(({ database, ids, bus }) =>
      createQueue({ database, ids, bus, clock: systemClock, random: secureRandom, log: SILENT }),
    )
    const runs: string[] = []
    const stopped = Promise.withResolvers<void>()
    const nodes: number[] = []
    for (const [node, queue] of queues.entries()) {
      queue.handle({
        'test.one': (job) => Promise.resolve(runs.push(job.id)),
        'test.two': async (_job, run) => {
          nodes.push(node)
          if (nodes.length > 1) return 'done'
          await aborted(run.signal).catch(() => stopped.resolve())
          throw new Error('stopped')
        },
      })
    }
    const jobs = []
    for (let n = 0; n < 100; n++)
      jobs.push(await queues[0]?.add({ kind: 'test.one', ownerId: 'u', payload: n, progress: 0 }))
    for (const queue of queues) queue.start()
    // Neither hears of what the other one ended, so the database is asked.
    const ended = here.database.db.selectFrom('jobs').select('id').where('state', '=', 'completed')
    await expect.poll(async () => (await ended.execute()).length, { timeout: PATIENCE_MS }).toBe(jobs.length)
    expect(runs.toSorted()).toEqual(jobs.flatMap((job) => job?.id ?? []).toSorted())
    const long = await queues[0]?.add({ kind: 'test.two', ownerId: 'u', payload: null, progress: null })
    await expect.poll(() => nodes.length, { timeout: PATIENCE_MS }).toBe(1)
    // Whoever runs it seems dead, and the job is the other one's.
    await here.database.db
      .updateTable('jobs')
      .set({ lease_owner: 'nobody', lease_until: 0 })
      .where('id', '=', long?.id ?? '')
      .execute()
    await stopped.promise
    await expect
      .poll(async () => (await queues[0]?.byId(long?.id ?? ''))?.state, { timeout: PATIENCE_MS })
      .toBe('completed')
    expect(nodes).toHaveLength(2)
    await Promise.all(queues.map((queue) => queue.stop()))
  })
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
