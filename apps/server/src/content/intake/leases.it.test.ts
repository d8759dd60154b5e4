import { seededRandom } from '@godwit/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../../kernel/db/index.ts'
import { DATABASES, type World } from '../../testing/worlds.ts'
import { SharedLeases, WHOLE } from './leases.ts'
import { leasesStore, type LeaseSubject, type Span } from './leases.store.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

for (const { dialect, open } of DATABASES) {
  describe(`leases of nodes that share ${dialect}`, () => {
    let world: World
    let subject: LeaseSubject
    const nodeOf = (owner: string, database = world.database) =>
      new SharedLeases({ database, clock: world.clock, log: SILENT, owner, beatMs: 20 })
    const addSubject = async (id: string): Promise<void> => {
      await world.database.db
        .insertInto('intake_batches')
        .values({
          id,
          user_id: 'u',
          space_id: 1,
          group_id: 0,
          reserved_bytes: 0,
          files: '[]',
          fence: 0,
          origin: '',
          created_at: 0,
        })
        .execute()
    }

    beforeAll(async () => {
      world = await open()
    })
    beforeEach(async () => {
      const id = world.ids.next()
      subject = { table: 'intake_batches', id }
      await addSubject(id)
    })
    afterAll(async () => world[Symbol.asyncDispose]())

    const write = (span: Span) => ({ subject, span, work: 'write' }) as const
    const aborted = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

    it('the later of two writers of the same bytes wins, once the former has let go', async () => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      let isFirstWriting = false
      const first = nodeOf('a').run(write({ start: 0, end: 10 }), async ({ signal }) => {
        isFirstWriting = true
        begin()
        await aborted(signal).finally(() => (isFirstWriting = false))
      })
      await begun
      const second = nodeOf('b').run(write({ start: 9, end: 20 }), ({ fence }) => {
        expect(isFirstWriting).toBe(false)
        return Promise.resolve(fence)
      })
      await expect(first).rejects.toMatchObject({ code: 'UPLOAD_BUSY' })
      expect(await second).toBeGreaterThan(1)
      expect(await leasesStore.ofOwner(world.database.db, 'b')).toEqual([])
    })

    it('writers of other bytes do not wait for each other', async () => {
      const { promise: both, resolve } = Promise.withResolvers<void>()
      let writing = 0
      const meet = async () => {
        if (++writing === 2) resolve()
        await both
      }
      await Promise.all([
        nodeOf('a').run(write({ start: 0, end: 10 }), meet),
        nodeOf('b').run(write({ start: 10, end: 20 }), meet),
      ])
    })

    it('nobody writes while one publishes, and of two publishers the second waits', async () => {
      const [a, b] = [nodeOf('a'), nodeOf('b')]
      const order: string[] = []
      const publish = { subject, span: WHOLE, work: 'publish' } as const
      let waiting: Promise<void> | undefined
      await a.run(publish, async ({ signal }) => {
        await expect(b.run(write({ start: 0, end: 1 }), () => Promise.resolve())).rejects.toMatchObject({
          code: 'UPLOAD_BUSY',
        })
        expect(await b.attempt(subject, () => Promise.resolve('published'))).toBeUndefined()
        waiting = b.run(publish, () => Promise.resolve(void order.push('b')))
        await new Promise((resolve) => setTimeout(resolve, 150))
        expect(signal.aborted).toBe(false)
        order.push('a')
      })
      await waiting
      expect(order).toEqual(['a', 'b'])
      expect(await b.attempt(subject, () => Promise.resolve('published'))).toBe('published')
    })

    it('what a dead node held is taken over when it has expired, and its late record counts no more', async () => {
      const { db } = world.database
      const [a, b] = [nodeOf('a'), nodeOf('b')]
      await a.run(write({ start: 0, end: 10 }), async ({ fence, signal }) => {
        const confirm = () => inTransaction(db, (tx) => a.confirm(tx, subject.id, fence))
        expect(await confirm()).toBe(true)
        await db.updateTable('intake_leases').set({ expires_at: 1 }).where('subject_id', '=', subject.id).execute()
        const { promise, resolve } = Promise.withResolvers<void>()
        const taken = b.run(write({ start: 0, end: 10 }), () => promise)
        await expect(aborted(signal)).rejects.toMatchObject({ code: 'UPLOAD_BUSY' })
        expect(await confirm()).toBe(false)
        resolve()
        await taken
      })
    })

    it('what could not be given back at once is given back while the node works on something else', async () => {
      const { database } = world
      let refused = 0
      const db = new Proxy(database.db, {
        get(target, name) {
          if (name === 'deleteFrom' && refused++ < 2) throw new Error('a deadlock')
          const value = Reflect.get(target, name, target) as unknown
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
      const node = nodeOf('a', { ...database, db })
      const other = { ...subject, id: world.ids.next() }
      await addSubject(other.id)
      await node.run({ subject: other, span: WHOLE, work: 'write' }, async ({ signal }) => {
        await node.run(write({ start: 0, end: 10 }), () => Promise.resolve())
        const held = async () => (await leasesStore.ofOwner(database.db, 'a')).map(({ subject_id: id }) => id)
        await expect.poll(held).toEqual([other.id])
        expect(signal.aborted).toBe(false)
        expect(await nodeOf('b').attempt(subject, () => Promise.resolve('published'))).toBe('published')
      })
      expect(await leasesStore.ofOwner(database.db, 'a')).toEqual([])
    })

    it('a subject that is gone grants nothing', async () => {
      const gone = { table: 'uploads', id: 'f'.repeat(32) } as const
      const tried = nodeOf('a').run({ subject: gone, span: WHOLE, work: 'publish' }, () => Promise.resolve())
      await expect(tried).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    })

    it('of many writers on three nodes, no two ever hold the same byte', async () => {
      const nodes = ['a', 'b', 'c'].map((owner) => nodeOf(owner))
      const held = new Set<Span>()
      const random = seededRandom(7)
      const below = (limit: number): number => (random.fill(new Uint8Array(1))[0] ?? 0) % limit
      const writer = async (): Promise<void> => {
        const start = below(8)
        const span = { start, end: start + 1 + below(4) }
        await nodes[below(3)]?.run(write(span), async ({ signal }) => {
          const rival = [...held].find((other) => other.start < span.end && span.start < other.end)
          expect({ span, rival }).toEqual({ span, rival: undefined })
          held.add(span)
          await Promise.race([new Promise((resolve) => setTimeout(resolve, below(30))), aborted(signal)]).catch(
            () => undefined,
          )
          held.delete(span)
        })
      }
      await Promise.all(Array.from({ length: 30 }, writer))
      expect(held.size).toBe(0)
    })
  })
}
