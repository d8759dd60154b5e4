import fs from 'node:fs/promises'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { sourceSuite, type SourceFixture } from '@godwit/transfer/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Storages } from '../../foundation/storages/index.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { openWorld, openWorldStorages, type World } from '../../testing/worlds.ts'
import { createAccess, requireEntry } from '../access/index.ts'
import { storageSource } from './storage-source.ts'

const KINDS = [
  { name: 'a folder of a local storage', isBucket: false },
  { name: 'a folder of a bucket', isBucket: true },
]

for (const { name, isBucket } of KINDS) {
  let world: World
  let storages: Storages
  beforeAll(async () => {
    world = await openWorld()
    if (isBucket) await keepFilesInBucket({ GODWIT_DATA: world.folder })
    storages = await openWorldStorages(world)
  }, 60_000)
  afterAll(async () => {
    await storages.close()
    await world[Symbol.asyncDispose]()
  })

  sourceSuite(name, async (): Promise<SourceFixture> => {
    const principal = userPrincipal()
    const access = createAccess({ storages })
    const open = (path: string) => access.open({ principal }, { kind: 'personal', spaceId: 1 }, path, 'downloadFolder')
    const folder = `/${Buffer.from(secureRandom.fill(new Uint8Array(8))).toString('hex')}`
    const { store, key } = await open(folder)
    return {
      keepsTimes: !isBucket,
      async put(path, content, modifiedMs) {
        const at = `${key}/${path}`
        await store.ensureFolder(at.slice(0, at.lastIndexOf('/')))
        await store.writeFiles([{ key: at, content, modifiedMs }], { conflict: 'replace' })
      },
      remove: async (path) => void (await store.remove(`${key}/${path}`)),
      source: async () => storageSource([await requireEntry(await open(folder))], world.clock),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }
  })
}

it('names a file with a second name, which no storage opens, before a byte of it is sent', async () => {
  await using world = await openWorld()
  const storages = await openWorldStorages(world)
  const access = createAccess({ storages })
  const open = (at: string) =>
    access.open({ principal: userPrincipal() }, { kind: 'personal', spaceId: 1 }, at, 'downloadFolder')
  const { store, key } = await open('/sent')
  await store.ensureFolder(key)
  for (const name of ['one', 'other'])
    await store.writeFiles([{ key: `${key}/${name}`, content: Buffer.from(name), modifiedMs: 0 }], { conflict: 'fail' })
  const home = path.join(world.folder, 'files', key)
  await fs.link(path.join(home, 'other'), path.join(world.folder, 'outside'))
  const skipped: unknown[] = []
  const source = storageSource([await requireEntry(await open('/sent'))], world.clock)
  const listed = await Array.fromAsync(source.list((failure) => skipped.push(failure)))
  expect(listed.map(({ entry }) => entry.path)).toEqual(['sent', 'sent/one'])
  expect(skipped).toEqual([{ path: 'sent/other', code: 'SOURCE_UNREADABLE' }])
  await storages.close()
})
