import fs from 'node:fs'
import { MiB } from '@godwit/base'
import path from 'node:path'
import { ERRORS } from '@godwit/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../kernel/errors.ts'
import { DATABASES } from '../../testing/worlds.ts'
import { hashAt } from '../quotas/index.ts'
import { recoverBatches } from '../intake/batches.ts'
import { rootOfBytes } from '../tree-hashes/index.ts'
import { bytes, IntakeSite, sourceOf } from '../intake/testing/intake-site.ts'
import { PackMemory } from './pack-memory.ts'
import { receivePack } from './packs.service.ts'

for (const { dialect, open } of DATABASES) {
  describe(`packs on ${dialect}`, () => {
    let site: IntakeSite

    beforeAll(async () => {
      site = await IntakeSite.open(await open())
    })
    beforeEach(async () => site.nextAccount())
    afterEach(() => vi.restoreAllMocks())
    afterAll(async () => site[Symbol.asyncDispose]())

    const receive = (body: Buffer) =>
      receivePack({ intake: site.intake, memory: new PackMemory(256 * MiB), log: site.deps.log }, site.ctx, pack(body))
    const frame = (relativePath: string, content: Buffer, more: object = {}) => {
      const header = Buffer.from(JSON.stringify({ relativePath, size: content.length, ...more }))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(header.length)
      return Buffer.concat([length, header, content])
    }
    const pack = (body: Buffer) => ({
      ...{ spaceId: 1, groupId: 0, folder: '/', source: sourceOf(body, 7) },
      ...{ length: body.length, signal: site.ctx.signal },
    })

    it('keeps a fault of one folder to its files of the pack; where nothing was stored it is the fault of all', async () => {
      const { indexes } = site.deps.files
      const of = indexes.of.bind(indexes)
      vi.spyOn(indexes, 'of').mockImplementation((folder) =>
        folder.key.endsWith('broken') ? Promise.reject(new AppError('STORAGE_UNREACHABLE')) : of(folder),
      )
      const broken = frame('broken/one.txt', Buffer.from('one'))
      const results = await receive(Buffer.concat([broken, frame('whole/two.txt', Buffer.from('two'))]))
      expect(results.map(({ state, code }) => [state, code])).toEqual([
        ['failed', 4011],
        ['completed', 200],
      ])
      expect(site.read('whole/two.txt').toString()).toBe('two')
      await expect(receive(broken)).rejects.toMatchObject({ code: 'STORAGE_UNREACHABLE' })
    })

    const treeBytes = () =>
      fs
        .readdirSync(site.onDisk('.'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0)
    /** What the account has used and reserved; nothing is on its way when it is asked. */
    const expectBooksEqualDisk = async () => {
      const { db } = site.world.database
      const row = await db.selectFrom('quotas').selectAll().where('user_id', '=', site.alice.id).executeTakeFirst()
      expect([Number(row?.used_bytes), Number(row?.reserved_bytes)]).toEqual([treeBytes(), 0])
      expect(await db.selectFrom('intake_batches').selectAll().execute()).toEqual([])
    }
    const recordedHash = (name: string) =>
      hashAt(site.world.database.db, { spaceIds: [1], key: `${site.alice.home}/${name}` })

    it('keeps a failed booking to its files, and books them when the fault is over', async () => {
      await site.upload(bytes(5), { filename: 'old.txt' })
      const addAll = site.deps.outbox.addAll.bind(site.deps.outbox)
      let bookings = 0
      vi.spyOn(site.deps.outbox, 'addAll').mockImplementation((...events) =>
        ++bookings === 2 ? Promise.reject(new AppError('DATABASE_UNAVAILABLE')) : addAll(...events),
      )
      const body = Buffer.concat([
        frame('new.txt', Buffer.from('new')),
        frame('old.txt', Buffer.from('newer+'), { conflict: 'replace' }),
      ])
      const results = await receive(body)
      expect(results.map(({ state, code }) => [state, code])).toEqual([
        ['completed', 200],
        ['failed', ERRORS.DATABASE_UNAVAILABLE.wire],
      ])
      expect(site.read('old.txt').toString()).toBe('newer+')
      expect(await recoverBatches(site.deps)).toBe(1)
      await expectBooksEqualDisk()
      expect((await recordedHash('old.txt'))?.hash).toBe(rootOfBytes(Buffer.from('newer+')))
      expect(await recoverBatches(site.deps)).toBe(0)
      await expectBooksEqualDisk()
    })

    it.each([0, 1, 2])('books what a pack left that was killed after %i of 2 files', async (written) => {
      await site.upload(Buffer.from('same'), { filename: 'equal.txt' })
      const store = site.deps.files.storages.all()[0]
      if (store === undefined) throw new Error('no store')
      const writeFiles = store.writeFiles.bind(store)
      const { promise: killed, resolve } = Promise.withResolvers<void>()
      vi.spyOn(store, 'writeFiles').mockImplementation(async (files, options) => {
        if (written > 0) await writeFiles(files.slice(0, written), options)
        resolve()
        return new Promise(() => {})
      })
      const names = ['one.txt', 'two.txt']
      // The name is taken by an equal file that is in the books: it must not be booked twice.
      const body = Buffer.concat([...names, 'equal.txt'].map((name) => frame(name, Buffer.from('same'))))
      void receive(body)
      await killed
      vi.restoreAllMocks()
      site.restart()
      await site.expireLeases()
      expect(await recoverBatches(site.deps)).toBe(1)
      await expectBooksEqualDisk()
      const recorded = await Promise.all(names.map(async (name) => (await recordedHash(name))?.hash))
      const hash = rootOfBytes(Buffer.from('same'))
      expect(recorded).toEqual(names.map((_, at) => (at < written ? hash : undefined)))
    })

    it('leaves a batch alone that this process is still writing', async () => {
      const store = site.deps.files.storages.all()[0]
      if (store === undefined) throw new Error('no store')
      const writeFiles = store.writeFiles.bind(store)
      vi.spyOn(store, 'writeFiles').mockImplementation(async (files, options) => {
        expect(await recoverBatches(site.deps)).toBe(0)
        return writeFiles(files, options)
      })
      expect((await receive(frame('one.txt', Buffer.from('one')))).map(({ code }) => code)).toEqual([200])
      await expectBooksEqualDisk()
    })

    it('commits or refuses each file of a pack by itself', async () => {
      await site.upload(bytes(5), { filename: 'taken.txt' })
      const body = Buffer.concat([
        frame('one.txt', Buffer.from('one')),
        frame('deep/two.txt', Buffer.from('two'), { lastModified: 1_700_000_000_000 }),
        frame('../out.txt', Buffer.from('out')),
        frame('taken.txt', Buffer.from('no')),
        frame('taken.txt', Buffer.from('yes'), { conflict: 'keep-both' }),
        frame('taken.txt', Buffer.from('same'), { conflict: 'skip' }),
        frame('bad.txt', Buffer.from('bad'), { hash: '0'.repeat(64) }),
        frame('empty.txt', Buffer.alloc(0)),
        frame('one.txt', Buffer.from('again')),
        frame('ONE.txt', Buffer.from('again')),
      ])
      const results = await receive(body)
      expect(results.map(({ state, code, path }) => [state, code, path])).toEqual([
        ['completed', 200, '/one.txt'],
        ['completed', 200, '/deep/two.txt'],
        ['failed', 5104, ''],
        ['failed', 5101, '/taken.txt'],
        ['completed', 200, '/taken (1).txt'],
        ['skipped', 200, '/taken.txt'],
        ['failed', 5205, ''],
        ['completed', 200, '/empty.txt'],
        ['failed', 5101, '/one.txt'],
        ['failed', 5106, '/ONE.txt'],
      ])
      expect(site.read('deep/two.txt').toString()).toBe('two')
      expect(await site.usedBytes()).toBe(5 + 3 + 3 + 3)
      expect(site.hidden()).toEqual([])
    })
  })
}
