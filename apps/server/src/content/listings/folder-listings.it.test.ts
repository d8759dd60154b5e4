import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Storages } from '../../foundation/storages/index.ts'
import { createLog } from '../../kernel/log.ts'
import { openWorld, openWorldStorages, type World } from '../../testing/worlds.ts'
import { FolderIndex } from './folder-index.ts'
import { FolderListings, type FolderRef } from './folder-listings.ts'
import type { Preview } from './huge/huge.ts'

/** More than are sorted before the first page. */
const MANY = 10_500

describe('the index of a folder', () => {
  let world: World
  let storages: Storages
  let folder: FolderRef
  let indexes: FolderListings

  beforeEach(async () => {
    world = await openWorld()
    storages = await openWorldStorages(world)
    const [store] = storages.all()
    if (!store) throw new Error('no storage')
    folder = { store, key: 'full' }
    fs.mkdirSync(path.join(world.folder, 'files/full'), { recursive: true })
    indexes = new FolderListings({
      clock: world.clock,
      log: createLog('silent'),
      onFound: () => undefined,
      cache: undefined,
    })
  })
  afterEach(async () => {
    await storages.close()
    await world[Symbol.asyncDispose]()
  })

  /** As many single uploads, each with a look for a clash before it. @returns how often a name was folded, and the folder read */
  const fill = async (count: number): Promise<{ readonly folded: number; readonly read: number }> => {
    const folding = vi.spyOn(String.prototype, 'toLowerCase')
    const reading = vi.spyOn(folder.store, 'list')
    for (let at = 0; at < count; at++) {
      expect(await indexes.clashOf(folder, `File ${at}`)).toBeUndefined()
      indexes.note(folder, `File ${at}`, 'file')
    }
    const counts = { folded: folding.mock.calls.length, read: reading.mock.calls.length }
    vi.restoreAllMocks()
    return counts
  }

  it('costs each upload the same, however many came before it', async () => {
    const first = await fill(2_000)
    expect(first.read).toBe(1)
    expect(first.folded).toBeLessThan(2_000 * 5)
    const more = await fill(20_000)
    expect(more.read).toBe(0)
    expect(more.folded).toBeLessThan(20_000 * 5)
  })

  it('finds twins among what came, before and after it was merged, and not among what went', async () => {
    for (let at = 0; at < 3_000; at++) {
      await indexes.clashOf(folder, `File ${at}`)
      indexes.note(folder, `File ${at}`, 'file')
      expect(await indexes.clashOf(folder, `FILE ${at}`)).toBe(`File ${at}`)
      expect(await indexes.clashOf(folder, `file ${at % 50}`)).toBe(`File ${at % 50}`)
    }
    indexes.note(folder, 'File 7', 'gone')
    expect(await indexes.clashOf(folder, 'file 7')).toBeUndefined()
    indexes.note(folder, 'FILE 7', 'folder')
    expect(await indexes.clashOf(folder, 'file 7')).toBe('FILE 7')
  })

  const put = (name: string): void => fs.writeFileSync(path.join(world.folder, 'files/full', name), name)
  const beginning = async (): Promise<Preview> => {
    const shown = await indexes.beginning(folder, 3)
    if (shown instanceof FolderIndex) throw new Error('the index was there already')
    return shown
  }
  const names = ({ entries }: Preview): string[] => entries.map(({ name }) => name)

  it('shows the beginning of a big one before it is sorted, whenever it must be read', async () => {
    for (let at = 0; at < MANY; at++) put(`file ${at}`)
    world.clock.set(Date.now() + 60_000)
    const first = await beginning()
    expect([names(first), first.total]).toEqual([['file 0', 'file 1', 'file 2'], MANY])
    const index = await indexes.of(folder, true)
    expect([index.version, index.count, index.name(MANY - 1)]).toEqual([first.version, MANY, `file ${MANY - 1}`])
    expect(await indexes.beginning(folder, 3)).toBe(index)
    put('a new one')
    const second = await beginning()
    expect([names(second), second.total]).toEqual([['a new one', 'file 0', 'file 1'], MANY + 1])
    expect(second.version).not.toBe(first.version)
    expect((await indexes.of(folder, true)).version).toBe(second.version)
  })

  it('keeps what it knows of the same names under the version that was shown', async () => {
    for (let at = 0; at < MANY; at++) put(`file ${at}`)
    // Read in the moment of its change: it may change again within the same time, so the next look reads it again.
    world.clock.set(fs.statSync(path.join(world.folder, 'files/full')).mtimeMs)
    await beginning()
    const index = await indexes.of(folder, true)
    index.learn([7], { kinds: Uint8Array.of(0), sizes: Float64Array.of(70), modifiedMs: Float64Array.of(7_000) })
    world.clock.advance(60_000)
    const again = await beginning()
    const next = await indexes.of(folder, true)
    expect(next.version).toBe(again.version)
    expect([next.isKnown(7), next.size(7), next.isKnown(8)]).toEqual([true, 70, false])
    expect(await indexes.beginning(folder, 3)).toBe(next)
  })

  it('is read again after 2 s where folders have no times, and knows its own changes at once', async () => {
    const capabilities = { ...folder.store.capabilities, folderTimes: 'none' as const }
    const untimed = new Proxy(folder.store, {
      get(target, name) {
        if (name === 'capabilities') return capabilities
        const member: unknown = Reflect.get(target, name, target)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member
      },
    })
    folder = { store: untimed, key: folder.key }
    const count = async (isGoingOn = false) => (await indexes.of(folder, isGoingOn)).count
    put('one')
    expect(await count()).toBe(1)
    put('two')
    indexes.note(folder, 'three', 'file')
    put('three')
    expect(await count()).toBe(2)
    world.clock.advance(2_000)
    expect(await count(true)).toBe(2)
    expect(await count()).toBe(3)
  })

  it('gives the index of a small one, and says when there is none', async () => {
    put('only')
    expect(await indexes.beginning(folder, 3)).toBeInstanceOf(FolderIndex)
    await expect(indexes.beginning({ ...folder, key: 'missing' }, 3)).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
  })
})
