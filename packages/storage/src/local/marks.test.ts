import fs from 'node:fs/promises'
import path from 'node:path'
import { secureRandom, seededRandom, systemClock } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { openOn, reasonOf } from '../testing/day-of-a-store.ts'
import { failingDisk, forEveryFault, failsOnCall } from '../testing/failing-disk.ts'
import { MemoryDisk } from '../testing/memory-disk.ts'
import { temporaryStore } from '../testing/temporary-store.ts'
import { openLocalStore } from './local-store.ts'

describe('the mark of a folder', () => {
  it.each(['ENOSPC', 'EIO', 'EROFS'])('is the old one or the new one after any call failed with %s', async (code) => {
    const faults = await forEveryFault(
      (nth) => failsOnCall(nth, code),
      async (fault) => {
        const memory = new MemoryDisk()
        await (await openOn(memory)).writeMark('old')
        const store = await openOn(failingDisk(memory, fault).disk).catch(() => undefined)
        const failed = store === undefined || (await reasonOf(store.writeMark('new'))) !== undefined
        const mark = await (await openOn(memory)).readMark()
        expect(failed ? ['old', 'new'] : ['new']).toContain(mark)
      },
    )
    expect(faults).toBeGreaterThan(5)
  })

  it('survives a power cut once it is written', async () => {
    const memory = new MemoryDisk()
    await (await openOn(memory)).writeMark('ours')
    expect(await (await openOn(memory.afterPowerCut('none', seededRandom(1)))).readMark()).toBe('ours')
  })
})

describe('a folder that is opened as it is', () => {
  const asItIs = { clock: systemClock, random: secureRandom, create: false }

  it('is not made where it is missing, and nothing is made in one that is empty', async () => {
    const { outside, close } = await temporaryStore()
    const missing = path.join(outside, 'missing')
    expect(await reasonOf(openLocalStore({ ...asItIs, root: missing }))).toBe('not-found')
    await using store = await openLocalStore({ ...asItIs, root: outside })
    expect(await store.readMark()).toBeUndefined()
    expect(await fs.readdir(outside)).toEqual([])
    await fs.rmdir(outside)
    expect(await reasonOf(store.readMark())).toBe('not-found')
    await close()
  })
})
