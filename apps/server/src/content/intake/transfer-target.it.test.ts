import { LEAF_BYTES, MiB } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { treeHash } from '@godwit/transfer/endpoints'
import { targetSuite, type TargetFixture } from '@godwit/transfer/testing'
import { setPassword } from '../../identity/users/index.ts'
import { hashToken } from '../../kernel/crypto/index.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { DATABASES, openWorld, type World } from '../../testing/worlds.ts'
import { find, within, type Location } from '../access/index.ts'
import type { WantedUpload } from './intake.creation.ts'
import { checkRunning } from './intake.jobs.ts'
import { bytes, IntakeSite } from './testing/intake-site.ts'
import { dropTransferParts, taskMark } from './transfer-parts.ts'
import { openTransferTarget } from './transfer-target.ts'

async function worldOnBucket(): Promise<World> {
  const world = await openWorld()
  await keepFilesInBucket({ GODWIT_DATA: world.folder })
  return world
}

const SITES = [
  ...DATABASES.map(
    ({ dialect, open }) =>
      ({
        name: `a folder of a local storage, on ${dialect},`,
        open,
        times: 'given',
        resumes: 'leaves',
      }) as const,
  ),
  { name: 'a folder of a bucket', open: worldOnBucket, times: 'own', resumes: 'parts' } as const,
]

