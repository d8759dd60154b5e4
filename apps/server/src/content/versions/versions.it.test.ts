import { StorageError, type ObjectStore } from '@godwit/storage'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { MiB } from '@godwit/base'
import type { OperationReply } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { createUser } from '../../identity/users/index.ts'
import { loadUser } from '../../identity/principals/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { callerCtx, openWorld } from '../../testing/worlds.ts'
import { placeOf } from '../access/index.ts'
import { reconcile } from '../intake/intake.reconciliation.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { hashAt } from '../quotas/index.ts'
import { JobSite } from '../recycle/testing/job-site.ts'
import { PackMemory } from '../uploads/pack-memory.ts'
import { receivePack } from '../uploads/packs.service.ts'
import { reconcileUsage } from '../usage/index.ts'
import { usageOf } from './usage.ts'
import { versionPlaces } from './version-place.ts'
import { listVersions, removeVersions, restoreVersion } from './versions.service.ts'
import { bookRevert, dropOldest, finishRemovals, type VersionsDeps } from './versions.upkeep.ts'

const PLACE = { spaceId: 1, groupId: 0 }
const FILE = { ...PLACE, path: '/a.bin' }
const WORLDS = [
  { name: 'sqlite and a local storage', isBucket: false, url: () => Promise.resolve(undefined) },
  { name: 'mysql and a local storage', isBucket: false, url: mariadbUrl },
  { name: 'sqlite and a bucket', isBucket: true, url: () => Promise.resolve(undefined) },
]

