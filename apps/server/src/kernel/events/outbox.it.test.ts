import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, openWorld, type World } from '../../testing/worlds.ts'
import { mariadbUrl } from '@godwit/testkit/engines'
import { listParked, listSubscribers, retryParked } from './outbox.admin.ts'
import { fileEvent } from '../../testing/file-events.ts'
import { createOutbox, type Outbox, type OutboxDeps, type Subscription } from './outbox.ts'

/** Only bounds a hanging test; no test waits for it when all is well. */
const PATIENT = { timeout: 30_000, interval: 20 }
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
const RETRIES = { triesMax: 3, firstWaitMs: 20 }

/** Nodes on one database, with what their subscribers were given. */
class Site implements AsyncDisposable {
  readonly world: World
  readonly #nodes: Outbox[] = []

  constructor(world: World) {
    this.world = world
  }

  get db() {
    return this.world.database.db
  }

  node(change: Partial<OutboxDeps> = {}): Outbox {
    const { clock } = this.world
    const outbox = createOutbox({ db: this.db, clock, log: SILENT, retries: RETRIES, ...change })
    this.#nodes.push(outbox)
    return outbox
  }

  /** @returns the paths that the subscriber gets */
  listen(
    outbox: Outbox,
    subscriber: string,
    handle: (path: string) => Promise<void> | void = () => undefined,
  ): string[] {
    const seen: string[] = []
    outbox.on('file.committed', {
      subscriber,
      handle: async ({ path }) => {
        await handle(path)
        seen.push(path)
      },
    })
    return seen
  }

  async add(...paths: string[]): Promise<void> {
    await this.db.transaction().execute(async (tx) => {
      for (const path of paths) await this.node().add(tx, 'file.committed', fileEvent(path))
    })
  }

  async left(): Promise<number> {
    return (await this.db.selectFrom('outbox').select('seq').execute()).length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#nodes.map((outbox) => outbox.stop()))
    await this.world[Symbol.asyncDispose]()
  }
}

