import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWorld } from '../../../testing/worlds.ts'
import { bytes } from '../../intake/testing/intake-site.ts'
import { bucketOf } from '../../quotas/index.ts'
import { rootOfBytes } from '../../tree-hashes/index.ts'
import { contentOf, GROUP, LIBRARY, PAIRS, TwoStorages } from './testing/two-storages.ts'

describe.each(PAIRS)('copies and moves between $name', (pair) => {
  let two: TwoStorages

  beforeAll(async () => {
    two = await TwoStorages.open(await openWorld(await pair.url()), pair)
  }, 60_000)
  afterAll(async () => two[Symbol.asyncDispose]())
  beforeEach(async () => {
    await two.nextAccount()
    await two.clearLibrary()
    const { intake } = two.site
    await intake.upload(bytes(700), { relativePath: 'file' })
    await intake.upload(bytes(3_000_001, 2), { relativePath: 'tree/large' })
    await intake.upload(bytes(0), { relativePath: 'tree/deep/empty' })
    await two.site.deps.db.deleteFrom('outbox').execute()
  })
  afterEach(() => vi.restoreAllMocks())

  it('copies files and trees with their hashes, and books them at the target', async () => {
    expect(await two.transfer('copy', ['/file', '/tree'])).toEqual([])
    const there = await two.inLibrary()
    expect([...there.keys()].toSorted()).toEqual(
      ['file', 'tree/deep/empty', 'tree/large'].map((name) => `${LIBRARY}/${name}`),
    )
    expect(there.get(`${LIBRARY}/tree/large`)?.equals(bytes(3_000_001, 2))).toBe(true)
    expect((await two.atHome()).size).toBe(3)
    expect(await two.faults()).toEqual([])
    expect(await two.events()).toContain(`file.copied ${GROUP}:/tree/large`)
  })

  it('moves files and trees: the source goes, with events and bytes on both sides', async () => {
    expect(await two.transfer('move', ['/file', '/tree'])).toEqual([])
    expect((await two.inLibrary()).size).toBe(3)
    expect(await two.home.stat(`${two.site.intake.alice.home}/tree`)).toBeUndefined()
    expect((await two.atHome()).size).toBe(0)
    expect(await two.faults()).toEqual([])
    const events = await two.events()
    expect(events.filter((event) => event.startsWith('file.deleted')).toSorted()).toEqual(
      ['/file', '/tree', '/tree/deep', '/tree/deep/empty', '/tree/large'].map((path) => `file.deleted 0:${path}`),
    )
    // And back again.
    const back = { groupId: GROUP, targetGroupId: 0 }
    expect(await two.transfer('move', ['/file', '/tree'], back)).toEqual([])
    expect((await two.atHome()).size).toBe(3)
    expect(await two.faults()).toEqual([])
  })

  it('brings the versions of a moved file along', async () => {
    const { intake } = two.site
    await intake.upload(bytes(800, 5), { relativePath: 'file', conflict: 'replace' })
    expect(await two.transfer('move', ['/file'])).toEqual([])
    const rows = await two.site.deps.db.selectFrom('file_versions').selectAll().execute()
    expect(rows).toMatchObject([{ storage_key: `${LIBRARY}/file`, group_id: GROUP }])
    expect(await contentOf(two.library, rows[0]?.version_key ?? '')).toEqual(bytes(700))
    expect(await two.home.stat(rows[0]?.version_key ?? '')).toBeUndefined()
    expect(await two.faults()).toEqual([])
  })

  it('answers a taken name as everywhere: refuse, skip, keep both, replace', async () => {
    await two.transfer('copy', ['/file'])
    await expect(two.transfer('copy', ['/file'])).rejects.toThrow('PATH_EXISTS')
    await two.site.intake.upload(bytes(900, 7), { relativePath: 'file', conflict: 'replace' })
    expect(await two.transfer('move', ['/file'], { conflict: 'skip' })).toEqual([])
    expect((await two.inLibrary()).get(`${LIBRARY}/file`)).toEqual(bytes(700))
    expect(await two.transfer('copy', ['/file'], { conflict: 'keep-both' })).toEqual([])
    expect((await two.inLibrary()).get(`${LIBRARY}/file (1)`)).toEqual(bytes(900, 7))
    expect(await two.transfer('move', ['/file'], { conflict: 'replace' })).toEqual([])
    expect((await two.inLibrary()).get(`${LIBRARY}/file`)).toEqual(bytes(900, 7))
    // One version of the target, and one that came with the file.
    const kept = await two.site.deps.db.selectFrom('file_versions').select('storage_key').execute()
    expect(kept.map((row) => row.storage_key)).toEqual([`${LIBRARY}/file`, `${LIBRARY}/file`])
    expect(await two.faults()).toEqual([])
  })

  it('never spreads a file that is not what was stored', async () => {
    const { alice } = two.site.intake
    const key = `${alice.home}/file`
    const wrong = { hash: rootOfBytes(bytes(700, 99)) }
    await two.site.deps.db.updateTable('file_hashes').set(wrong).where('storage_key', '=', key).execute()
    expect(await two.transfer('move', ['/file'])).toEqual(['/file FILE_CORRUPT'])
    expect((await two.inLibrary()).size).toBe(0)
    expect((await two.atHome()).get(key)).toEqual(bytes(700))
    expect(await two.usedBy(bucketOf({ userId: '', groupId: GROUP }))).toEqual({ used: 0, reserved: 0 })
  })

  it('leaves a source that changed while it was copied, and says so', async () => {
    const { intake } = two.site
    const key = `${intake.alice.home}/file`
    const complete = two.library.completeUpload.bind(two.library)
    vi.spyOn(two.library, 'completeUpload').mockImplementationOnce(async (upload, request) => {
      await two.home.writeFiles([{ key, content: bytes(123, 9) }], { conflict: 'replace' })
      return complete(upload, request)
    })
    expect(await two.transfer('move', ['/file'])).toEqual(['/file FILE_CHANGED'])
    expect((await two.atHome()).get(key)).toEqual(bytes(123, 9))
    expect((await two.inLibrary()).get(`${LIBRARY}/file`)).toEqual(bytes(700))
    expect(await two.usedBy(bucketOf({ userId: '', groupId: GROUP }))).toEqual({ used: 700, reserved: 0 })
  })

  it('leaves nothing of a file behind that was cancelled in its middle', async () => {
    const write = two.library.writePart.bind(two.library)
    vi.spyOn(two.library, 'writePart').mockImplementationOnce(async (...args) => {
      await two.site.queue.cancel(String((jobs.job as { readonly jobId: string }).jobId))
      return write(...args)
    })
    const jobs = (await two.site.call('move', { paths: ['/tree'], target: '/', targetGroupId: GROUP })) as {
      readonly job: unknown
    }
    expect(await two.site.runJobs()).toEqual(['move cancelled'])
    expect(await two.library.stat(`${LIBRARY}/tree/large`)).toBeUndefined()
    const left = [...(await two.atHome()).keys(), ...(await two.inLibrary()).keys()]
    expect(left).toHaveLength(3)
    expect(await two.faults()).toEqual([])
  })
})
