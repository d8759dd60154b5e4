import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom, systemClock } from '@godwit/base'
import { openLocalStore, type ObjectStore } from '@godwit/storage'
import { createListingCache } from './listing-cache.ts'
import { NamePacker } from '../packed-names.ts'

let folder: string
let store: ObjectStore
beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-listings-'))
  store = await openLocalStore({ root: path.join(folder, 'files'), clock: systemClock, random: seededRandom(1) })
})
afterEach(async () => {
  await store[Symbol.asyncDispose]()
  fs.rmSync(folder, { recursive: true })
})

const cacheFolder = (): string => path.join(folder, 'cache')
const cache = () => createListingCache({ cacheFolder: cacheFolder(), random: seededRandom(2), nameOf: () => '0' })

function contents() {
  const packer = new NamePacker()
  for (const name of ['reports', 'a.txt', '文件2']) packer.add(name, 0)
  return { names: packer.pack().names, folderCount: 1 }
}

describe('the kept index of a folder', () => {
  it('is the one that was saved, as long as the time of the folder stands still', async () => {
    const reports = { store, key: 'reports' }
    await cache().save(reports, 1.25, contents())
    const loaded = await cache().load(reports, 1.25)
    expect(loaded?.names.isSameAs(contents().names)).toBe(true)
    expect(loaded?.folderCount).toBe(1)
    expect(await cache().load(reports, 1.5)).toBeUndefined()
    expect(await cache().load({ store, key: 'other' }, 1.25)).toBeUndefined()
  })
  it('is read anew when any byte of the file was damaged, or its end is missing', async () => {
    const reports = { store, key: 'reports' }
    await cache().save(reports, 1.25, contents())
    const file = path.join(cacheFolder(), fs.readdirSync(cacheFolder())[0] ?? '')
    const whole = fs.readFileSync(file)
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole)
      damaged.writeUInt8((whole[at] ?? 0) ^ 1, at)
      fs.writeFileSync(file, damaged)
      expect(await cache().load(reports, 1.25)).toBeUndefined()
      fs.writeFileSync(file, whole.subarray(0, at))
      expect(await cache().load(reports, 1.25)).toBeUndefined()
    }
  })
  it('is one of at most 64', async () => {
    for (let number = 0; number < 70; number++) await cache().save({ store, key: `f${number}` }, 1, contents())
    expect(fs.readdirSync(cacheFolder())).toHaveLength(64)
  })
})
