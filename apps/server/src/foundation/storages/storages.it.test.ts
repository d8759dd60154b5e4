import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openVault } from '../../kernel/crypto/index.ts'
import { DATABASES, openWorld, openWorldStorages, type World } from '../../testing/worlds.ts'
import { Refused } from '../installation/index.ts'
import {
  addStorage,
  adoptStorage,
  listStorages,
  makeDefault,
  removeStorage,
  testStorage,
  type StorageAdminDeps,
} from './storages.admin.ts'
import { createStorages } from './storages.service.ts'

for (const { dialect, open } of DATABASES) {
  describe(`storages on ${dialect}`, () => {
    let world: World
    let deps: StorageAdminDeps
    const folder = (name: string): string => path.join(world.folder, '..', `${path.basename(world.folder)}-${name}`)
    const add = (name: string, isDefault = false) => {
      const settings = { folder: folder(name) }
      return addStorage(deps, { name, kind: 'local', settings, secret: '', spaceId: 1, isDefault })
    }
    const anna = { ownerId: 'anna', spaceId: 1, groupId: 0 }

    beforeEach(async () => {
      world = await open()
      const { database, clock, folder: data } = world
      const vault = () => openVault(data, secureRandom)
      deps = { db: database.db, data, reserveBytes: 0, clock, random: secureRandom, vault, program: '/opt/godwit' }
    })
    afterEach(async () => {
      for (const name of ['one', 'two']) fs.rmSync(folder(name), { recursive: true, force: true })
      await world[Symbol.asyncDispose]()
    })

    it('begin with the folder of the data folder, which serves every space', async () => {
      const storages = await openWorldStorages(world)
      expect(await listStorages(deps)).toMatchObject([
        {
          id: 1,
          kind: 'local',
          place: path.join(world.folder, 'files'),
          spaceIds: [1],
          defaultOf: [1],
          places: 0,
          error: '',
        },
      ])
      expect(await storages.ofPlace(anna)).toBe(storages.all()[0])
      expect(await storages.ofPlace({ ...anna, spaceId: 7 })).toBe(storages.all()[0])
      expect((await listStorages(deps))[0]?.places).toBe(2)
      await storages.close()
    })

    it('keep a place where it was made; a new default serves new places', async () => {
      const storages = await openWorldStorages(world)
      const first = await storages.ofPlace(anna)
      await add('one', true)
      const other = { ...anna, ownerId: 'ben' }
      const all = await Promise.all(Array.from({ length: 20 }, () => storages.ofPlace(other)))
      expect(new Set(all).size).toBe(1)
      expect(all[0]).not.toBe(first)
      expect(await storages.ofPlace(anna)).toBe(first)
      await all[0]?.ensureFolder('users/ben')
      expect(fs.existsSync(path.join(folder('one'), 'users/ben'))).toBe(true)
      await storages.close()
      const again = await openWorldStorages(world)
      expect([await again.ofPlace(anna), await again.ofPlace(other)]).toEqual(again.all())
      await again.close()
    })

    it('are removed when no place uses them and they are nobody’s default', async () => {
      const storages = await openWorldStorages(world)
      await storages.ofPlace(anna)
      const { id } = await add('one')
      await expect(removeStorage(deps, 1)).rejects.toMatchObject({ code: 'STORAGE_DEFAULT_UNDELETABLE' })
      await makeDefault(deps, id, 1)
      await expect(removeStorage(deps, 1)).rejects.toMatchObject({ code: 'STORAGE_IN_USE', details: { places: 1 } })
      await makeDefault(deps, 1, 1)
      await removeStorage(deps, id)
      expect((await listStorages(deps)).map((storage) => storage.id)).toEqual([1])
      expect((await add('one')).id).toBeGreaterThan(id)
      await storages.close()
    })

    it('are refused where they overlap, are taken, or belong to another installation', async () => {
      await add('one')
      const other = { name: 'two', kind: 'local', secret: '', spaceId: 1, isDefault: false } as const
      for (const place of [
        folder('one'),
        path.join(folder('one'), 'below'),
        world.folder,
        '/',
        'relative',
        '/no/such/folder/x',
      ]) {
        const added = addStorage(deps, { ...other, settings: { folder: place } })
        await expect(added, place).rejects.toMatchObject({ code: 'STORAGE_PATH_INVALID' })
      }
      await expect(addStorage(deps, { ...other, settings: {} })).rejects.toMatchObject({ code: 'PARAMETER_INVALID' })
      await expect(add('ONE')).rejects.toMatchObject({ code: 'STORAGE_NAME_DUPLICATE' })
      await expect(add('')).rejects.toMatchObject({ code: 'STORAGE_NAME_INVALID' })
      await using stranger = await openWorld()
      const data = stranger.folder
      const theirs = { ...deps, db: stranger.database.db, data }
      const wanted = { ...other, settings: { folder: folder('one') } }
      await expect(addStorage(theirs, wanted)).rejects.toMatchObject({ code: 'STORAGE_NOT_OURS' })
      expect((await listStorages(deps)).map(({ name }) => name)).toEqual(['Local', 'one'])
    })

    it('are taken up by a running server, and let go', async () => {
      const { database, clock } = world
      const vault = () => openVault(world.folder, secureRandom)
      const log = { warn: () => undefined }
      const running = createStorages({ ...deps, db: database.db, clock, vault, log })
      await running.start()
      const { id } = await add('one')
      await running.look()
      expect(running.all().map((store) => running.idOf(store))).toEqual([1, id])
      await removeStorage(deps, id)
      await running.look()
      expect(running.all()).toHaveLength(1)
      await running.close()
    })

    it('say what the last look found, and refuse to work in a folder that is not theirs', async () => {
      const log = { warn: () => undefined }
      const running = createStorages({ ...deps, log })
      await running.start()
      const [store] = running.all()
      const files = path.join(world.folder, 'files')
      const errors = async () => {
        await running.look()
        return (await listStorages(deps)).map(({ error }) => error)
      }
      expect(await errors()).toEqual([''])
      // As if the disk had been unmounted: the folder below is empty.
      fs.renameSync(files, `${files}-away`)
      expect(await errors()).toEqual(['STORAGE_NOT_OURS'])
      fs.mkdirSync(files)
      expect(await errors()).toEqual(['STORAGE_NOT_OURS'])
      await expect(running.check()).rejects.toMatchObject({ code: 'STORAGE_NOT_OURS' })
      await expect(store?.ensureFolder('users/anna')).rejects.toMatchObject({ reason: 'unreachable' })
      expect(fs.readdirSync(files)).toEqual([])
      await expect(testStorage(deps, 1)).rejects.toMatchObject({ code: 'STORAGE_NOT_OURS' })
      fs.rmdirSync(files)
      fs.renameSync(`${files}-away`, files)
      expect(await errors()).toEqual([''])
      await store?.ensureFolder('users/anna')
      await testStorage(deps, 1)
      await running.close()
    })
  })
}

