import { MiB } from '@godwit/base'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { StorageError, type StorageReason } from '../errors.ts'
import type { Entry, ObjectStore, OnConflict, Upload } from '../object-store.ts'
import { inChunks, readAll } from './sources.ts'

export interface StoreUnderTest {
  readonly name: string
  /** A new, empty store for each call; `close` releases everything. */
  open(): Promise<{ readonly store: ObjectStore; close(): Promise<void> }>
}

export type StoreSite = ReturnType<typeof storeSite>

/** One store for a whole suite, with a folder of its own for each case. */
export function storeSite(provider: StoreUnderTest) {
  let opened: Awaited<ReturnType<StoreUnderTest['open']>>
  let store: ObjectStore
  let folder = ''
  let turn = 0

  beforeAll(async () => {
    opened = await provider.open()
    store = opened.store
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    folder = `case-${turn++}`
    await store.createFolder(folder)
  })

  const at = (name: string): string => `${folder}/${name}`
  const partBytes = (): number => Math.max(MiB, store.capabilities.part.minBytes)

  async function put(key: string, content: Uint8Array, conflict: OnConflict = 'fail'): Promise<Entry> {
    const upload = await store.createUpload({ key, size: content.length })
    return finish(upload, content, conflict)
  }

  async function finish(upload: Upload, content: Uint8Array, conflict: OnConflict = 'fail'): Promise<Entry> {
    for (let index = 0; index * upload.partSize < content.length; index++) {
      const offset = index * upload.partSize
      const part = content.subarray(offset, offset + upload.partSize)
      await store.writePart(upload, { index, offset, length: part.length }, inChunks(part))
    }
    return store.completeUpload(upload, { size: content.length, conflict })
  }

  async function contentOf(key: string): Promise<Uint8Array> {
    await using reader = await store.openRead(key)
    return await readAll(reader)
  }

  async function namesIn(key: string): Promise<string[]> {
    const names: string[] = []
    for await (const page of store.list(key)) names.push(...page.names)
    return names.toSorted()
  }

  return {
    /** There once the suite has begun: read it in a case, not before. */
    get store(): ObjectStore {
      return store
    },
    /** The folder of the case that runs. */
    get folder(): string {
      return folder
    },
    ...{ at, partBytes, put, finish, contentOf, namesIn },
  }
}

/** Expects work to fail with a `StorageError` for this reason. */
export async function rejectsWith(reason: StorageReason, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StorageError)
  expect(error).toMatchObject({ reason })
}
