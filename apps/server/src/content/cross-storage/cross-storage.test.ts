import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB, seededRandom, systemClock } from '@godwit/base'
import { openLocalStore, StorageError, type ObjectReader, type ObjectStore, type StorageReason } from '@godwit/storage'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stageFile, writeUpload } from './cross-storage.ts'

const SIZE = 3 * MiB
const ENTRY = { name: 'one', kind: 'file', size: SIZE, modifiedMs: 1, etag: 'first' } as const

describe('a file on its way to another storage', () => {
  let folder = ''
  let store: ObjectStore
  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-cross-storage-'))
    store = await openLocalStore({ root: path.join(folder, 'files'), clock: systemClock, random: seededRandom(1) })
  })
  afterEach(async () => {
    await store[Symbol.asyncDispose]()
    fs.rmSync(folder, { recursive: true })
  })

  /** As a bucket reads: with the tag it began with, and no further. */
  const endingWith = (reason: StorageReason): ObjectReader =>
    ({
      entry: ENTRY,
      async *stream() {
        yield new Uint8Array(MiB)
        throw new StorageError(reason, { key: 'one' })
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }) as unknown as ObjectReader
  const target = () => ({ store, key: 'copy' })
  const signal = new AbortController().signal
  const left = (): readonly string[] =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('copy'))

  it.each(['conflict', 'not-found'] as const)(
    'has changed when its storage says %s in the middle of it',
    async (reason) => {
      const from = { store: { openRead: async () => endingWith(reason) } as unknown as ObjectStore, key: 'one' }
      await expect(stageFile(from, target(), { signal, etag: 'first' })).rejects.toMatchObject({ code: 'FILE_CHANGED' })
      expect(left()).toEqual([])
    },
  )

  it.each(['unreachable', 'io'] as const)('fails as its storage does: %s', async (reason) => {
    await expect(writeUpload(endingWith(reason), target(), { signal })).rejects.toMatchObject({ reason })
    expect(left()).toEqual([])
  })
})
