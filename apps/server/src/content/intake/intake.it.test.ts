import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { MiB } from '@godwit/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { holderOf } from '../quotas/index.ts'
import { loadUser } from '../../identity/principals/index.ts'
import { createUser } from '../../identity/users/index.ts'
import { callerCtx, DATABASES } from '../../testing/worlds.ts'
import { appendBytes } from './intake.append.ts'
import { completeUpload } from './intake.completion.ts'
import { createUpload } from './intake.creation.ts'
import { openedUpload } from './intake.grants.ts'
import { limitIdle } from './idle-uploads.ts'
import { sweepExpired } from './intake.jobs.ts'
import { reconcile } from './intake.reconciliation.ts'
import { abortUpload } from './intake.transitions.ts'
import { uploadsStore } from './intake.store.ts'
import { blake3Hash, rootOfBytes } from '../tree-hashes/index.ts'
import type { LiveUpload } from './live-uploads.ts'
import { arrivedBytes } from './reservations.ts'
import { bytes, HOUR, IntakeSite, sourceOf } from './testing/intake-site.ts'

const DAY = 24 * HOUR

for (const { dialect, open } of DATABASES) {
  describe(`the intake on ${dialect}`, () => {
    let site: IntakeSite

    beforeAll(async () => {
      site = await IntakeSite.open(await open())
    })
    beforeEach(async () => site.nextAccount())
    afterAll(async () => site[Symbol.asyncDispose]())

    it('stores files of 0, 1, part - 1, part, part + 1 and many bytes with equal hashes', async () => {
      for (const size of [0, 1, MiB - 1, MiB, MiB + 1, 3 * MiB + 7]) {
        const content = bytes(size)
        const sha256 = createHash('sha256').update(content).digest('hex')
        const result = await site.upload(content, { filename: `${size}.bin`, hash: rootOfBytes(content), sha256 })
        expect(result).toMatchObject({ state: 'completed', size, hash: rootOfBytes(content), sha256 })
        expect(site.read(`${size}.bin`).equals(content)).toBe(true)
      }
      expect(site.hidden()).toEqual([])
      expect(await site.usedBytes()).toBe(1 + MiB - 1 + MiB + MiB + 1 + 3 * MiB + 7)
    })

    it('shows nothing before completion and gives back everything on abort', async () => {
      const { live } = await site.create({ size: 2 * MiB })
      await site.put(live, 0, bytes(MiB))
      expect(fs.existsSync(site.onDisk('a.bin'))).toBe(false)
      expect(await site.usedBytes()).toBe(2 * MiB)
      const shown = async () => (await site.deps.quotas.shownUsageOf(site.alice.id)).usedBytes
      site.deps.quotas.countArrived((bucket) => arrivedBytes(site.world.database.db, holderOf(bucket)))
      expect(await shown()).toBe(MiB)
      await abortUpload(site.deps, live)
      expect(site.hidden()).toEqual([])
      expect(await site.usedBytes()).toBe(0)
      expect(await shown()).toBe(0)
      await expect(completeUpload(site.deps, live, {})).rejects.toMatchObject({ code: 'UPLOAD_NOT_FOUND' })
    })

    it('answers a completion the same however often it is asked', async () => {
      const content = bytes(MiB + 5)
      const { live } = await site.create({ size: content.length })
      await site.putAll(live, content)
      const answers = await Promise.all([completeUpload(site.deps, live, {}), completeUpload(site.deps, live, {})])
      expect(answers[0]).toEqual(answers[1])
      expect(await completeUpload(site.deps, live, {})).toEqual(answers[0])
      const later = site.openDeps()
      const again = await later.live.get(live.id)
      expect(again && (await completeUpload(later, again, {}))).toEqual(answers[0])
      expect(await site.usedBytes()).toBe(content.length)
    })

    it('names the gaps of an upload that is not whole', async () => {
      const { live } = await site.create({ size: 3 * MiB })
      await site.put(live, MiB, bytes(MiB))
      await expect(completeUpload(site.deps, live, {})).rejects.toMatchObject({
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
      const { live } = await site.create({ size: 2 * MiB })
      for (const [offset, length] of [
        [5, MiB],
        [0, MiB + 1],
        [0, MiB - 1],
        [2 * MiB, MiB],
        [-1, 1],
      ] as const) {
        await expect(site.put(live, offset, bytes(length))).rejects.toMatchObject({ code: 'UPLOAD_PART_INVALID' })
      }
      // The announced length is right, what comes is not.
      await expect(site.put(live, 0, bytes(MiB), { source: sourceOf(bytes(MiB + 1)) })).rejects.toMatchObject({
        code: 'UPLOAD_PART_INVALID',
      })
      expect(live.ranges.every(([, end]) => end <= MiB)).toBe(true)
    })

    it('takes the same part again without writing it, and finds a part that differs', async () => {
      const content = bytes(2 * MiB)
      const { live } = await site.create({ size: content.length })
      await site.putAll(live, content)
      const first = await site.put(live, 0, content.subarray(0, MiB))
      expect(first.ranges).toEqual([[0, 2 * MiB]])
      const other = Buffer.from(content.subarray(0, MiB))
      other[77] = (other[77] ?? 0) ^ 1
      await expect(site.put(live, 0, other)).rejects.toMatchObject({ code: 'UPLOAD_HASH_MISMATCH' })
      expect(live.ranges).toEqual([[MiB, 2 * MiB]])
      await site.put(live, 0, content.subarray(0, MiB))
      expect((await completeUpload(site.deps, live, {})).hash).toBe(rootOfBytes(content))
    })

    it('finds a bit that flipped on the way by the hash of the part, and by the root', async () => {
      const content = bytes(MiB)
      const flipped = Buffer.from(content)
      flipped[12_345] = (flipped[12_345] ?? 0) ^ 4
      const { live } = await site.create({ size: MiB, hash: rootOfBytes(content) })
      const partHash = Buffer.from(blake3Hash(content)).toString('hex')
      await expect(site.put(live, 0, flipped, { partHash })).rejects.toMatchObject({ code: 'UPLOAD_HASH_MISMATCH' })
      expect(live.ranges).toEqual([])
      await site.put(live, 0, flipped)
      await expect(completeUpload(site.deps, live, {})).rejects.toMatchObject({ code: 'UPLOAD_HASH_MISMATCH' })
      expect(live.ranges).toEqual([])
      await site.put(live, 0, content, { partHash })
      expect((await completeUpload(site.deps, live, {})).hash).toBe(rootOfBytes(content))
    })

    it('goes on where a part was cut off', async () => {
      const content = bytes(MiB)
      const { live } = await site.create({ size: MiB })
      async function* cut(): AsyncGenerator<Uint8Array, void, void> {
        yield* sourceOf(content.subarray(0, 700_000))
        throw new Error('the line went dead')
      }
      await expect(site.put(live, 0, content, { source: cut() })).rejects.toMatchObject({ code: 'UPLOAD_PART_INVALID' })
      expect(live.ranges).toEqual([[0, 700_000]])
      await site.put(live, 700_000, content.subarray(700_000))
      expect(await completeUpload(site.deps, live, {})).toMatchObject({ hash: rootOfBytes(content) })
      expect(site.read('a.bin').equals(content)).toBe(true)
    })

    it('resumes the same file after a restart, by parts what tus began and the other way round', async () => {
      const content = bytes(3 * MiB + 99)
      const begun = await site.create({ size: content.length, carrier: 'tus', lastModified: 5 })
      const append = (live: LiveUpload, from: number, to: number) =>
        appendBytes(site.deps, live, {
          offset: from,
          length: to - from,
          check: undefined,
          source: sourceOf(content.subarray(from, to)),
          signal: site.ctx.signal,
        })
      await append(begun.live, 0, 1_500_000)
      site.restart()
      const resumed = await site.create({ size: content.length, lastModified: 5 })
      expect(resumed).toMatchObject({ resumed: true, live: { id: begun.live.id } })
      expect(resumed.live.ranges).toEqual([[0, 1_500_000]])
      await site.put(resumed.live, MiB, content.subarray(MiB, 2 * MiB))
      await append(resumed.live, 2 * MiB, content.length)
      expect((await completeUpload(site.deps, resumed.live, {})).hash).toBe(rootOfBytes(content))
      expect(site.read('a.bin').equals(content)).toBe(true)
    })

    it('does not resume another size, time, name or person', async () => {
      const { live } = await site.create({ size: 9, lastModified: 5 })
      const bob = await createUser(site.users, {
        account: site.alice.account.replace('alice', 'bob'),
        email: '',
        password: 'Sunrise-42x',
      })
      const others = [
        site.create({ size: 8, lastModified: 5 }),
        site.create({ size: 9, lastModified: 6 }),
        site.create({ size: 9, lastModified: 5, filename: 'b.bin' }),
        createUpload(
          site.deps,
          { ...site.ctx, principal: await loadUser(site.world.database.db, bob, '') },
          site.wanted({ size: 9, lastModified: 5 }),
        ),
      ]
      for (const other of await Promise.all(others)) expect(other.live.id).not.toBe(live.id)
    })

    it('meets a taken name as the policy says', async () => {
      await site.upload(bytes(10))
      await expect(site.upload(bytes(11))).rejects.toMatchObject({ code: 'PATH_EXISTS' })
      expect(await site.upload(bytes(12), { conflict: 'keep-both' })).toMatchObject({ name: 'a (1).bin' })
      expect(await site.upload(bytes(13), { conflict: 'keep-both' })).toMatchObject({ name: 'a (2).bin' })
      expect(await site.upload(bytes(14), { conflict: 'skip' })).toMatchObject({ state: 'skipped', name: 'a.bin' })
      expect(await site.upload(bytes(15), { conflict: 'replace' })).toMatchObject({ name: 'a.bin', size: 15 })
      expect(site.read('a.bin').equals(bytes(15))).toBe(true)
      await expect(site.upload(bytes(16), { filename: 'A.BIN' })).rejects.toMatchObject({ code: 'NAME_CASE_CLASH' })
      expect(await site.usedBytes()).toBe(15 + 12 + 13)
    })

    it('lets one of 20 uploads to the same name win, and keeps all with keep-both', async () => {
      const begun = await Promise.all(Array.from({ length: 20 }, () => site.create({ size: 3, resume: false })))
      await Promise.all(begun.map(({ live }) => site.putAll(live, bytes(3))))
      const ends = await Promise.allSettled(begun.map(({ live }) => completeUpload(site.deps, live, {})))
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      await Promise.all(begun.map(({ live }) => completeUpload(site.deps, live, { conflict: 'keep-both' })))
      expect(fs.readdirSync(site.onDisk('.'))).toHaveLength(20)
    })

    it('makes folders on the way and refuses names that lead elsewhere', async () => {
      expect(await site.upload(bytes(4), { relativePath: 'x/y/z.txt' })).toMatchObject({ path: '/x/y/z.txt' })
      for (const relativePath of ['../out', 'x/../../out', 'x/./y', 'a//b', 'x\\y', 'nul', 'a\u0000b', '\ud800']) {
        await expect(site.upload(bytes(4), { relativePath })).rejects.toMatchObject({ code: 'NAME_INVALID' })
      }
      await expect(site.upload(bytes(4), { folder: '/missing' })).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
      await expect(site.upload(bytes(4), { folder: '/x/y/z.txt' })).rejects.toMatchObject({ code: 'PATH_IS_FILE' })
    })

    it('never passes the quota, however many ask at once', async () => {
      const principal = { ...site.ctx.principal, account: { ...site.ctx.principal.account, quotaBytes: 100 } }
      await site.world.database.db
        .updateTable('users')
        .set({ quota_bytes: 100 })
        .where('id', '=', site.alice.id)
        .execute()
      const tries = Array.from({ length: 50 }, (_, index) =>
        createUpload(site.deps, { ...site.ctx, principal }, site.wanted({ size: 9, filename: `${index}` })),
      )
      const ends = await Promise.allSettled(tries)
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(11)
      for (const end of ends) {
        if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'QUOTA_EXCEEDED' })
      }
      expect(await site.usedBytes()).toBe(99)
      expect(site.hidden()).toHaveLength(11)
    })

    it('refuses a file above the size limit and sizes that are none', async () => {
      site.restart({ maxBytes: 10 })
      await expect(site.upload(bytes(11))).rejects.toMatchObject({ code: 'UPLOAD_TOO_LARGE' })
      for (const size of [-1, 1.5, 2 ** 53, Number.NaN]) {
        await expect(site.create({ size })).rejects.toMatchObject({ code: 'UPLOAD_SIZE_INVALID' })
      }
    })

    it('lets the later of two writers of a part win', async () => {
      const content = bytes(MiB)
      const { live } = await site.create({ size: MiB })
      const { promise: never } = Promise.withResolvers<void>()
      async function* stalled(): AsyncGenerator<Uint8Array, void, void> {
        yield content.subarray(0, 1000)
        await never
      }
      const first = site.put(live, 0, content, { source: stalled() })
      const second = site.put(live, 0, content)
      await expect(first).rejects.toMatchObject({ code: 'UPLOAD_BUSY' })
      expect((await second).ranges).toEqual([[0, MiB]])
    })

    it('expires what nobody went on with', async () => {
      const { live } = await site.create({ size: MiB })
      site.world.clock.advance(25 * HOUR)
      const tried = openedUpload(site.deps, callerCtx({ bearer: 's', principal: site.ctx.principal }), live.id)
      await expect(tried).rejects.toMatchObject({ code: 'UPLOAD_EXPIRED' })
      await sweepExpired(site.deps)
      expect(site.hidden()).toEqual([])
      expect(await site.usedBytes()).toBe(0)
      expect(await uploadsStore.byId(site.world.database.db, live.id)).toBeUndefined()
    })

    it('closes what nobody sends to for the days of the setting, and frees its bytes', async () => {
      site.restart({ grantMs: 7 * DAY })
      const content = bytes(3 * MiB)
      const { live: idle } = await site.create({ size: 3 * MiB, filename: 'idle.bin' })
      const { live: busy } = await site.create({ size: 3 * MiB, filename: 'busy.bin' })
      const after = async (ms: number, part?: number): Promise<void> => {
        site.world.clock.advance(ms)
        if (part !== undefined) await site.put(busy, part * MiB, content.subarray(part * MiB, (part + 1) * MiB))
        await limitIdle(site.deps, 2)
        await sweepExpired(site.deps)
      }
      const isOpen = async ({ id }: { readonly id: string }) =>
        (await uploadsStore.byId(site.world.database.db, id))?.state === 'open'
      await limitIdle(site.deps, 0)
      await after(0, 0)
      await after(1.5 * DAY, 1)
      expect([await isOpen(idle), await isOpen(busy)]).toEqual([true, true])
      await after(DAY)
      expect([await isOpen(idle), await isOpen(busy)]).toEqual([false, true])
      await after(DAY / 4, 2)
      await after(1.9 * DAY)
      expect(await isOpen(busy)).toBe(true)
      await after(DAY)
      expect(await isOpen(busy)).toBe(false)
      expect(await site.usedBytes()).toBe(0)
      expect(site.hidden()).toEqual([])
    })

    it('finishes after a crash between the file and its booking', async () => {
      const content = bytes(MiB)
      const { live } = await site.create({ size: MiB, hash: rootOfBytes(content) })
      await site.put(live, 0, content)
      const { outbox } = site.deps
      const crashing = { ...site.deps, outbox: { ...outbox, addAll: () => Promise.reject(new Error('power cut')) } }
      await expect(completeUpload(crashing, live, {})).rejects.toThrow('power cut')
      expect(site.read('a.bin').equals(content)).toBe(true)
      site.restart()
      expect(await reconcile(site.deps)).toBe(1)
      const after = await site.deps.live.get(live.id)
      expect(after?.state).toBe('completed')
      expect(await site.usedBytes()).toBe(MiB)
      const rows = await site.world.database.db.selectFrom('outbox').selectAll().execute()
      const events = rows.filter(({ payload }) => payload.includes(site.alice.id))
      expect(events.map(({ type }) => type)).toEqual(['file.committed'])
    })

    it('takes a step back after a crash before the file, when the name was taken meanwhile', async () => {
      const { live } = await site.create({ size: 3 })
      await site.putAll(live, bytes(3))
      const step = { key: live.stored.key, path: '/a.bin', onConflict: 'fail', size: 3, replacedBytes: 0, hash: '' }
      const change = { state: 'processing', publishing: JSON.stringify(step) }
      await uploadsStore.change(site.world.database.db, live.id, { states: ['open'] }, change)
      fs.writeFileSync(site.onDisk('a.bin'), 'someone else')
      site.restart()
      await reconcile(site.deps)
      expect((await site.deps.live.get(live.id))?.state).toBe('open')
      expect(site.read('a.bin').toString()).toBe('someone else')
    })
  })
}
