import fs from 'node:fs'
import path from 'node:path'
import { LIMITS } from '@godwit/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ObjectStore } from '@godwit/storage'
import type { Storages } from '../../foundation/storages/index.ts'
import type { UserCtx } from '../../kernel/context.ts'
import { userPrincipal } from '../../testing/principals.ts'
import { createLog } from '../../kernel/log.ts'
import { callerCtx, openWorld, type World, openWorldStorages } from '../../testing/worlds.ts'
import { createFiles, type FilesDeps } from './files.deps.ts'
import { columns } from './files.list.ts'

const ROBIN = userPrincipal({ account: 'robin', home: 'users/robin' })
const FILES = 6_000
const PAGE = 2_000

describe('a big folder in pages of thousands', () => {
  let world: World
  let storages: Storages
  let files: FilesDeps
  let ctx: UserCtx
  let asked: string[]

  beforeEach(async () => {
    world = await openWorld()
    storages = await openWorldStorages(world)
    const [store] = storages.all()
    if (!store) throw new Error('no storage')
    const log = createLog('silent')
    files = createFiles({ ...world, storages, db: world.database.db, log })
    ctx = { ...callerCtx(), principal: ROBIN }
    fs.mkdirSync(home(), { recursive: true })
    for (let at = 0; at < FILES; at++) fs.writeFileSync(path.join(home(), `file ${at}`), 'x'.repeat(at % 7))
    asked = []
    const statMany = store.statMany.bind(store)
    vi.spyOn(store, 'statMany').mockImplementation((folder, names, signal) => {
      asked.push(...names)
      return statMany(folder, names, signal)
    })
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await storages.close()
    await world[Symbol.asyncDispose]()
  })

  const home = (): string => path.join(world.folder, 'files', ROBIN.account.home, 'big')
  const page = (cursor: string | null) =>
    columns(files, ctx, {
      ...{ folder: '/big', cursor, limit: PAGE, orderBy: 'name', order: 'asc' },
      ...{ spaceId: LIMITS.defaultSpaceId, groupId: LIMITS.defaultGroupId },
    })

  it('has every size right and asks the storage once for each, ahead of the page or with it', async () => {
    const sizes = new Map<string, number>()
    for (let cursor: string | null = null, turn = 0; turn === 0 || cursor !== null; turn++) {
      const got = await page(cursor)
      for (const [at, name] of got.names.entries()) sizes.set(name, got.sizes[at] ?? -1)
      cursor = got.next
    }
    expect(sizes.size).toBe(FILES)
    for (let at = 0; at < FILES; at++) expect(sizes.get(`file ${at}`)).toBe(at % 7)
    expect(asked.toSorted()).toEqual([...sizes.keys()].toSorted())
  })

  it('is read once for all its pages, also right after it was changed, and again for the next look at it', async () => {
    const [store] = storages.all()
    const reading = vi.spyOn(store as ObjectStore, 'list')
    const stat = fs.statSync(home())
    // Changed in the moment in which it is read: a second change in that moment would leave the same time.
    world.clock.set(stat.mtimeMs)
    const first = await page(null)
    world.clock.advance(1_000)
    const second = await page(first.next)
    await page(second.next)
    expect(reading).toHaveBeenCalledTimes(1)
    await page(null)
    expect(reading).toHaveBeenCalledTimes(2)
  })

  it('leaves out what went while the page before it was on its way', async () => {
    const first = await page(null)
    const second = await page(first.next)
    const last = second.names.at(-1) ?? ''
    fs.rmSync(path.join(home(), 'file 5999'))
    const third = await page(second.next)
    expect(third.names).not.toContain('file 5999')
    expect(third.names).toHaveLength(PAGE - 1)
    expect(third.names).not.toContain(last)
  })
})
