import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fakeClock, KiB, seededRandom } from '@godwit/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPictureCache } from './picture-cache.ts'

const HOUR_MS = 3_600_000
let folder: string
let warnings: string[]
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-pictures-'))
  warnings = []
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function open(limit: number) {
  const clock = fakeClock()
  const note = (_fields: unknown, message: string): void => void warnings.push(message)
  const log = { info: note, warn: note, error: note }
  const cache = createPictureCache({ folder, clock, random: seededRandom(1), log, limitBytes: async () => limit })
  return { cache, clock }
}
const key = (number: number): string => `${number.toString(16).padStart(2, '0')}abcdef`
const picture = (size: number): Uint8Array => new Uint8Array(size).fill(7)

describe('the cache of pictures', () => {
  it('gives back what was put, also after a restart', async () => {
    await open(100 * KiB).cache.put(key(1), picture(10))
    expect(await open(100 * KiB).cache.get(key(1))).toEqual(Buffer.from(picture(10)))
    expect(await open(100 * KiB).cache.get(key(2))).toBeUndefined()
  })

  it('keeps within its limit, and what was asked for last stays longest', async () => {
    const { cache, clock } = open(100 * KiB)
    for (let number = 0; number < 10; number++) {
      await cache.put(key(number), picture(10 * KiB))
      clock.advance(2 * HOUR_MS)
    }
    expect(await cache.get(key(0))).toBeDefined()
    clock.advance(HOUR_MS)
    await cache.put(key(10), picture(10 * KiB))
    const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    expect(names).toHaveLength(9)
    expect(await cache.get(key(0))).toBeDefined()
    expect(await cache.get(key(1))).toBeUndefined()
    expect(await cache.get(key(10))).toBeDefined()
  })

  it('forgets after a day that a file has no picture, and after a month what nobody asked for', async () => {
    const { cache, clock } = open(100 * KiB)
    await cache.put(key(1), picture(0))
    await cache.put(key(2), picture(5))
    expect(await cache.get(key(1))).toHaveLength(0)
    clock.advance(25 * HOUR_MS)
    expect(await cache.get(key(1))).toBeUndefined()
    clock.advance(20 * 24 * HOUR_MS)
    await cache.get(key(2))
    clock.advance(20 * 24 * HOUR_MS)
    await cache.sweep()
    expect(await cache.get(key(2))).toBeDefined()
    clock.advance(31 * 24 * HOUR_MS)
    await cache.sweep()
    expect(await cache.get(key(2))).toBeUndefined()
  })

  it('keeps nothing with a limit of 0, and empties itself', async () => {
    await open(100 * KiB).cache.put(key(1), picture(10))
    const { cache } = open(0)
    await cache.put(key(2), picture(10))
    expect(await cache.get(key(2))).toBeUndefined()
    await cache.sweep()
    expect(await cache.get(key(1))).toBeUndefined()
  })

  it('is done without where the disk refuses', async () => {
    fs.rmSync(folder, { recursive: true })
    fs.writeFileSync(folder, 'no folder')
    const { cache } = open(100 * KiB)
    await cache.put(key(1), picture(10))
    expect(await cache.get(key(1))).toBeUndefined()
    expect(warnings).toEqual(['a picture could not be kept'])
  })
})
