import { setTimeout as sleep } from 'node:timers/promises'
import { secureRandom, systemClock } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createQueue, type Queue } from '../../../kernel/queue/index.ts'
import { keepFilesInBucket } from '../../../testing/bucket-storages.ts'
import { patientQueue } from '../../../testing/patient-queue.ts'
import { openWorld } from '../../../testing/worlds.ts'
import { placeOf } from '../../access/index.ts'
import { bytes, IntakeSite } from '../../intake/testing/intake-site.ts'
import { reconcileUsage } from '../../usage/index.ts'
import { fileJobs, type FileJobsDeps } from './index.ts'
import { startTransfer } from './start-transfer.ts'

const KINDS = [
  { name: 'a local storage', isBucket: false },
  { name: 'a bucket', isBucket: true },
]
const PLACE = { spaceId: 1, groupId: 0 }
const SILENT = { info: () => {}, warn: () => {}, error: () => {} }

describe.each(KINDS)('a copy that replaces a file, on $name', ({ isBucket }) => {
  let site: IntakeSite
  let bucket: TemporaryBucket | undefined
  let queue: Queue
  let deps: FileJobsDeps
  let store: ObjectStore

  beforeAll(async () => {
    const world = await openWorld()
    bucket = isBucket ? await keepFilesInBucket({ GODWIT_DATA: world.folder }) : undefined
    site = await IntakeSite.open(world)
  }, 60_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await bucket?.store[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    await site.nextAccount()
    const { database, ids, bus } = site.world
    const { files, quotas, db } = site.deps
    queue = createQueue({ database, ids, bus, clock: systemClock, random: secureRandom, log: SILENT })
    const { principal } = site.ctx
    deps = {
      files,
      db,
      quotas,
      queue: patientQueue(queue),
      principalOf: ({ id }) => Promise.resolve({ ...principal, kind: 'job', jobId: id }),
    }
    queue.handle(fileJobs(deps))
    queue.start()
    await site.upload(bytes(700), { relativePath: 'from/a.bin' })
    await site.upload(bytes(1000), { relativePath: 'to/a.bin' })
    await site.upload(bytes(10), { relativePath: 'away/other.bin' })
    ;({ store } = await files.access.open(site.ctx, placeOf(PLACE), '/', 'list'))
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await queue.stop()
  })

  const transfer = async (kind: 'copy' | 'move', from: string, target: string) => {
    const request = { ...PLACE, paths: [from], target, conflict: 'replace' } as const
    const { job } = await startTransfer(deps, site.ctx, { kind, request })
    return (await queue.settled(job.jobId, 20_000)).progress
  }
  const differences = async () => {
    const { db, files } = site.deps
    const all = await reconcileUsage({ db, storages: files.storages, signal: site.ctx.signal }, { repair: false })
    return all.filter(({ account }) => account === site.alice.account)
  }
  /** Runs something while the first copy is under way. */
  const whileCopying = (work: () => Promise<unknown>) => {
    const copy = store.copy.bind(store)
    vi.spyOn(store, 'copy').mockImplementationOnce(async (from, to, options) => {
      await work()
      return copy(from, to, options)
    })
  }

  it('books what it replaced', async () => {
    await transfer('copy', '/from/a.bin', '/to')
    expect(await differences()).toEqual([])
  })

  it('books nothing of a file that was moved away while it was copied', async () => {
    whileCopying(() => transfer('move', '/to/a.bin', '/away'))
    await transfer('copy', '/from/a.bin', '/to')
    expect(await differences()).toEqual([])
  })

  it('books the size of a file that was replaced while it was copied', async () => {
    whileCopying(() => site.upload(bytes(50), { relativePath: 'to/a.bin', conflict: 'replace' }))
    await transfer('copy', '/from/a.bin', '/to')
    expect(await differences()).toEqual([])
  })

  it('is exact when two come at once', async () => {
    await site.upload(bytes(333), { relativePath: 'twin/a.bin' })
    await Promise.all([transfer('copy', '/from/a.bin', '/to'), transfer('copy', '/twin/a.bin', '/to')])
    expect(await differences()).toEqual([])
  })

  it('never removes a file that came into a folder which was just emptied', async () => {
    await site.upload(bytes(20), { relativePath: 'there/from/own.bin' })
    const remove = store.remove.bind(store)
    let late: Promise<unknown> = Promise.resolve()
    vi.spyOn(store, 'remove').mockImplementation(async (key, options) => {
      if (key.endsWith('/from')) {
        late = site.upload(bytes(30), { relativePath: 'from/late.bin' })
        // As long as it takes where nothing holds it up.
        await Promise.race([late.catch(() => undefined), sleep(1_000)])
      }
      return remove(key, options)
    })
    const progress = await transfer('move', '/from', '/there')
    const [{ status }] = await Promise.allSettled([late])
    const isThere = (await store.stat(`${site.alice.home}/from/late.bin`)) !== undefined
    expect(progress).toMatchObject({ failures: [] })
    expect(isThere).toBe(status === 'fulfilled')
    expect(await store.stat(`${site.alice.home}/there/from/a.bin`)).toBeDefined()
    expect(store.remove).toHaveBeenCalledWith(`${site.alice.home}/from`)
  })
})
