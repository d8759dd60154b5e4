import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Storages } from '../../foundation/storages/index.ts'
import { createUser } from '../../identity/users/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { patientQueue } from '../../testing/patient-queue.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { createLog } from '../../kernel/log.ts'
import { createQueue, type Queue } from '../../kernel/queue/index.ts'
import { callerCtx, DATABASES, type World, openWorldStorages } from '../../testing/worlds.ts'
import { createFiles } from '../files/index.ts'
import { rememberHashes } from '../quotas/file-hashes.store.ts'
import { createQuotas, hashAt } from '../quotas/index.ts'
import { bookRecycleSteps, recycleJobs } from './recycle.operations.ts'
import type { RecycleDeps } from './recycle.deps.ts'
import { recyclePlaces } from './recycle.place.ts'
import { purgeDue, startPurge } from './recycle.purge.ts'
import { startRestore } from './recycle.restore.ts'
import { recycleSearch } from './recycle.search.ts'
import { listRecycled, startRemove } from './recycle.service.ts'
import { recycleStore } from './recycle.store.ts'

const PLACE = { spaceId: 1, groupId: 0 }

for (const { dialect, open } of DATABASES) {
  describe(`the recycle bin on ${dialect}`, () => {
    let world: World
    let storages: Storages
    let queue: Queue
    let deps: RecycleDeps
    let ctx: UserCtx

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      const { db } = database
      const log = createLog('silent')
      storages = await openWorldStorages(world)
      queue = createQueue({ database, clock, random: secureRandom, ids, bus, log })
      const users = { db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' as const }
      const alice = await createUser(users, { account: 'alice', email: '', password: 'Sunrise-42x' })
      const principal = userPrincipal({ id: alice.id, home: alice.home })
      ctx = { ...callerCtx(), principal }
      const files = createFiles({ ...world, storages, db, log })
      const quotas = createQuotas({ db, dialect: database.dialect, defaultBytes: 0 })
      deps = {
        files,
        db,
        queue: patientQueue(queue, () => world.clock.advance(60_000)),
        quotas,
        ids,
        keptDays: 30,
        principalOf: (job) => Promise.resolve({ ...principal, kind: 'job', jobId: job.id }),
      }
      files.access.place('recycle', recyclePlaces(db))
      bookRecycleSteps(deps)
      queue.handle(recycleJobs(deps))
      queue.start()
      fs.mkdirSync(home(), { recursive: true })
    })
    afterEach(async () => {
      await queue.stop()
      await storages.close()
      await world[Symbol.asyncDispose]()
    })

    const home = (...parts: string[]) => path.join(world.folder, 'files', ctx.principal.account.home, ...parts)
    /** Puts a file of ten bytes there, with its note and its bytes counted, and deletes it. @returns its id in the bin */
    const recycled = async (name: string): Promise<string> => {
      fs.mkdirSync(path.dirname(home(name)), { recursive: true })
      fs.writeFileSync(home(name), 'ten bytes.')
      await deps.quotas.reserveBytes(deps.db, ctx.principal.id, 10)
      await deps.quotas.commitBytes(deps.db, ctx.principal.id, { reserved: 10, used: 10 })
      const note = { spaceId: 1, key: `${ctx.principal.account.home}/${name}`, etag: name, hash: name }
      await rememberHashes(deps.db, world.clock, [note])
      const [top = ''] = name.split('/')
      const { recycleIds } = await startRemove(deps, ctx, { ...PLACE, paths: [`/${top}`] })
      world.clock.advance(1)
      return recycleIds[0] ?? ''
    }
    const listed = async () => (await listRecycled(deps, ctx, { ...PLACE, limit: 1000 })).items.map(({ name }) => name)
    const inBin = () => fs.readdirSync(path.join(world.folder, 'files/.godwit-recycle', ctx.principal.id)).length
    const used = async () => (await deps.quotas.usageOf(ctx.principal.id)).usedBytes

    it('lists the newest first, page by page, and nobody else’s', async () => {
      for (const name of ['a', 'b', 'c']) await recycled(name)
      const first = await listRecycled(deps, ctx, { ...PLACE, limit: 2 })
      expect(first.items.map(({ name }) => name)).toEqual(['c', 'b'])
      expect((await listRecycled(deps, ctx, { ...PLACE, limit: 2, cursor: first.next })).items).toHaveLength(1)
      const tom = { ...ctx, principal: userPrincipal({ id: 'tom' }) }
      expect((await listRecycled(deps, tom, { ...PLACE, limit: 2 })).items).toEqual([])
      await expect(startPurge(deps, tom, { ...PLACE, recycleIds: [first.items[0]?.recycleId ?? ''] })).rejects.toThrow(
        expect.objectContaining({ code: 'RECYCLE_ITEM_NOT_FOUND' }),
      )
    })

    it('deletes one, several and all for good, with their notes and their bytes', async () => {
      const [one, two, three] = [await recycled('one'), await recycled('two/deep/f'), await recycled('3')]
      await recycled('four')
      const key = `.godwit-recycle/${ctx.principal.id}/${two}/deep/f`
      expect(await hashAt(deps.db, { spaceIds: [1], key })).toBeDefined()
      expect((await startPurge(deps, ctx, { ...PLACE, recycleIds: [one] })).job.state).toBe('completed')
      expect(await listed()).toEqual(['four', '3', 'two'])
      expect((await startPurge(deps, ctx, { ...PLACE, recycleIds: [two, three] })).job.doneFiles).toBe(2)
      expect(await hashAt(deps.db, { spaceIds: [1], key })).toBeUndefined()
      expect([await listed(), inBin(), await used()]).toEqual([['four'], 1, 10])
      expect((await startPurge(deps, ctx, { ...PLACE, recycleIds: 'all' })).job.state).toBe('completed')
      expect([await listed(), inBin(), await used()]).toEqual([[], 0, 0])
      expect((await startPurge(deps, ctx, { ...PLACE, recycleIds: 'all' })).job.state).toBe('completed')
    })

    it('finds items by a part of their names, over all pages', async () => {
      for (const name of ['Plan A', 'b', 'plan C', 'd']) await recycled(name)
      const ask = { ...PLACE, limit: 1, keyword: 'PLAN' }
      const first = await listRecycled(deps, ctx, ask)
      const second = await listRecycled(deps, ctx, { ...ask, cursor: first.next })
      const third = await listRecycled(deps, ctx, { ...ask, cursor: second.next })
      expect([first, second, third].map(({ items }) => items.map(({ name }) => name))).toEqual([
        ['plan C'],
        ['Plan A'],
        [],
      ])
      expect([third.next, third.keptDays]).toEqual([null, 30])
    })

    it('puts items back into another folder, beside what has their name there', async () => {
      const [one, deep] = [await recycled('one'), await recycled('tree/deep/f')]
      fs.mkdirSync(home('kept'))
      fs.writeFileSync(home('kept/one'), 'another')
      const ask = { ...PLACE, recycleIds: [one, deep], conflict: 'keep-both' } as const
      const missing = startRestore(deps, ctx, { ...ask, target: '/nowhere' })
      await expect(missing).rejects.toThrow(expect.objectContaining({ code: 'PATH_NOT_FOUND' }))
      const file = startRestore(deps, ctx, { ...ask, target: '/kept/one' })
      await expect(file).rejects.toThrow(expect.objectContaining({ code: 'PATH_IS_FILE' }))
      expect(await listed()).toEqual(['tree', 'one'])
      expect((await startRestore(deps, ctx, { ...ask, target: '/kept' })).job).toMatchObject({
        state: 'completed',
        failures: [],
      })
      expect(fs.readdirSync(home('kept')).toSorted()).toEqual(['one', 'one (1)', 'tree'])
      expect(fs.readFileSync(home('kept/tree/deep/f'), 'utf8')).toBe('ten bytes.')
      expect([fs.existsSync(home('tree')), await listed(), inBin()]).toEqual([false, [], 0])
    })

    it('refuses all when one of them is not there, and whoever may not delete', async () => {
      const id = await recycled('a')
      const wrong = startPurge(deps, ctx, { ...PLACE, recycleIds: [id, 'none'] })
      await expect(wrong).rejects.toThrow(expect.objectContaining({ code: 'RECYCLE_ITEM_NOT_FOUND' }))
      const guest = { ...ctx, principal: userPrincipal({ id: ctx.principal.id, permission: 0 }) }
      const denied = startPurge(deps, guest, { ...PLACE, recycleIds: 'all' })
      await expect(denied).rejects.toThrow(expect.objectContaining({ code: 'PERMISSION_DENIED' }))
      expect(await listed()).toEqual(['a'])
    })

    it('never gives back what is being deleted for good, and finishes it later', async () => {
      const id = await recycled('tree/a')
      await recycleStore.markPurging(deps.db, id)
      expect(await listed()).toEqual([])
      const restoring = startRestore(deps, ctx, { ...PLACE, recycleIds: [id], conflict: 'keep-both' })
      await expect(restoring).rejects.toThrow(expect.objectContaining({ code: 'RECYCLE_ITEM_NOT_FOUND' }))
      expect(await purgeDue(deps, 0)).toBe(1)
      expect([inBin(), await used()]).toEqual([0, 0])
    })

    it('is searched over everybody, within the scope of the administrator', async () => {
      const id = await recycled('Plan/a')
      await recycled('b')
      const all = { text: '', onlyUserId: undefined }
      const { rows, total } = await recycleSearch.page(deps.db, { ...all, text: 'plan' }, { page: 1, size: 10 })
      expect([rows.map(({ recycleId }) => recycleId), total]).toEqual([[id], 1])
      expect(rows[0]).toMatchObject({ account: 'alice', path: '/Plan', file_type: 'Folder', size: 10, groupName: '' })
      const second = await recycleSearch.page(deps.db, { ...all, text: 'ALICE'.toLowerCase() }, { page: 2, size: 1 })
      expect([second.rows.map(({ name }) => name), second.total]).toEqual([['Plan'], 2])
      const files = await recycleSearch.page(deps.db, { ...all, type: 'File' }, { page: 1, size: 10 })
      expect(files.rows.map(({ name }) => name)).toEqual(['b'])
      expect(await recycleSearch.byIds(deps.db, [id], 'somebody else')).toEqual([])
    })

    it('restored and deleted for good at once, an item is whole or gone', async () => {
      for (let round = 0; round < 20; round++) {
        const id = await recycled(`t${round}/deep/f`)
        const asked = [
          startRestore(deps, ctx, { ...PLACE, recycleIds: [id], conflict: 'keep-both' }),
          startPurge(deps, ctx, { ...PLACE, recycleIds: [id] }),
        ]
        await Promise.allSettled(round % 2 === 0 ? asked : asked.toReversed())
        const isBack = fs.existsSync(home(`t${round}`))
        if (isBack) expect(fs.readFileSync(home(`t${round}/deep/f`), 'utf8')).toBe('ten bytes.')
        expect(await recycleStore.ofOwner(deps.db, ctx.principal.id, [id])).toEqual([])
      }
      expect(inBin()).toBe(0)
    })

    it('deletes what is older than the time of retention, and nothing younger', async () => {
      await recycled('old')
      world.clock.advance(1000)
      const limit = world.clock.now()
      await recycled('young')
      expect(await purgeDue(deps, limit)).toBe(1)
      expect(await listed()).toEqual(['young'])
    })

    it('deletes what is due although many that are older cannot be deleted', async () => {
      // Of a virtual directory that is gone: nobody knows on which storage they are.
      const lost = { owner_id: 'nobody', space_id: 1, group_id: -9, path: '/x', is_folder: 0, size: 1, purging: 0 }
      const rows = Array.from({ length: 100 }, (_, at) => {
        return { ...lost, id: world.ids.next(), storage_key: `.godwit-recycle/nobody/${at}`, deleted_at: 0 }
      })
      await deps.db.insertInto('recycle_items').values(rows).execute()
      await recycled('old')
      world.clock.advance(1000)
      expect(await purgeDue(deps, world.clock.now())).toBe(1)
      expect(await listed()).toEqual([])
    })
  })
}