for (const { name, open, times, resumes } of SITES) {
  let site: IntakeSite
  beforeAll(async () => {
    site = await IntakeSite.open(await open())
  }, 60_000)
  afterAll(async () => site[Symbol.asyncDispose]())

  const fixture = async (): Promise<TargetFixture> => {
    await site.nextAccount()
    const root = await site.deps.files.access.open(site.ctx, { kind: 'personal', spaceId: 1 }, '/', 'list')
    await root.store.ensureFolder(root.key)
    return {
      times,
      // A leaf alone is not durable in a bucket, so nothing of it is left to others.
      ...(resumes === 'leaves' ? { tasks: 'shared' as const } : {}),
      target() {
        site.restart()
        return openTransferTarget(site.deps, site.ctx, { spaceId: 1, groupId: 0, folder: '/' })
      },
      async file(path) {
        const found = await find(path.split('/').reduce(within, root))
        if (found?.entry.kind !== 'file') return undefined
        return { bytes: await bytesAt(found.location), mtimeMs: found.entry.modifiedMs }
      },
      isFolder: async (path) => (await find(path.split('/').reduce(within, root)))?.entry.kind === 'folder',
      async put(path, content, modifiedMs) {
        await root.store.writeFiles([{ key: `${root.key}/${path}`, content, modifiedMs }], { conflict: 'replace' })
      },
      async leftovers() {
        const rows = await site.intake.unfinishedOf(site.alice.id)
        return [...rows.map(({ row }) => row.path), ...site.hidden()]
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  }
  targetSuite(name, fixture, resumes)

  describe(`what is begun in ${name}`, () => {
    const mtimeMs = 1_700_000_000_000
    const content = bytes(16 * MiB + 77)
    const size = content.length
    const begin = (change: Partial<WantedUpload> = {}) =>
      site.create({ filename: 'film.mov', size, lastModified: mtimeMs, ...change })
    const open = async (task: number) => {
      site.restart()
      const target = await openTransferTarget(site.deps, site.ctx, { spaceId: 1, groupId: 0, folder: '/' })
      return { target, state: await target.open({ taskId: new Uint8Array(16).fill(task), hash: 'blake3' }) }
    }
    const leaf = (index: number) => {
      const bytesOf = content.subarray(index * LEAF_BYTES, (index + 1) * LEAF_BYTES)
      const block = new Uint8Array(new SharedArrayBuffer(bytesOf.length))
      block.set(bytesOf)
      const span = { fileOffset: index * LEAF_BYTES, length: block.length, blockOffset: 0 }
      const file = { file: 0, path: 'film.mov', size, mtimeMs, mode: 0o640 }
      return { block, spans: [{ ...file, ...span, leaf: treeHash('blake3').leaf(block) }] }
    }
    const rows = () =>
      site.world.database.db
        .selectFrom('uploads')
        .selectAll()
        .where('user_id', '=', site.alice.id)
        .where('state', '=', 'open')
        .execute()
    const last = Math.floor(size / LEAF_BYTES)

    it('is gone on with by a client at the same byte, and ended by the browser', async () => {
      await fixture()
      const { live } = await begin()
      const { part_size: part } = live.row
      const sent = Math.ceil(LEAF_BYTES / part) * part
      for (let at = 0; at < sent; at += part) await site.put(live, at, content.subarray(at, at + part))
      const { target, state } = await open(1)
      const leaves = Array.from({ length: Math.floor(sent / LEAF_BYTES) }, (_, at) => at)
      expect(state).toMatchObject({ isResumed: true, files: [{ path: 'film.mov', size, mtimeMs, leaves }] })
      // One more part of it, whole.
      const more = Array.from({ length: Math.ceil(part / LEAF_BYTES) }, (_, at) => leaves.length + at)
      for (const index of more) await target.write(leaf(index))
      await target.close('interrupted')
      expect((await open(1)).state.files).toMatchObject([{ path: 'film.mov', leaves: [...leaves, ...more] }])
      expect(await rows()).toHaveLength(1)
      // The browser comes back with the same file.
      const back = await begin()
      expect(back).toMatchObject({ resumed: true, live: { id: live.id } })
      for (const { start, end } of back.live.durable.missing(0, size))
        for (let at = start; at < end; at += part)
          await site.put(back.live, at, content.subarray(at, Math.min(at + part, size)))
      await site.intake.complete(back.live, {})
      const root = await site.deps.files.access.open(site.ctx, { kind: 'personal', spaceId: 1 }, '/', 'list')
      const found = await find(within(root, 'film.mov'))
      expect(found && content.equals(await bytesAt(found.location))).toBe(true)
    })

    it('is given up by two at once', async () => {
      await fixture()
      const metadata = taskMark('ab')
      for (const filename of ['one.mov', 'two.mov']) await begin({ filename, carrier: 'transfer', metadata })
      const giveUp = () => dropTransferParts(site.deps, site.alice.id, 'ab')
      await Promise.all([giveUp(), giveUp()])
      expect(await rows()).toEqual([])
    })

    it('is ended by the client', async () => {
      await fixture()
      const { live } = await begin()
      await site.put(live, 0, content.subarray(0, live.row.part_size))
      const { target, state } = await open(2)
      const kept = new Set(state.files[0]?.leaves)
      for (let index = 0; index <= last; index++) if (!kept.has(index)) await target.write(leaf(index))
      expect(await target.commit()).toMatchObject({ committed: 1, failed: [] })
      await target.close('complete')
      expect(await rows()).toEqual([])
      const root = await site.deps.files.access.open(site.ctx, { kind: 'personal', spaceId: 1 }, '/', 'list')
      const found = await find(within(root, 'film.mov'))
      expect(found && content.equals(await bytesAt(found.location))).toBe(true)
    })

    it('is taken in its latest version', async () => {
      await fixture()
      const older = await begin()
      await site.put(older.live, 0, content.subarray(0, older.live.row.part_size))
      site.world.clock.advance(1000)
      const newer = await begin({ lastModified: mtimeMs + 1000 })
      await site.put(newer.live, 0, content.subarray(0, newer.live.row.part_size))
      expect((await open(4)).state.files).toMatchObject([{ path: 'film.mov', mtimeMs: mtimeMs + 1000 }])
    })

    it('stays where it may not be written any more, and the rest goes on', async () => {
      await fixture()
      for (const relativePath of ['drafts/film.mov', 'film.mov']) {
        const { live } = await begin({ filename: '', relativePath })
        await site.put(live, 0, content.subarray(0, live.row.part_size))
      }
      site.forbid(['/drafts'])
      expect((await open(5)).state.files).toMatchObject([{ path: 'film.mov' }])
      expect(await rows()).toHaveLength(2)
    })

    it('by the client of one computer is gone on with by that of another, and by the first again', async () => {
      await fixture()
      const first = await open(7)
      const written = Array.from({ length: last / 2 }, (_, at) => at)
      for (const index of written) await first.target.write(leaf(index))
      // Two that send the same file at once would take it from each other.
      const meanwhile = await openTransferTarget(site.deps, site.ctx, { spaceId: 1, groupId: 0, folder: '/' })
      expect((await meanwhile.open({ taskId: new Uint8Array(16).fill(8), hash: 'blake3' })).files).toEqual([])
      await meanwhile.close('interrupted')
      await first.target.close('interrupted')

      const second = await open(8)
      const stored = second.state.files[0]?.leaves ?? []
      expect(second.state.files).toMatchObject([{ path: 'film.mov', size, mtimeMs }])
      // Where parts have more than one leaf, only whole ones are durable.
      expect(written).toEqual(expect.arrayContaining([...stored]))
      for (let index = 0; index < last; index++) if (!stored.includes(index)) await second.target.write(leaf(index))
      await second.target.close('interrupted')
      expect(await rows()).toHaveLength(1)

      const back = await open(7)
      const kept = new Set(back.state.files[0]?.leaves)
      expect(kept.size).toBeGreaterThanOrEqual(stored.length)
      for (let index = 0; index <= last; index++) if (!kept.has(index)) await back.target.write(leaf(index))
      expect(await back.target.commit()).toMatchObject({ committed: 1, failed: [] })
      await back.target.close('complete')
      expect(await rows()).toEqual([])
      const root = await site.deps.files.access.open(site.ctx, { kind: 'personal', spaceId: 1 }, '/', 'list')
      const found = await find(within(root, 'film.mov'))
      expect(found && content.equals(await bytesAt(found.location))).toBe(true)
    })

    it.each(['the same client', 'another one'])('goes on by %s after a new password', async (who) => {
      await fixture()
      const first = await open(9)
      for (let index = 0; index < last; index += 2) await first.target.write(leaf(index))
      for (let index = 1; index < last / 2; index += 2) await first.target.write(leaf(index))
      await first.target.close('interrupted')
      await setPassword(site.users, site.alice, 'Moonlight-77y')
      const { target, state } = await open(who === 'another one' ? 10 : 9)
      const kept = new Set(state.files[0]?.leaves)
      const missing = Array.from({ length: last + 1 }, (_, at) => at).filter((index) => !kept.has(index))
      const page = await begin({ filename: 'page.mov' })
      for (const [at, index] of missing.entries()) {
        expect(await target.write(leaf(index))).toMatchObject({ failed: [] })
        if (at === 0) await checkRunning(site.deps)
      }
      expect(await target.commit()).toMatchObject({ committed: 1, failed: [] })
      await target.close('complete')
      // Nor does it end what a page of the new session sends.
      expect(await rows()).toMatchObject([{ id: page.live.id, grant_hash: page.live.row.grant_hash }])
      expect(page.live.row.grant_hash).not.toBeNull()
    })

    it('keeps the grant of the page that began it, unless that is of an older password', async () => {
      await fixture()
      const { live } = await begin()
      const { part_size: part, grant_hash: grant } = live.row
      for (let at = 0; at < 4 * LEAF_BYTES; at += part) await site.put(live, at, content.subarray(at, at + part))
      const goOn = async () => {
        const { target, state } = await open(11)
        await target.write(leaf(state.files[0]?.leaves.length ?? 0))
        await target.close('interrupted')
        return rows()
      }
      expect(await goOn()).toMatchObject([{ id: live.id, grant_hash: grant }])
      // By another process, such as the command line.
      const { db } = site.world.database
      await db.updateTable('users').set({ password_hash: 'another' }).where('id', '=', site.alice.id).execute()
      expect(await goOn()).toMatchObject([{ id: live.id, grant_hash: null, grant_stamp: hashToken('another') }])
    })

    it('stays as it is where nothing of it came, or somebody else began it', async () => {
      await fixture()
      await begin()
      expect((await open(3)).state).toMatchObject({ isResumed: false, files: [] })
      const { live } = await begin({ lastModified: mtimeMs + 1000 })
      await site.put(live, 0, content.subarray(0, live.row.part_size))
      await site.nextAccount()
      expect((await open(3)).state.files).toEqual([])
    })
  })
}

async function bytesAt({ store, key }: Location): Promise<Uint8Array> {
  await using reader = await store.openRead(key)
  const chunks: Buffer[] = []
  for await (const chunk of reader.stream()) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
