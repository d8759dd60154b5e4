import fs from 'node:fs'
import path from 'node:path'
import { secureRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openStorages, type Storages } from '../../../foundation/storages/index.ts'
import { createLog } from '../../../kernel/log.ts'
import { openWorld, type World } from '../../../testing/worlds.ts'
import { FolderIndexes, type FolderRef } from './folder-indexes.ts'

describe('the index of a folder that fills up', () => {
  let world: World
  let storages: Storages
  let folder: FolderRef
  let indexes: FolderIndexes

  beforeEach(async () => {
    world = await openWorld()
    storages = await openStorages({ data: world.folder, reserveBytes: 0, clock: world.clock, random: secureRandom })
    const [store] = storages.all()
    if (!store) throw new Error('no storage')
    folder = { store, key: 'full' }
    fs.mkdirSync(path.join(world.folder, 'files/full'), { recursive: true })
    indexes = new FolderIndexes({
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
})
