import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import type { ObjectStore } from '@godwit/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Storages } from '../../foundation/storages/index.ts'
import { openWorld, openWorldStorages, type World } from '../../testing/worlds.ts'
import { writeBackup } from './backup.service.ts'
import { restoreDrill } from './drill.service.ts'

const never = new AbortController().signal

describe('a backup beside people who work', () => {
  let world: World
  let storages: Storages
  beforeEach(async () => {
    world = await openWorld()
    storages = await openWorldStorages(world)
    for (const name of ['kept/deep/a', 'kept/b', 'leaving/c', 'leaving/deep/d', 'turning/e']) put(name)
  })
  afterEach(async () => {
    await storages.close()
    await world[Symbol.asyncDispose]()
  })

  const onDisk = (name: string) => path.join(world.folder, 'files', name)
  function put(name: string): void {
    fs.mkdirSync(path.dirname(onDisk(name)), { recursive: true })
    fs.writeFileSync(onDisk(name), name)
  }

  /** The storage of the world, where `before` happens just before a folder is listed or a file is opened. */
  function watched(before: (key: string) => void): Storages {
    const [store] = storages.all()
    if (store === undefined) throw new Error('a world has a storage')
    const around = new Proxy<ObjectStore>(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target)
        if (typeof member !== 'function') return member
        const method = member.bind(target) as (key: string, ...more: readonly unknown[]) => unknown
        if (name !== 'list' && name !== 'openRead') return method
        return (key: string, ...more: readonly unknown[]) => {
          before(key)
          return method(key, ...more)
        }
      },
    })
    return new Proxy(storages, {
      get(target, name) {
        if (name === 'all') return () => [around]
        if (name === 'idOf') return () => 1
        return Reflect.get(target, name, target) as unknown
      },
    })
  }

  async function backUp(before: (key: string) => void) {
    const file = path.join(world.folder, 'backup.tar')
    const { database, clock, folder: data } = world
    const deps = { database, storages: watched(before), data, clock, random: secureRandom, signal: never }
    const written = await writeBackup(deps, file, { force: false })
    const drill = await restoreDrill({ clock, random: secureRandom, signal: never, reserveBytes: 0 }, file)
    return { skipped: written.skipped, drill }
  }

  it('goes on without what is removed or replaced before its turn comes', async () => {
    const { skipped, drill } = await backUp((key) => {
      if (key === 'leaving') fs.rmSync(onDisk('leaving'), { recursive: true })
      if (key === 'kept/b') fs.rmSync(onDisk('kept/b'))
      if (key !== 'turning') return
      fs.rmSync(onDisk('turning'), { recursive: true })
      put('turning')
    })
    expect(skipped).toEqual([])
    expect(drill).toEqual({ files: 1, problems: [] })
  })

  it('leaves out what the server may not read, and names it', async () => {
    fs.linkSync(onDisk('kept/b'), path.join(world.folder, 'second-name'))
    const { skipped, drill } = await backUp(() => undefined)
    expect(skipped).toEqual(['kept/b'])
    expect(drill).toEqual({ files: 4, problems: [] })
  })
})
