import { describe, expect, it } from 'vitest'
import { cutPowerEverywhere, failEverywhere, openOn, reasonOf } from '../testing/day-of-a-store.ts'
import { failingDisk, forEveryFault, failsOnCall } from '../testing/failing-disk.ts'
import { MemoryDisk, type Survival } from '../testing/memory-disk.ts'
import { inChunks, someBytes } from '../testing/sources.ts'

const PART = 10_000
const CONTENT = someBytes(3 * PART, 1)

describe('faults of the disk', () => {
  it.each<Survival>(['none', 'all', 'some'])(
    'lose no acknowledged byte in a power cut at any call (%s survives)',
    async (survival) => {
      expect(await cutPowerEverywhere(survival, 1)).toBeGreaterThan(150)
    },
  )

  it.each(['ENOSPC', 'EIO'])('leave every word kept when any single call fails with %s', async (code) => {
    expect(await failEverywhere(code)).toBeGreaterThan(150)
  })

  it('never acknowledges after a failed flush, and never flushes the same file again', async () => {
    const faults = await forEveryFault(
      (nth) => failsOnCall(nth, 'EIO', ['flush']),
      async (fault) => {
        let failedAt: number | undefined
        const memory = new MemoryDisk()
        const watched = failingDisk(memory, (call) => {
          const code = fault(call)
          if (code !== undefined) failedAt = call.index
          return code
        })
        const store = await openOn(watched.disk)
        const upload = await store.createUpload({ key: 'file', size: 2 * PART })
        const first = store.writePart(
          upload,
          { index: 0, offset: 0, length: PART },
          inChunks(CONTENT.subarray(0, PART)),
        )
        const failed = await reasonOf(first)
        if (failedAt === undefined) return
        expect(failed).toBe('upload-failed')
        const again = store.writePart(
          upload,
          { index: 0, offset: 0, length: PART },
          inChunks(CONTENT.subarray(0, PART)),
        )
        expect(await reasonOf(again)).toBe('upload-failed')
        expect(await reasonOf(store.completeUpload(upload, { size: 2 * PART, conflict: 'fail' }))).toBe('upload-failed')
        expect(await store.stat('file')).toBeUndefined()
        const reopened = await openOn(memory)
        expect(await reasonOf(reopened.completeUpload(upload, { size: 2 * PART, conflict: 'fail' }))).toBe(
          'upload-gone',
        )
        expect(watched.calls.slice(failedAt + 1).filter((call) => call.name === 'flush')).toEqual([])
      },
    )
    expect(faults).toBe(1)
  })

  it('acknowledges only after write, flush, link, flush of the folder, in this order', async () => {
    const watched = failingDisk(new MemoryDisk())
    const store = await openOn(watched.disk)
    const begin = watched.calls.length
    const upload = await store.createUpload({ key: 'file', size: 100 })
    await store.writePart(upload, { index: 0, offset: 0, length: 100 }, inChunks(CONTENT.subarray(0, 100)))
    await store.completeUpload(upload, { size: 100, conflict: 'fail' })
    const changing = ['truncate', 'write', 'flush', 'flushFolder', 'link', 'unlink', 'rename']
    const order = watched.calls
      .slice(begin)
      .map((call) => call.name)
      .filter((name) => changing.includes(name))
    expect(order).toEqual(['truncate', 'flushFolder', 'write', 'flush', 'flush', 'link', 'flushFolder', 'unlink'])
  })

  it('keeps a reserve of the disk free and says what is the matter', async () => {
    const disk = new MemoryDisk()
    disk.space = async () => ({ freeBytes: 70_000, totalBytes: 100_000 })
    const store = await openOn(disk, 65_000)
    expect(await reasonOf(store.createUpload({ key: 'file', size: 5001 }))).toBe('no-space')
    const upload = await store.createUpload({ key: 'file', size: null })
    expect(await reasonOf(store.appendUpload(upload, 0, inChunks(CONTENT)))).toBe('no-space')
    disk.space = async () => ({ freeBytes: 200_000, totalBytes: 300_000 })
    expect(await store.appendUpload(upload, 0, inChunks(CONTENT))).toBe(CONTENT.length)
  })
})
