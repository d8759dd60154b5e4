import { secureRandom } from '@godwit/base'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { s3Access } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openVault } from '../../kernel/crypto/index.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { openWorld, openWorldStorages, type World } from '../../testing/worlds.ts'
import { addStorage, listStorages, testStorage, type StorageAdminDeps } from './storages.admin.ts'
import { changeStorageKey } from './storages.keys.ts'
import { secretPurpose } from './storages.service.ts'

describe('the key of a bucket', () => {
  let world: World
  let bucket: TemporaryBucket
  let deps: StorageAdminDeps
  let id: number
  let secret: string

  beforeAll(async () => {
    world = await openWorld()
    bucket = await keepFilesInBucket({ GODWIT_DATA: world.folder })
    const { database, clock, folder: data } = world
    const vault = () => openVault(data, secureRandom)
    deps = { db: database.db, data, reserveBytes: 0, clock, random: secureRandom, vault, program: '/opt/godwit' }
    id = (await listStorages(deps))[0]?.id ?? 0
    secret = (await s3Access()).secretAccessKey
  }, 60_000)
  afterAll(async () => {
    await bucket.store[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })

  const row = () => deps.db.selectFrom('storages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('stays as it is when the bucket does not take the new one', async () => {
    const before = await row()
    const wrong = { code: 'STORAGE_CREDENTIALS_WRONG' }
    await expect(changeStorageKey(deps, id, { secret: 'Planted-Secret-9x' })).rejects.toMatchObject(wrong)
    await expect(changeStorageKey(deps, id, { accessKeyId: 'nobody', secret })).rejects.toMatchObject(wrong)
    await expect(changeStorageKey(deps, id, { secret: '' })).rejects.toMatchObject({ code: 'VALUE_REQUIRED' })
    await expect(changeStorageKey(deps, 77, { secret })).rejects.toMatchObject({ code: 'STORAGE_NOT_FOUND' })
    expect(await row()).toEqual(before)
  })

  it('is sealed once the bucket has taken it, and a running server goes on with it', async () => {
    const storages = await openWorldStorages(world)
    const sealed_secret = deps.vault().seal(secretPurpose(id), 'withdrawn by the service')
    await deps.db.updateTable('storages').set({ sealed_secret }).where('id', '=', id).execute()
    await expect(testStorage(deps, id)).rejects.toMatchObject({ code: 'STORAGE_CREDENTIALS_WRONG' })
    expect(await changeStorageKey(deps, id, { secret })).toMatchObject({ id, error: '' })
    expect(JSON.stringify(await row())).not.toContain(secret)
    expect(deps.vault().open(secretPurpose(id), (await row()).sealed_secret)).toBe(secret)
    await storages.check()
    expect(await testStorage(deps, id)).toMatchObject({ error: '' })
    await storages.close()
  })

  it('is nothing that a folder has', async () => {
    const settings = { folder: `${world.folder}-key` }
    const local = await addStorage(deps, {
      name: 'l',
      kind: 'local',
      settings,
      secret: '',
      spaceId: 1,
      isDefault: false,
    })
    const refused = changeStorageKey(deps, local.id, { secret })
    await expect(refused).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
  })
})
