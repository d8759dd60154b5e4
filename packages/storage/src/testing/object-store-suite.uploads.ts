import { describe, expect, it } from 'vitest'
import type { Upload } from '../object-store.ts'
import { inChunks, readAll, someBytes, thenFailing, thenSilent } from './sources.ts'
import { rejectsWith, type StoreSite } from './store-site.ts'

/** Uploads in parts and in sequence, and many small files at once. */
export function uploadCases(site: StoreSite): void {
  const { at, partBytes, put, finish, contentOf } = site

  describe('uploading in parts', () => {
    it('takes parts in any order, in parallel, and again', async () => {
      const size = 3 * partBytes() + 123
      const content = someBytes(size)
      const created = await site.store.createUpload({ key: at('file'), size, partSize: partBytes() })
      const upload = JSON.parse(JSON.stringify(created)) as Upload
      expect(upload.partSize).toBe(partBytes())
      const write = (index: number): Promise<void> => {
        const part = content.subarray(index * partBytes(), (index + 1) * partBytes())
        return site.store.writePart(upload, { index, offset: index * partBytes(), length: part.length }, inChunks(part))
      }
      await Promise.all([3, 1, 0, 2].map(write))
      await write(1)
      expect(await site.store.stat(at('file'))).toBeUndefined()
      await site.store.completeUpload(upload, { size, conflict: 'fail' })
      expect(await contentOf(at('file'))).toEqual(content)
    })

    it('completes once, however often it is asked', async () => {
      const content = someBytes(1000)
      const upload = await site.store.createUpload({ key: at('file'), size: 1000 })
      const first = await finish(upload, content)
      expect(await site.store.completeUpload(upload, { size: 1000, conflict: 'fail' })).toEqual(first)
      expect(await contentOf(at('file'))).toEqual(content)
    })

    it('does not touch a taken name, and can still be completed elsewhere or by replacing', async () => {
      await put(at('file'), someBytes(10, 1))
      const upload = await site.store.createUpload({ key: at('file'), size: 20 })
      await rejectsWith('exists', finish(upload, someBytes(20, 2)))
      expect(await contentOf(at('file'))).toEqual(someBytes(10, 1))
      const retry = site.store.capabilities.retarget
        ? ({ size: 20, conflict: 'fail', key: at('file (1)') } as const)
        : ({ size: 20, conflict: 'replace' } as const)
      const entry = await site.store.completeUpload(upload, retry)
      expect(await contentOf(entry.key)).toEqual(someBytes(20, 2))
    })

    it('lets exactly one of several uploads have a name', async () => {
      if (!site.store.capabilities.conditionalComplete) return
      const uploads = await Promise.all([1, 2, 3, 4].map(() => site.store.createUpload({ key: at('file'), size: 100 })))
      const results = await Promise.allSettled(uploads.map((upload, index) => finish(upload, someBytes(100, index))))
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
      const winner = results.findIndex((result) => result.status === 'fulfilled')
      expect(await contentOf(at('file'))).toEqual(someBytes(100, winner))
    })

    it('refuses to replace a folder', async () => {
      await site.store.createFolder(at('taken'))
      const upload = await site.store.createUpload({ key: at('taken'), size: 1 })
      await rejectsWith('is-folder', finish(upload, someBytes(1), 'replace'))
    })

    it('reports a source that breaks, ends early or runs over', async () => {
      const upload = await site.store.createUpload({ key: at('file'), size: 200_000 })
      const place = { index: 0, offset: 0, length: 200_000 }
      await rejectsWith('source', site.store.writePart(upload, place, thenFailing(someBytes(100_000))))
      await rejectsWith('source', site.store.writePart(upload, place, inChunks(someBytes(199_999))))
      await rejectsWith('source', site.store.writePart(upload, place, inChunks(someBytes(200_001))))
      await rejectsWith(
        'incomplete',
        site.store.writePart(upload, { ...place, length: 200_001 }, inChunks(someBytes(200_001))),
      )
      await site.store.writePart(upload, place, inChunks(someBytes(200_000)))
      await site.store.completeUpload(upload, { size: 200_000, conflict: 'fail' })
      expect(await contentOf(at('file'))).toEqual(someBytes(200_000))
    })

    it('stops a silent source when it is cancelled', async () => {
      const upload = await site.store.createUpload({ key: at('file'), size: 1000 })
      const stop = new AbortController()
      const { promise, resolve } = Promise.withResolvers<void>()
      const source = thenSilent(someBytes(10), promise)
      const writing = site.store.writePart(upload, { index: 0, offset: 0, length: 1000 }, source, {
        signal: stop.signal,
        tap: () => setImmediate(() => stop.abort(new Error('cancelled'))),
      })
      await expect(writing).rejects.toThrow('cancelled')
      resolve()
      await site.store.abortUpload(upload)
    })

    it('forgets an aborted upload', async () => {
      const upload = await site.store.createUpload({ key: at('file'), size: 10 })
      await site.store.abortUpload(upload)
      await site.store.abortUpload(upload)
      await rejectsWith('upload-gone', finish(upload, someBytes(10)))
      expect(await site.store.stat(at('file'))).toBeUndefined()
    })

    it('lists the uploads that nobody has touched', async () => {
      const upload = await site.store.createUpload({ key: at('file'), size: 10 })
      const listed = async (beforeMs: number): Promise<string[]> => {
        const ids: string[] = []
        for await (const stale of site.store.listUploads(beforeMs)) ids.push(stale.upload.id)
        return ids
      }
      expect(await listed(Date.now() + 60_000)).toContain(upload.id)
      expect(await listed(Date.now() - 60_000)).not.toContain(upload.id)
      for await (const stale of site.store.listUploads(Date.now() + 60_000)) await site.store.abortUpload(stale.upload)
      expect(await listed(Date.now() + 60_000)).toEqual([])
    })

    it('lists uploads while others end', async () => {
      for await (const { upload } of site.store.listUploads(Date.now() + 60_000)) await site.store.abortUpload(upload)
      const names = ['one', 'two', 'three']
      const uploads = await Promise.all(names.map((name) => site.store.createUpload({ key: at(name), size: 10 })))
      const listed: string[] = []
      for await (const { upload } of site.store.listUploads(Date.now() + 60_000)) {
        listed.push(upload.id)
        for (const other of uploads.filter(({ id }) => id !== upload.id)) await site.store.abortUpload(other)
      }
      expect(listed).toHaveLength(1)
    })

    it('can be read before it is complete where that is possible', async () => {
      if (!site.store.capabilities.readableUploads) return
      const upload = await site.store.createUpload({ key: at('file'), size: 100 })
      await site.store.writePart(upload, { index: 0, offset: 0, length: 100 }, inChunks(someBytes(100)))
      await using reader = await site.store.openUpload(upload)
      expect(await readAll(reader, { start: 10, end: 100 })).toEqual(someBytes(100).slice(10))
    })
  })

  describe('uploading in sequence', () => {
    it('goes on where the last append ended, at any byte', async () => {
      const content = someBytes(2 * partBytes() + 4321)
      const upload = await site.store.createUpload({ key: at('file'), size: null, partSize: partBytes() })
      let end = 0
      for (const stop of [1, 1000, partBytes() + 7, content.length]) {
        end = await site.store.appendUpload(upload, end, inChunks(content.subarray(end, stop)))
        expect(end).toBe(stop)
      }
      await site.store.completeUpload(upload, { size: content.length, conflict: 'fail' })
      expect(await contentOf(at('file'))).toEqual(content)
    })

    it('keeps what came before the connection broke', async () => {
      const content = someBytes(partBytes() + 300_000)
      const upload = await site.store.createUpload({ key: at('file'), size: content.length, partSize: partBytes() })
      let durable = 0
      const broken = site.store.appendUpload(upload, 0, thenFailing(content.subarray(0, partBytes() + 100_000)), {
        onDurable: (length) => (durable = length),
      })
      await rejectsWith('source', broken)
      expect(durable).toBe(partBytes() + 100_000)
      expect(await site.store.appendUpload(upload, durable, inChunks(content.subarray(durable)))).toBe(content.length)
      await site.store.completeUpload(upload, { size: content.length, conflict: 'fail' })
      expect(await contentOf(at('file'))).toEqual(content)
    })

    it('may send again what was never reported', async () => {
      const content = someBytes(partBytes() + 50_000)
      const upload = await site.store.createUpload({ key: at('file'), size: null, partSize: partBytes() })
      const first = await site.store.appendUpload(upload, 0, inChunks(content.subarray(0, 10_000)))
      await site.store.appendUpload(upload, first, inChunks(content.subarray(first)))
      await site.store.appendUpload(upload, first, inChunks(content.subarray(first)))
      await site.store.completeUpload(upload, { size: content.length, conflict: 'fail' })
      expect(await contentOf(at('file'))).toEqual(content)
    })
  })

  describe('many small files', () => {
    it('writes each whole and reports each', async () => {
      await site.store.createFolder(at('sub'))
      await put(at('taken'), someBytes(3))
      const files = Array.from({ length: 40 }, (_, index) => ({
        key: at(index % 2 === 0 ? `f${index}` : `sub/f${index}`),
        content: someBytes(index * 100, index),
      }))
      const results = await site.store.writeFiles(
        [...files, { key: at('taken'), content: someBytes(9) }, { key: at('none/x'), content: someBytes(1) }],
        { conflict: 'fail' },
      )
      expect(results.slice(0, 40).map((result) => 'entry' in result && result.entry.size)).toEqual(
        files.map((file) => file.content.length),
      )
      expect(results.slice(40).map((result) => 'error' in result && result.error)).toMatchObject([
        { reason: 'exists' },
        { reason: 'not-found' },
      ])
      for (const file of files) expect(await contentOf(file.key)).toEqual(file.content)
      expect(await contentOf(at('taken'))).toEqual(someBytes(3))
    })
  })
}
