import fs from 'node:fs'
import { StorageError } from '@godwit/storage'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openWorld } from '../../testing/worlds.ts'
import { PAIRS, TwoStorages } from '../files/jobs/testing/two-storages.ts'
import { recycleFile } from '../recycle/recycle.service.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { cleanStorages } from './cleaning.rounds.ts'

const DAY_MS = 24 * 3_600_000
const never = new AbortController().signal

describe('a round of cleaning', () => {
  let two: TwoStorages
  beforeAll(async () => {
    two = await TwoStorages.open(await openWorld(), PAIRS[0])
  })
  afterAll(async () => two[Symbol.asyncDispose]())
  beforeEach(async () => {
    await two.nextAccount()
    await two.clearLibrary()
    const { db } = two.site.deps
    await db.deleteFrom('storage_cleaning').execute()
    const rule = { basis: 'modified', days: 7, since: 0, files: 0, bytes: 0, skipped: 0 }
    const fresh = { ...rule, ran_at: null, asked_at: null, began_at: null }
    for (const storage_id of [1, 2])
      await db
        .insertInto('storage_cleaning')
        .values({ ...fresh, storage_id })
        .execute()
  })
  afterEach(() => vi.restoreAllMocks())

  const clean = async () => {
    const { db, files, ids } = two.site.deps
    const { clock } = two.site.intake.world
    const recycle = recycleFile({ files, ids })
    await cleanStorages({ db, clock, storages: files.storages, log: { warn: () => undefined }, recycle }, never)
  }
  const isOver = async (storageId: number) => {
    const rows = two.site.deps.db.selectFrom('storage_cleaning').select('ran_at').where('storage_id', '=', storageId)
    return (await rows.executeTakeFirstOrThrow()).ran_at !== null
  }

  it('leaves out a storage that is away, and no other', async () => {
    await two.site.intake.upload(bytes(10), { relativePath: 'file' })
    vi.spyOn(two.home, 'stat').mockRejectedValue(new StorageError('unreachable'))
    await clean()
    expect([await isOver(1), await isOver(2)]).toEqual([false, true])
  })

  it('goes on behind a folder that was removed meanwhile', async () => {
    const { intake } = two.site
    for (const name of ['kept', 'leaving']) await intake.upload(bytes(10), { relativePath: `${name}/old` })
    intake.world.clock.advance(30 * DAY_MS)
    const ago = (intake.world.clock.now() - 20 * DAY_MS) / 1000
    fs.utimesSync(intake.onDisk('kept/old'), ago, ago)
    const list = two.home.list.bind(two.home)
    vi.spyOn(two.home, 'list').mockImplementation((folder, options) => {
      if (folder.endsWith('/leaving')) fs.rmSync(intake.onDisk('leaving'), { recursive: true })
      return list(folder, options)
    })
    await clean()
    expect(await isOver(1)).toBe(true)
    const own = two.site.deps.db.selectFrom('recycle_items').select('path').where('owner_id', '=', intake.alice.id)
    expect(await own.execute()).toEqual([{ path: '/kept/old' }])
  })
})