for (const { dialect, open } of DATABASES) {
  describe(`durable events on ${dialect}`, () => {
    let site: Site
    beforeEach(async () => void (site = new Site(await open())))
    afterEach(async () => site[Symbol.asyncDispose]())

    it('are delivered once each, in order of commit, and forgotten', async () => {
      const outbox = site.node()
      const seen = [site.listen(outbox, 'one'), site.listen(outbox, 'two')]
      const paths = Array.from({ length: 1_250 }, (_, index) => `/f${index}`)
      await outbox.start()
      await site.db.transaction().execute(async (tx) =>
        outbox.addAll(
          tx,
          'file.committed',
          paths.map((path) => fileEvent(path)),
        ),
      )
      outbox.nudge()
      await expect.poll(() => site.left(), PATIENT).toBe(0)
      expect(seen).toEqual([paths, paths])
    })

    it('are not delivered when their transaction is rolled back', async () => {
      const outbox = site.node()
      const seen = site.listen(outbox, 'one')
      const rolledBack = site.db.transaction().execute(async (tx) => {
        await outbox.add(tx, 'file.committed', fileEvent('/never'))
        throw new Error('rolled back')
      })
      await expect(rolledBack).rejects.toThrow('rolled back')
      await site.add('/kept')
      await outbox.start()
      await expect.poll(() => seen, PATIENT).toEqual(['/kept'])
    })

    it('wait for a start, and for a subscriber whose node is away; a new subscriber begins with the next one', async () => {
      await site.add('/before')
      const first = site.node()
      const old = site.listen(first, 'old')
      await first.start()
      await expect.poll(() => old, PATIENT).toEqual(['/before'])
      await first.stop()
      const other = site.node()
      const fresh = site.listen(other, 'new')
      await other.start()
      await site.add('/meanwhile')
      other.nudge()
      await expect.poll(() => fresh, PATIENT).toEqual(['/meanwhile'])
      expect(await site.left()).toBeGreaterThan(0)
      await other.stop()
      const both = site.node()
      const seen = [site.listen(both, 'old'), site.listen(both, 'new')]
      await both.start()
      await expect.poll(() => seen, PATIENT).toEqual([['/meanwhile'], []])
      await expect.poll(() => site.left(), PATIENT).toBe(0)
    })

    it('reach everybody else while one subscriber throws and one never ends', async () => {
      const outbox = site.node()
      const end = Promise.withResolvers<void>()
      site.listen(outbox, 'slow', () => end.promise)
      site.listen(outbox, 'broken', () => Promise.reject(new Error('always')))
      const seen = site.listen(outbox, 'well')
      await outbox.start()
      await site.add('/1', '/2', '/3')
      outbox.nudge()
      await expect.poll(() => seen, PATIENT).toEqual(['/1', '/2', '/3'])
      end.resolve()
    })

    it('are parked for the subscriber that cannot handle them, whose line goes on, and tried again on demand', async () => {
      const outbox = site.node()
      let isBroken = true
      const tries: string[] = []
      const seen = site.listen(outbox, 'picky', (path) => {
        tries.push(path)
        if (path === '/2' && isBroken) throw new Error('not this one')
      })
      const other = site.listen(outbox, 'other')
      await outbox.start()
      await site.add('/1', '/2', '/3')
      outbox.nudge()
      await expect.poll(() => seen, PATIENT).toEqual(['/1', '/3'])
      expect(tries).toEqual(['/1', '/2', '/2', '/2', '/3'])
      expect(other).toEqual(['/1', '/2', '/3'])
      expect(await listParked(site.db)).toMatchObject([
        { subscriber: 'picky', type: 'file.committed', error: 'Error: not this one', attempts: 3 },
      ])
      await expect.poll(() => site.left(), PATIENT).toBe(0)
      const states = (await listSubscribers(site.db)).map(({ name, behind, parked }) => ({ name, behind, parked }))
      expect(states).toEqual([
        { name: 'other', behind: 0, parked: 0 },
        { name: 'picky', behind: 0, parked: 1 },
      ])
      expect(await retryParked(site.db, { subscriber: 'picky' })).toBe(1)
      await expect.poll(async () => (await listParked(site.db))[0]?.attempts, PATIENT).toBe(4)
      isBroken = false
      expect(await retryParked(site.db, {})).toBe(1)
      await expect.poll(() => seen, PATIENT).toEqual(['/1', '/3', '/2'])
      await expect.poll(() => listParked(site.db), PATIENT).toEqual([])
      expect(other).toHaveLength(3)
    })

    it('are handled in one line by a subscriber of several types, and within its transaction', async () => {
      const outbox = site.node()
      const seen: string[] = []
      let failures = 2
      outbox.on('file.committed', { subscriber: 'audit', handle: async ({ path }) => void seen.push(path) })
      outbox.on('job.failed', {
        subscriber: 'audit',
        handleWithin: async ({ jobId }, tx) => {
          await tx
            .insertInto('facts')
            .values({ name: `job:${jobId}`, value: 'x' })
            .execute()
          if (failures-- > 0) throw new Error('later')
          seen.push(jobId)
        },
      })
      await outbox.start()
      await outbox.add(site.db, 'file.committed', fileEvent('/1'))
      await outbox.add(site.db, 'job.failed', { jobId: 'j', kind: 'test.one', ownerId: 'u' })
      await outbox.add(site.db, 'file.committed', fileEvent('/2'))
      outbox.nudge()
      await expect.poll(() => seen, PATIENT).toEqual(['/1', 'j', '/2'])
      const facts = await site.db.selectFrom('facts').select('name').where('name', 'like', 'job:%').execute()
      expect(facts).toEqual([{ name: 'job:j' }])
    })

    it('are handled many at once, in order, and one by one after a failure, by a subscriber that takes many', async () => {
      const outbox = site.node()
      const seen: string[] = []
      const sizes: number[] = []
      let failures = 1
      const subscription: Subscription<'file.committed' | 'folder.made'> = {
        subscriber: 'index',
        async handleManyWithin(events) {
          if (failures-- > 0) throw new Error('later')
          sizes.push(events.length)
          for (const { payload } of events) if ('path' in payload) seen.push(payload.path)
        },
      }
      outbox.on('file.committed', subscription)
      outbox.on('folder.made', subscription)
      await outbox.start()
      const paths = Array.from({ length: 450 }, (_, index) => `/f${index}`)
      await site.db.transaction().execute(async (tx) => {
        const events = paths.map((path) => fileEvent(path))
        await outbox.addAll(tx, 'file.committed', events.slice(0, 100))
        await outbox.addAll(tx, 'folder.made', events.slice(100, 150))
        await outbox.addAll(tx, 'file.committed', events.slice(150))
      })
      outbox.nudge()
      await expect.poll(() => seen.length, PATIENT).toBe(450)
      expect(seen).toEqual(paths)
      expect(sizes[0]).toBe(1)
      expect(sizes.length).toBeLessThan(8)
    })

    it('are delivered by one of two nodes, and by the other one when the first stops', async () => {
      const [first, second] = [site.node(), site.node()]
      const seen = [site.listen(first, 'one'), site.listen(second, 'one')]
      await Promise.all([first.start(), second.start()])
      for (let round = 0; round < 10; round++) {
        await site.add(...Array.from({ length: 20 }, (_, n) => `/${round}-${n}`))
        first.nudge()
        second.nudge()
      }
      await expect.poll(() => seen.flat().length, PATIENT).toBe(200)
      await first.stop()
      await site.add('/last')
      await expect.poll(() => seen[1]?.at(-1), PATIENT).toBe('/last')
      expect(seen.flat()).toHaveLength(201)
      expect(new Set(seen.flat()).size).toBe(201)
    })

    it('that end the process every time are parked as well', async () => {
      await site.add('/fatal', '/next')
      const end = Promise.withResolvers<void>()
      for (let life = 0; life < RETRIES.triesMax; life++) {
        const dying = site.node()
        const reached = Promise.withResolvers<void>()
        site.listen(dying, 'one', () => {
          reached.resolve()
          return end.promise
        })
        await dying.start()
        await reached.promise
        // Nothing is heard of it any more.
        await site.db.updateTable('outbox_subscribers').set({ lease_until: 0 }).execute()
      }
      const survivor = site.node()
      const seen = site.listen(survivor, 'one')
      await survivor.start()
      await expect.poll(() => seen, PATIENT).toEqual(['/next'])
      expect(await listParked(site.db)).toMatchObject([{ error: 'the process ended while it was handled' }])
      end.resolve()
    })
  })
}

describe('durable events of transactions that commit out of order', () => {
  it('are delivered all the same', async () => {
    await using site = new Site(await openWorld(await mariadbUrl()))
    const outbox = site.node()
    const seen = site.listen(outbox, 'one')
    await outbox.start()
    const go = Promise.withResolvers<void>()
    const inserted = Promise.withResolvers<void>()
    const late = site.db.transaction().execute(async (tx) => {
      await outbox.add(tx, 'file.committed', fileEvent('/inserted first, committed last'))
      inserted.resolve()
      await go.promise
    })
    await inserted.promise
    await site.add('/quick')
    outbox.nudge()
    await expect.poll(() => seen, PATIENT).toEqual(['/quick'])
    await expect.poll(() => site.left(), PATIENT).toBe(0)
    go.resolve()
    await late
    outbox.nudge()
    await expect.poll(() => seen, PATIENT).toEqual(['/quick', '/inserted first, committed last'])
  })
})