describe('a start', () => {
  let world: World
  let files: string
  beforeEach(async () => {
    world = await openWorld()
    files = path.join(world.folder, 'files')
  })
  afterEach(async () => world[Symbol.asyncDispose]())

  const start = async () => (await openWorldStorages(world)).close()
  const adopt = () => {
    const { database, clock, folder: data } = world
    const vault = () => openVault(data, secureRandom)
    const deps = { db: database.db, data, reserveBytes: 0, clock, random: secureRandom, vault, program: '/opt/godwit' }
    return adoptStorage(deps, 1)
  }

  it('is refused where the files are missing, emptied or somebody else’s, with the cure, and makes nothing', async () => {
    await start()
    fs.renameSync(files, `${files}-away`)
    await expect(start()).rejects.toThrow(/Storage 1 \(Local\), \S+\/files, is missing\. Mount or restore it/)
    expect(fs.existsSync(files)).toBe(false)
    fs.mkdirSync(files)
    await expect(start()).rejects.toThrow(/has lost its mark.*godwit storage adopt 1/)
    expect(fs.readdirSync(files)).toEqual([])
    fs.rmdirSync(files)
    await using other = await openWorld()
    await (await openWorldStorages(other)).close()
    fs.cpSync(path.join(other.folder, 'files'), files, { recursive: true })
    await expect(start()).rejects.toThrow(/belongs to another installation/)
    await adopt()
    await start()
  })

  it('is refused with a new database beside files that are there', async () => {
    fs.mkdirSync(path.join(files, 'users/anna'), { recursive: true })
    await expect(start()).rejects.toThrow(Refused)
    await expect(start()).rejects.toThrow(/The database is new, but \S+\/files holds the files of an installation/)
    fs.rmSync(files, { recursive: true })
    await start()
    await using lost = await openWorld()
    fs.cpSync(files, path.join(lost.folder, 'files'), { recursive: true })
    await expect(openWorldStorages(lost)).rejects.toThrow(/The database is new/)
  })

  it('goes on where a first start was cut short', async () => {
    fs.mkdirSync(path.join(files, '.godwit/parts'), { recursive: true })
    await start()
    await start()
  })
})
