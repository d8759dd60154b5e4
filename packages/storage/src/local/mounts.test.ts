import { beforeEach, describe, expect, it } from 'vitest'
import type { ObjectStore } from '../object-store.ts'
import { openOn } from '../testing/day-of-a-store.ts'
import { MemoryDisk } from '../testing/memory-disk.ts'
import { inChunks, readAll, someBytes } from '../testing/sources.ts'

describe('a filesystem mounted below the root', () => {
  let disk: MemoryDisk
  let store: ObjectStore

  beforeEach(async () => {
    disk = new MemoryDisk(['/store/mnt'])
    store = await openOn(disk)
    await store.ensureFolder('mnt/deep')
    await store.ensureFolder('here')
  })

  async function put(key: string): Promise<void> {
    const upload = await store.createUpload({ key, size: 1000 })
    await store.writePart(upload, { index: 0, offset: 0, length: 1000 }, inChunks(someBytes(1000)))
    await store.completeUpload(upload, { size: 1000, conflict: 'fail' })
  }

  async function contentOf(key: string): Promise<Uint8Array> {
    await using reader = await store.openRead(key)
    return await readAll(reader)
  }

  it('takes uploads, small files and copies where they belong, and hides how', async () => {
    await put('mnt/deep/file')
    await store.writeFiles([{ key: 'mnt/small', content: someBytes(5) }], { conflict: 'fail' })
    await store.copy('mnt/deep', 'here/deep', { conflict: 'fail' })
    expect(await contentOf('here/deep/file')).toEqual(someBytes(1000))
    const names = (await Array.fromAsync(store.list('mnt'))).flatMap((page) => page.names)
    expect(names.toSorted()).toEqual(['deep', 'small'])
  })

  it('takes what is moved there, a file as well as a tree', async () => {
    await put('here/file')
    await store.move('here/file', 'mnt/file', { conflict: 'fail' })
    await store.move('mnt/deep', 'here/deep', { conflict: 'fail' })
    expect(await contentOf('mnt/file')).toEqual(someBytes(1000))
    expect(await store.stat('here/file')).toBeUndefined()
    expect(await store.stat('mnt/deep')).toBeUndefined()
  })

  it('is swept like the rest, by a later process too', async () => {
    const upload = await store.createUpload({ key: 'mnt/deep/never', size: 10 })
    const later = await openOn(disk)
    const stale = await Array.fromAsync(later.listUploads(Number.MAX_SAFE_INTEGER))
    expect(stale.map((found) => found.upload.id)).toEqual([upload.id])
    for (const found of stale) await later.abortUpload(found.upload)
    expect(await Array.fromAsync(later.listUploads(Number.MAX_SAFE_INTEGER))).toEqual([])
  })
})
