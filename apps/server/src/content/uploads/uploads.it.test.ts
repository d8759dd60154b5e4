// One piece, because every case is told twice: on SQLite and on MariaDB, over a real disk.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { MiB, secureRandom } from '@godwit/base'
import type { ByteSource } from '@godwit/storage'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSessions } from '../../identity/auth/index.ts'
import { loadUser } from '../../identity/principals/index.ts'
import { createUser, setLocked, setPassword, type UserRow, type UsersDeps } from '../../identity/users/index.ts'
import { openStorages, type Storages } from '../../foundation/storages/index.ts'
import type { Ctx, UserCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { createOutbox } from '../../kernel/events/index.ts'
import { callerCtx, DATABASES, type World } from '../../testing/worlds.ts'
import { createFiles } from '../files/index.ts'
import { createQuotas } from '../quotas/index.ts'
import { appendBytes } from '../intake/intake.append.ts'
import { abortUpload, completeUpload, recoverUploads } from '../intake/intake.completion.ts'
import { createUpload, type WantedUpload } from '../intake/intake.creation.ts'
import type { IntakeDeps } from '../intake/intake.deps.ts'
import { openedUpload } from '../intake/intake.grants.ts'
import { sweepExpired } from '../intake/intake.jobs.ts'
import { writePart } from '../intake/intake.parts.ts'
import { createIntake, openIntakeDeps, type Intake } from '../intake/intake.service.ts'
import { uploadsStore } from '../intake/intake.store.ts'
import { blake3Hash, rootOfBytes } from '../intake/leaf-hashes.ts'
import type { LiveUpload } from '../intake/live-uploads.ts'
import { PackMemory } from './pack-memory.ts'
import { receivePack, type PackDeps } from './packs.service.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const HOUR = 3_600_000

function bytes(size: number, seed = 1): Buffer {
  const content = Buffer.alloc(size)
  for (let at = 0, state = seed; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    content.writeUInt32LE(state, at)
  }
  return content
}

async function* sourceOf(content: Uint8Array, chunk = 65_536): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < content.length; at += chunk) yield content.subarray(at, at + chunk)
}