describe.each(WORLDS)('versions of files on $name', ({ isBucket, url }) => {
  let site: JobSite
  let bucket: TemporaryBucket | undefined
  let deps: VersionsDeps
  let ctx: UserCtx
  let store: ObjectStore

  beforeAll(async () => {
    const world = await openWorld(await url())
    bucket = isBucket ? await keepFilesInBucket({ GODWIT_DATA: world.folder }) : undefined
    site = await JobSite.open(world)
    const keep = { name: 'versions.keep', scope: 'site', scope_id: '', value: '2' } as const
    await world.database.db.insertInto('setting_values').values(keep).execute()
  }, 60_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await bucket?.store[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    await site.nextAccount()
    await reopen()
  })
  afterEach(() => vi.restoreAllMocks())

  /** As a process that knows nothing but what the database and the storage hold. */
  const reopen = async (): Promise<void> => {
    await site.restart()
    const { files, quotas, db, clock, log } = site.intake.deps
    deps = { files, quotas, db, clock, log }
    files.access.place('version', versionPlaces(db))
    files.steps.onBook('revert', bookRevert(deps))
    ctx = site.intake.ctx
    ;({ store } = await files.access.open(ctx, placeOf(PLACE), '/', 'list'))
  }
  const upload = async (size: number, path = 'a.bin') => {
    site.intake.world.clock.advance(5)
    await site.intake.upload(bytes(size, size), { relativePath: path, conflict: 'replace' })
  }
  const versions = async (path = '/a.bin') => (await listVersions(deps, ctx, { ...PLACE, path })).items
  const sizes = async (path = '/a.bin') => (await versions(path)).map(({ size }) => size)
  const keyOf = (path: string) => `${site.intake.alice.home}${path}`
  const content = async (key: string): Promise<Buffer> => {
    await using reader = await store.openRead(key)
    const parts: Buffer[] = []
    for await (const chunk of reader.stream()) parts.push(Buffer.from(chunk))
    return Buffer.concat(parts)
  }
  const run = async (name: string, input: object) => {
    await site.call(name, input)
    expect(await site.runJobs()).toEqual([])
  }
  const binned = async () => {
    const { items } = (await site.call('recycled', {})) as OperationReply<'recycled'>
    return items.map(({ recycleId }) => recycleId)
  }
  /** Nothing is booked that is not there, and nothing is there that is not booked. */
  const expectExact = async (parts: Partial<Awaited<ReturnType<typeof usageOf>>> = {}) => {
    const request = { db: deps.db, storages: deps.files.storages, signal: ctx.signal }
    const all = await reconcileUsage(request, { repair: false })
    expect(all.filter(({ account }) => account === site.intake.alice.account)).toEqual([])
    expect(await usageOf(deps, ctx, PLACE)).toMatchObject(parts)
    const rows = await deps.db.selectFrom('file_versions').selectAll().where('bucket', '=', ctx.principal.id).execute()
    const names: string[] = []
    const folder = `.godwit-versions/${ctx.principal.id}`
    if ((await store.stat(folder)) !== undefined) for await (const page of store.list(folder)) names.push(...page.names)
    expect(names.toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  }

  it('keeps as many as the place does, by every way a file is replaced, and books them apart', async () => {
    for (const size of [10, 20, 30]) await upload(size)
    expect(await sizes()).toEqual([20, 10])
    await expectExact({ usedBytes: 60, versionBytes: 30, recycledBytes: 0 })
    const header = Buffer.from(JSON.stringify({ relativePath: 'a.bin', size: 4, conflict: 'replace' }))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(header.length)
    const body = Buffer.concat([length, header, Buffer.from('pack')])
    site.intake.world.clock.advance(5)
    const pack = { memory: new PackMemory(256 * MiB), log: deps.log, intake: site.intake.intake }
    const source = (async function* () {
      yield body
    })()
    await receivePack(pack, ctx, { ...PLACE, folder: '/', source, length: body.length, signal: ctx.signal })
    expect(await sizes()).toEqual([30, 20, 10])
    await upload(7, 'other/a.bin')
    await run('copy', { paths: ['/other/a.bin'], target: '/', conflict: 'replace' })
    site.intake.world.clock.advance(5)
    await run('move', { paths: ['/other/a.bin'], target: '/', conflict: 'replace' })
    expect(await sizes()).toEqual([7, 4, 30, 20, 10])
    expect(await content(keyOf('/a.bin'))).toEqual(bytes(7, 7))
    const [newest] = await versions()
    await dropOldest(deps, { path: '/a.bin', keptVersionId: newest?.versionId ?? '' })
    expect(await sizes()).toEqual([7, 4])
    await expectExact({ usedBytes: 18, versionBytes: 11 })
  })

  it('takes one up again in the place of its file, which becomes a version', async () => {
    for (const size of [10, 20, 30]) await upload(size)
    const [, oldest] = await versions()
    const { versionId = '', hash } = oldest ?? {}
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    site.intake.world.clock.advance(5)
    await restoreVersion(deps, ctx, { ...FILE, versionId })
    expect([await sizes(), await content(keyOf('/a.bin'))]).toEqual([[30, 20], bytes(10, 10)])
    expect(await hashAt(deps.db, { spaceIds: [1], key: keyOf('/a.bin') })).toMatchObject({ hash })
    await expect(restoreVersion(deps, ctx, { ...FILE, versionId })).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' })
    await expectExact({ usedBytes: 60, versionBytes: 50 })
    const [last] = await deps.db
      .selectFrom('outbox')
      .select(['type', 'payload'])
      .orderBy('seq', 'desc')
      .limit(1)
      .execute()
    expect(last?.type).toBe('file.replaced')
    expect(JSON.parse(last?.payload ?? '')).toMatchObject({ restoredVersionId: versionId, path: '/a.bin', size: 10 })
  })

  it('follows its file through rename, move, bin and back, and goes for good with it', async () => {
    for (const size of [10, 20]) await upload(size, 'box/a.bin')
    await upload(1, 'shelf/x')
    await run('move', { paths: ['/box'], target: '/shelf' })
    expect(await sizes('/shelf/box/a.bin')).toEqual([10])
    await run('remove', { paths: ['/shelf/box'] })
    await expectExact({ usedBytes: 31, recycledBytes: 20, versionBytes: 10 })
    await run('restore', { recycleIds: await binned() })
    expect(await sizes('/shelf/box/a.bin')).toEqual([10])
    await run('remove', { paths: ['/shelf/box'] })
    await run('purge', { recycleIds: await binned() })
    await expectExact({ usedBytes: 1, versionBytes: 0 })
  })

  it('is fetched and deleted by whose file it is, and by nobody else', async () => {
    for (const size of [10, 20, 30]) await upload(size)
    const [newest, oldest] = await versions()
    const versionIds = [newest?.versionId ?? '']
    const { files } = deps
    const opened = await files.access.open(
      ctx,
      { kind: 'version', versionId: oldest?.versionId ?? '' },
      '/',
      'download',
    )
    expect(await content(opened.key)).toEqual(bytes(10, 10))
    const account = `tom_${site.intake.alice.account}`
    const row = await createUser(site.intake.users, { account, email: '', password: 'Sunrise-42x' })
    const tom: UserCtx = { ...callerCtx(), principal: await loadUser(deps.db, row, '') }
    const missing = { code: 'VERSION_NOT_FOUND' }
    const stranger = files.access.open(tom, { kind: 'version', versionId: versionIds[0] ?? '' }, '/', 'download')
    await expect(stranger).rejects.toMatchObject(missing)
    await upload(5, 'b.bin')
    await expect(removeVersions(deps, ctx, { ...PLACE, path: '/b.bin', versionIds })).rejects.toMatchObject(missing)
    vi.spyOn(store, 'remove').mockRejectedValueOnce(new StorageError('unreachable'))
    await expect(removeVersions(deps, ctx, { ...FILE, versionIds })).rejects.toMatchObject({
      code: 'STORAGE_UNREACHABLE',
    })
    // What is going is no version any more; the removal is finished later.
    expect(await sizes()).toEqual([10])
    await finishRemovals(deps)
    await expectExact({ usedBytes: 45, versionBytes: 10 })
  })

  it('puts the file back when nothing takes its place, whenever the process dies', async () => {
    for (const size of [10, 20]) await upload(size)
    await upload(7, 'other/a.bin')
    const replace = { paths: ['/other/a.bin'], target: '/', conflict: 'replace' }
    // An upload that the storage refuses for good.
    vi.spyOn(store, 'completeUpload').mockRejectedValueOnce(new StorageError('upload-failed'))
    await expect(upload(99)).rejects.toMatchObject({ code: 'UPLOAD_FAILED' })
    expect([await content(keyOf('/a.bin')), await sizes()]).toEqual([bytes(20, 20), [10]])
    await expectExact({ usedBytes: 37 })
    // One of which nobody knows whether it was taken: the next look finishes it.
    vi.spyOn(store, 'completeUpload').mockRejectedValueOnce(new StorageError('unreachable'))
    await expect(upload(30)).rejects.toMatchObject({ code: 'STORAGE_UNREACHABLE' })
    await reopen()
    await reconcile(site.intake.deps)
    expect([await content(keyOf('/a.bin')), await sizes()]).toEqual([bytes(30, 30), [20, 10]])
    await expectExact({ usedBytes: 67 })
    // A move that was not taken, and of which nobody knows.
    const move = store.move.bind(store)
    vi.spyOn(store, 'move').mockImplementation((from, to, options) =>
      to.startsWith('.godwit') ? move(from, to, options) : Promise.reject(new StorageError('unreachable')),
    )
    await site.call('move', replace)
    await site.runJobs()
    vi.restoreAllMocks()
    await reopen()
    await deps.files.steps.recover()
    expect([await content(keyOf('/a.bin')), await sizes()]).toEqual([bytes(30, 30), [20, 10]])
    await expectExact({ usedBytes: 67, versionBytes: 30 })
  })

  it('stays exact when many replace, restore and delete at once', async () => {
    for (const size of [10, 20, 30]) await upload(size)
    const [newest, oldest] = await versions()
    const all = [41, 42, 43, 44].map((size) => upload(size) as Promise<unknown>)
    all.push(restoreVersion(deps, ctx, { ...FILE, versionId: oldest?.versionId ?? '' }))
    all.push(removeVersions(deps, ctx, { ...FILE, versionIds: [newest?.versionId ?? ''] }))
    const ends = await Promise.allSettled(all)
    expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(3)
    for (const { versionId } of await versions()) await dropOldest(deps, { path: '/a.bin', keptVersionId: versionId })
    expect(await sizes()).toHaveLength(2)
    await expectExact()
  })
})