for (const { dialect, open } of DATABASES) {
  describe(`uploads on ${dialect}`, () => {
    let world: World
    let users: UsersDeps
    let storages: Storages
    let deps: PackDeps
    let intake: Intake
    let alice: UserRow
    let ctx: UserCtx

    const openDeps = (change: Partial<IntakeDeps['limits']> = {}): PackDeps => {
      const { clock, bus, ids, database } = world
      const { db } = database
      const opened = openIntakeDeps({
        ...{ db, clock, random: secureRandom, ids, bus, log: SILENT },
        outbox: createOutbox({ db, clock, log: SILENT }),
        files: createFiles({ storages, db, bus, clock, log: SILENT }),
        quotas: createQuotas({ db, dialect: database.dialect, defaultBytes: 0 }),
        sessions: createSessions({ db, clock, random: secureRandom, ids, bus, idleMs: HOUR }),
        limits: { maxBytes: 0, partBytes: MiB, grantMs: 24 * HOUR, ...change },
      })
      return { ...opened, memory: new PackMemory() }
    }
    const wanted = (change: Partial<WantedUpload> = {}): WantedUpload => ({
      ...{ spaceId: 1, groupId: 0, folder: '/', filename: 'a.bin', conflict: 'fail', resume: true, carrier: 'parts' },
      size: 0,
      ...change,
    })
    const put = (live: LiveUpload, offset: number, content: Uint8Array, partHash?: string, source?: ByteSource) =>
      writePart(deps, live, {
        offset,
        length: content.length,
        partHash,
        source: source ?? sourceOf(content),
        signal: ctx.signal,
      })
    const putAll = async (live: LiveUpload, content: Uint8Array) => {
      const offsets = Array.from({ length: Math.ceil(content.length / live.row.part_size) }, (_, index) => index)
      await Promise.all(
        offsets.map((index) => {
          const start = index * live.row.part_size
          return put(live, start, content.subarray(start, start + live.row.part_size))
        }),
      )
    }
    const upload = async (content: Uint8Array, change: Partial<WantedUpload> = {}) => {
      const { live } = await createUpload(deps, ctx, wanted({ size: content.length, ...change }))
      if (live.state === 'open') await putAll(live, content)
      return completeUpload(deps, live, {})
    }
    const onDisk = (name: string) => path.join(world.folder, 'files', alice.home, name)
    const read = (name: string) => fs.readFileSync(onDisk(name))
    const hidden = () => fs.readdirSync(path.join(world.folder, 'files/.godwit/parts'))
    const usage = async () => deps.quotas.usageOf(alice.id)

    beforeEach(async () => {
      world = await open()
      const { clock, bus, ids, database } = world
      users = { db: database.db, clock, random: secureRandom, ids, bus, passwordPreset: 'standard' }
      storages = await openStorages({ data: world.folder, reserveBytes: 0, clock, random: secureRandom })
      deps = openDeps()
      intake = createIntake(deps)
      alice = await createUser(users, { account: 'alice', email: '', password: 'Sunrise-42x' })
      ctx = { ...callerCtx(), principal: await loadUser(database.db, alice, '') }
    })
    afterEach(async () => {
      intake.stop()
      await storages.close()
      await world[Symbol.asyncDispose]()
    })

    it('stores files of 0, 1, part - 1, part, part + 1 and many bytes with equal hashes', async () => {
      for (const size of [0, 1, MiB - 1, MiB, MiB + 1, 3 * MiB + 7]) {
        const content = bytes(size)
        const sha256 = createHash('sha256').update(content).digest('hex')
        const result = await upload(content, { filename: `${size}.bin`, hash: rootOfBytes(content), sha256 })
        expect(result).toMatchObject({ state: 'completed', size, hash: rootOfBytes(content), sha256 })
        expect(read(`${size}.bin`).equals(content)).toBe(true)
      }
      expect(hidden()).toEqual([])
      expect((await usage()).usedBytes).toBe(1 + MiB - 1 + MiB + MiB + 1 + 3 * MiB + 7)
    })

    it('shows nothing before completion and gives back everything on abort', async () => {
      const { live } = await createUpload(deps, ctx, wanted({ size: 2 * MiB }))
      await put(live, 0, bytes(MiB))
      expect(fs.existsSync(onDisk('a.bin'))).toBe(false)
      expect((await usage()).usedBytes).toBe(2 * MiB)
      await abortUpload(deps, live)
      expect(hidden()).toEqual([])
      expect((await usage()).usedBytes).toBe(0)
      await expect(completeUpload(deps, live, {})).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    })

    it('answers a completion the same however often it is asked', async () => {
      const content = bytes(MiB + 5)
      const { live } = await createUpload(deps, ctx, wanted({ size: content.length }))
      await putAll(live, content)
      const answers = await Promise.all([completeUpload(deps, live, {}), completeUpload(deps, live, {})])
      expect(answers[0]).toEqual(answers[1])
      expect(await completeUpload(deps, live, {})).toEqual(answers[0])
      const later = openDeps()
      const again = await later.live.get(live.id)
      expect(again && (await completeUpload(later, again, {}))).toEqual(answers[0])
      expect((await usage()).usedBytes).toBe(content.length)
    })

    it('names the gaps of an upload that is not whole', async () => {
      const { live } = await createUpload(deps, ctx, wanted({ size: 3 * MiB }))
      await put(live, MiB, bytes(MiB))
      await expect(completeUpload(deps, live, {})).rejects.toMatchObject({
        code: 'UPLOAD_INCOMPLETE',
        details: {
          missing: [
            [0, MiB],
            [2 * MiB, 3 * MiB],
          ],
        },
      })
    })

    it('refuses parts that are misaligned, too long, too short or beyond the end', async () => {
      const { live } = await createUpload(deps, ctx, wanted({ size: 2 * MiB }))
      for (const [offset, length] of [
        [5, MiB],
        [0, MiB + 1],
        [0, MiB - 1],
        [2 * MiB, MiB],
        [-1, 1],
      ] as const) {
        await expect(put(live, offset, bytes(length))).rejects.toMatchObject({ code: 'UPLOAD_PART_INVALID' })
      }
      // The announced length is right, what comes is not.
      await expect(put(live, 0, bytes(MiB), undefined, sourceOf(bytes(MiB + 1)))).rejects.toMatchObject({
        code: 'UPLOAD_PART_INVALID',
      })
      expect(live.ranges.every(([, end]) => end <= MiB)).toBe(true)
    })

    it('takes the same part again without writing it, and finds a part that differs', async () => {
      const content = bytes(2 * MiB)
      const { live } = await createUpload(deps, ctx, wanted({ size: content.length }))
      await putAll(live, content)
      const first = await put(live, 0, content.subarray(0, MiB))
      expect(first.ranges).toEqual([[0, 2 * MiB]])
      const other = Buffer.from(content.subarray(0, MiB))
      other[77] = (other[77] ?? 0) ^ 1
      await expect(put(live, 0, other)).rejects.toMatchObject({ code: 'UPLOAD_HASH_MISMATCH' })
      expect(live.ranges).toEqual([[MiB, 2 * MiB]])
      await put(live, 0, content.subarray(0, MiB))
      expect((await completeUpload(deps, live, {})).hash).toBe(rootOfBytes(content))
    })

    it('finds a bit that flipped on the way by the hash of the part, and by the root', async () => {
      const content = bytes(MiB)
      const flipped = Buffer.from(content)
      flipped[12_345] = (flipped[12_345] ?? 0) ^ 4
      const { live } = await createUpload(deps, ctx, wanted({ size: MiB, hash: rootOfBytes(content) }))
      const partHash = Buffer.from(blake3Hash(content)).toString('hex')
      await expect(put(live, 0, flipped, partHash)).rejects.toMatchObject({ code: 'UPLOAD_HASH_MISMATCH' })
      expect(live.ranges).toEqual([])
      await put(live, 0, flipped)
      await expect(completeUpload(deps, live, {})).rejects.toMatchObject({ code: 'UPLOAD_HASH_MISMATCH' })
      expect(live.ranges).toEqual([])
      await put(live, 0, content, partHash)
      expect((await completeUpload(deps, live, {})).hash).toBe(rootOfBytes(content))
    })

    it('goes on where a part was cut off', async () => {
      const content = bytes(MiB)
      const { live } = await createUpload(deps, ctx, wanted({ size: MiB }))
      async function* cut(): AsyncGenerator<Uint8Array, void, void> {
        yield* sourceOf(content.subarray(0, 700_000))
        throw new Error('the line went dead')
      }
      await expect(put(live, 0, content, undefined, cut())).rejects.toMatchObject({ code: 'UPLOAD_PART_INVALID' })
      expect(live.ranges).toEqual([[0, 700_000]])
      await put(live, 700_000, content.subarray(700_000))
      expect(await completeUpload(deps, live, {})).toMatchObject({ hash: rootOfBytes(content) })
      expect(read('a.bin').equals(content)).toBe(true)
    })

    it('resumes the same file after a restart, by parts what tus began and the other way round', async () => {
      const content = bytes(3 * MiB + 99)
      const begun = await createUpload(deps, ctx, wanted({ size: content.length, carrier: 'tus', lastModified: 5 }))
      const append = (live: LiveUpload, from: number, to: number) =>
        appendBytes(deps, live, {
          offset: from,
          length: to - from,
          check: undefined,
          source: sourceOf(content.subarray(from, to)),
          signal: ctx.signal,
        })
      await append(begun.live, 0, 1_500_000)
      intake.stop()
      deps = openDeps()
      const resumed = await createUpload(deps, ctx, wanted({ size: content.length, lastModified: 5 }))
      expect(resumed).toMatchObject({ resumed: true, live: { id: begun.live.id } })
      expect(resumed.live.ranges).toEqual([[0, 1_500_000]])
      await put(resumed.live, MiB, content.subarray(MiB, 2 * MiB))
      await append(resumed.live, 2 * MiB, content.length)
      expect((await completeUpload(deps, resumed.live, {})).hash).toBe(rootOfBytes(content))
      expect(read('a.bin').equals(content)).toBe(true)
    })

    it('does not resume another size, time, name or person', async () => {
      const { live } = await createUpload(deps, ctx, wanted({ size: 9, lastModified: 5 }))
      const bob = await createUser(users, { account: 'bob', email: '', password: 'Sunrise-42x' })
      const others = [
        createUpload(deps, ctx, wanted({ size: 8, lastModified: 5 })),
        createUpload(deps, ctx, wanted({ size: 9, lastModified: 6 })),
        createUpload(deps, ctx, wanted({ size: 9, lastModified: 5, filename: 'b.bin' })),
        createUpload(
          deps,
          { ...ctx, principal: await loadUser(world.database.db, bob, '') },
          wanted({ size: 9, lastModified: 5 }),
        ),
      ]
      for (const other of await Promise.all(others)) expect(other.live.id).not.toBe(live.id)
    })

    it('meets a taken name as the policy says', async () => {
      await upload(bytes(10))
      await expect(upload(bytes(11))).rejects.toMatchObject({ code: 'PATH_EXISTS' })
      expect(await upload(bytes(12), { conflict: 'keep-both' })).toMatchObject({ name: 'a (1).bin' })
      expect(await upload(bytes(13), { conflict: 'keep-both' })).toMatchObject({ name: 'a (2).bin' })
      expect(await upload(bytes(14), { conflict: 'skip' })).toMatchObject({ state: 'skipped', name: 'a.bin' })
      expect(await upload(bytes(15), { conflict: 'replace' })).toMatchObject({ name: 'a.bin', size: 15 })
      expect(read('a.bin').equals(bytes(15))).toBe(true)
      await expect(upload(bytes(16), { filename: 'A.BIN' })).rejects.toMatchObject({ code: 'NAME_CASE_CLASH' })
      expect((await usage()).usedBytes).toBe(15 + 12 + 13)
    })

    it('lets one of 20 uploads to the same name win, and keeps all with keep-both', async () => {
      const begun = await Promise.all(
        Array.from({ length: 20 }, () => createUpload(deps, ctx, wanted({ size: 3, resume: false }))),
      )
      await Promise.all(begun.map(({ live }) => putAll(live, bytes(3))))
      const ends = await Promise.allSettled(begun.map(({ live }) => completeUpload(deps, live, {})))
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await Promise.all(begun.map(({ live }) => completeUpload(deps, live, { conflict: 'keep-both' })))
      expect(fs.readdirSync(onDisk('.'))).toHaveLength(20)
    })

    it('makes folders on the way and refuses names that lead elsewhere', async () => {
      expect(await upload(bytes(4), { relativePath: 'x/y/z.txt' })).toMatchObject({ path: '/x/y/z.txt' })
      for (const relativePath of ['../out', 'x/../../out', 'x/./y', 'a//b', 'x\\y', 'nul', 'a\u0000b', '\ud800']) {
        await expect(upload(bytes(4), { relativePath })).rejects.toMatchObject({ code: 'NAME_INVALID' })
      }
      await expect(upload(bytes(4), { folder: '/missing' })).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
      await expect(upload(bytes(4), { folder: '/x/y/z.txt' })).rejects.toMatchObject({ code: 'PATH_IS_FILE' })
    })

    it('never passes the quota, however many ask at once', async () => {
      const principal = { ...ctx.principal, account: { ...ctx.principal.account, quotaBytes: 100 } }
      await world.database.db.updateTable('users').set({ quota_bytes: 100 }).where('id', '=', alice.id).execute()
      const tries = Array.from({ length: 50 }, (_, index) =>
        createUpload(deps, { ...ctx, principal }, wanted({ size: 9, filename: `${index}` })),
      )
      const ends = await Promise.allSettled(tries)
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(11)
      for (const end of ends) {
        if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'QUOTA_EXCEEDED' })
      }
      expect((await usage()).usedBytes).toBe(99)
      expect(hidden()).toHaveLength(11)
    })

    it('refuses a file above the size limit and sizes that are none', async () => {
      intake.stop()
      deps = openDeps({ maxBytes: 10 })
      await expect(upload(bytes(11))).rejects.toMatchObject({ code: 'UPLOAD_TOO_LARGE' })
      for (const size of [-1, 1.5, 2 ** 53, Number.NaN]) {
        await expect(createUpload(deps, ctx, wanted({ size }))).rejects.toMatchObject({ code: 'UPLOAD_SIZE_INVALID' })
      }
    })

    it('opens an upload to its grant and its owner alone', async () => {
      const { live, grant } = await createUpload(deps, ctx, wanted({ size: MiB }))
      const bob = await createUser(users, { account: 'bob', email: '', password: 'Sunrise-42x' })
      const as = (change: Partial<Ctx>) => openedUpload(deps, callerCtx(change), live.id)
      expect((await as({ bearer: grant })).live).toBe(live)
      expect((await as({ bearer: 's', principal: ctx.principal })).live).toBe(live)
      await expect(as({})).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      await expect(as({ bearer: 'guess' })).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      await expect(as({ bearer: 's', principal: await loadUser(world.database.db, bob, '') })).rejects.toMatchObject({
        code: 'UPLOAD_NOT_FOUND',
      })
      for (const id of ['../../etc/passwd', '%2e%2e', 'x'.repeat(32), '', '0'.repeat(32)]) {
        const tried = openedUpload(deps, callerCtx({ bearer: 's', principal: ctx.principal }), id)
        await expect(tried).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
      }
      const row = await uploadsStore.byId(world.database.db, live.id)
      expect(JSON.stringify(row)).not.toContain(grant)
    })

    it('stops running parts and takes back grants when the account is locked', async () => {
      const { live, grant } = await createUpload(deps, ctx, wanted({ size: MiB }))
      const { promise: never } = Promise.withResolvers<void>()
      async function* stalled(): AsyncGenerator<Uint8Array, void, void> {
        yield bytes(1000)
        await never
      }
      const running = put(live, 0, bytes(MiB), undefined, stalled())
      await setLocked(users, alice, true)
      await expect(running).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
      await expect(openedUpload(deps, callerCtx({ bearer: grant }), live.id)).rejects.toMatchObject({
        code: 'TOKEN_INVALID',
      })
    })

    it('takes back grants with a new password, also one that another process set', async () => {
      const { live, grant } = await createUpload(deps, ctx, wanted({ size: MiB }))
      const elsewhere = { ...users, bus: { publish: () => {}, subscribe: () => () => {} } }
      await setPassword(elsewhere, alice, 'Moonrise-43y')
      await expect(openedUpload(deps, callerCtx({ bearer: grant }), live.id)).rejects.toMatchObject({
        code: 'TOKEN_INVALID',
      })
    })

    it('lets the later of two writers of a part win', async () => {
      const content = bytes(MiB)
      const { live } = await createUpload(deps, ctx, wanted({ size: MiB }))
      const { promise: never } = Promise.withResolvers<void>()
      async function* stalled(): AsyncGenerator<Uint8Array, void, void> {
        yield content.subarray(0, 1000)
        await never
      }
      const first = put(live, 0, content, undefined, stalled())
      const second = put(live, 0, content)
      await expect(first).rejects.toMatchObject({ code: 'UPLOAD_BUSY' })
      expect((await second).ranges).toEqual([[0, MiB]])
    })

    it('expires what nobody went on with', async () => {
      const { live } = await createUpload(deps, ctx, wanted({ size: MiB }))
      world.clock.advance(25 * HOUR)
      const tried = openedUpload(deps, callerCtx({ bearer: 's', principal: ctx.principal }), live.id)
      await expect(tried).rejects.toMatchObject({ code: 'UPLOAD_EXPIRED' })
      await sweepExpired(deps)
      expect(hidden()).toEqual([])
      expect((await usage()).usedBytes).toBe(0)
      expect(await uploadsStore.byId(world.database.db, live.id)).toBeUndefined()
    })

    it('finishes after a crash between the file and its booking', async () => {
      const content = bytes(MiB)
      const { live } = await createUpload(deps, ctx, wanted({ size: MiB, hash: rootOfBytes(content) }))
      await put(live, 0, content)
      const { outbox } = deps
      const crashing = { ...deps, outbox: { ...outbox, add: () => Promise.reject(new Error('power cut')) } }
      await expect(completeUpload(crashing, live, {})).rejects.toThrow('power cut')
      expect(read('a.bin').equals(content)).toBe(true)
      intake.stop()
      deps = openDeps()
      expect(await recoverUploads(deps)).toBe(1)
      const after = await deps.live.get(live.id)
      expect(after?.state).toBe('completed')
      expect((await usage()).usedBytes).toBe(MiB)
      const events = await world.database.db.selectFrom('outbox').selectAll().execute()
      expect(events.map(({ type }) => type)).toEqual(['file.committed'])
    })

    it('takes a step back after a crash before the file, when the name was taken meanwhile', async () => {
      const { live } = await createUpload(deps, ctx, wanted({ size: 3 }))
      await putAll(live, bytes(3))
      const step = { key: live.stored.key, path: '/a.bin', onConflict: 'fail', size: 3, replacedBytes: 0, hash: '' }
      const change = { state: 'processing', publishing: JSON.stringify(step) }
      await uploadsStore.change(world.database.db, live.id, ['open'], change)
      fs.writeFileSync(onDisk('a.bin'), 'someone else')
      intake.stop()
      deps = openDeps()
      await recoverUploads(deps)
      expect((await deps.live.get(live.id))?.state).toBe('open')
      expect(read('a.bin').toString()).toBe('someone else')
    })

    const frame = (relativePath: string, content: Buffer, more: object = {}) => {
      const header = Buffer.from(JSON.stringify({ relativePath, size: content.length, ...more }))
      const length = Buffer.alloc(4)
      length.writeUInt32BE(header.length)
      return Buffer.concat([length, header, content])
    }
    const pack = (body: Buffer) => ({
      ...{ spaceId: 1, groupId: 0, folder: '/', source: sourceOf(body, 7) },
      ...{ length: body.length, signal: ctx.signal },
    })

    it('keeps a fault of one folder to its files of the pack; where nothing was stored it is the fault of all', async () => {
      const { indexes } = deps.files
      const of = indexes.of.bind(indexes)
      vi.spyOn(indexes, 'of').mockImplementation((folder) =>
        folder.key.endsWith('broken') ? Promise.reject(new AppError('STORAGE_UNREACHABLE')) : of(folder),
      )
      const broken = frame('broken/one.txt', Buffer.from('one'))
      const results = await receivePack(
        deps,
        ctx,
        pack(Buffer.concat([broken, frame('whole/two.txt', Buffer.from('two'))])),
      )
      expect(results.map(({ state, code }) => [state, code])).toEqual([
        ['failed', 4011],
        ['completed', 200],
      ])
      expect(read('whole/two.txt').toString()).toBe('two')
      await expect(receivePack(deps, ctx, pack(broken))).rejects.toMatchObject({ code: 'STORAGE_UNREACHABLE' })
    })

    it('keeps a fault of the booking to the files it was about, and holds no space for them', async () => {
      await upload(bytes(5), { filename: 'old.txt' })
      const before = await deps.quotas.usageOf(ctx.principal.id)
      const addAll = deps.outbox.addAll.bind(deps.outbox)
      let bookings = 0
      vi.spyOn(deps.outbox, 'addAll').mockImplementation((...events) =>
        ++bookings === 2 ? Promise.reject(new AppError('STORAGE_UNREACHABLE')) : addAll(...events),
      )
      const body = Buffer.concat([
        frame('new.txt', Buffer.from('new')),
        frame('old.txt', Buffer.from('newer'), { conflict: 'replace' }),
      ])
      const results = await receivePack(deps, ctx, pack(body))
      expect(results.map(({ state, code }) => [state, code])).toEqual([
        ['completed', 200],
        ['failed', 4011],
      ])
      expect((await deps.quotas.usageOf(ctx.principal.id)).usedBytes).toBe(before.usedBytes + 3)
    })

    it('commits or refuses each file of a pack by itself', async () => {
      await upload(bytes(5), { filename: 'taken.txt' })
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
      const results = await receivePack(deps, ctx, pack(body))
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
      expect(read('deep/two.txt').toString()).toBe('two')
      expect((await usage()).usedBytes).toBe(5 + 3 + 3 + 3)
      expect(hidden()).toEqual([])
    })
  })
}
