import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { KIND_FILE, KIND_FOLDER, KIND_GONE } from '../object-store.ts'
import { inChunks, readAll, someBytes } from './sources.ts'
import { rejectsWith, type StoreSite } from './store-site.ts'

/** Reading files, listing folders and making them. */
export function entryCases(site: StoreSite): void {
  const { at, partBytes, put, contentOf, namesIn } = site

  async function collected(key: string): Promise<Record<string, number>> {
    const found: Record<string, number> = {}
    for await (const page of site.store.list(key, { details: true })) {
      for (const [index, name] of page.names.entries()) found[name] = page.details?.sizes[index] ?? Number.NaN
    }
    return found
  }

  describe('reading', () => {
    it('answers a whole file and its facts', async () => {
      const content = someBytes(100_000)
      const entry = await put(at('file.bin'), content)
      expect(entry).toMatchObject({ key: at('file.bin'), kind: 'file', size: 100_000 })
      expect(await site.store.stat(at('file.bin'))).toEqual(entry)
      expect(await contentOf(at('file.bin'))).toEqual(content)
    })

    it('answers exactly the span that is asked for', async () => {
      const content = someBytes(3 * MiB + 17)
      await put(at('file.bin'), content)
      await using reader = await site.store.openRead(at('file.bin'))
      for (const [start, end] of [
        [0, 1],
        [5, 5],
        [MiB - 1, MiB + 1],
        [100, 3 * MiB],
        [3 * MiB + 16, 3 * MiB + 17],
        [MiB, 9 * MiB],
      ] as const) {
        expect(await readAll(reader, { start, end })).toEqual(content.slice(start, end))
      }
      expect(await readAll(reader, { start: 3 * MiB })).toEqual(content.slice(3 * MiB))
    })

    it('gives content that changed another etag', async () => {
      const first = await put(at('file'), someBytes(1000, 1))
      const second = await put(at('file'), someBytes(1000, 2), 'replace')
      expect(first.etag).toMatch(/^[\w-]+$/)
      expect(second.etag).not.toBe(first.etag)
    })

    it('tells a folder from another one that took its name', async () => {
      const { etag } = await site.store.createFolder(at('folder'))
      await put(at('folder/file'), someBytes(10, 1))
      expect(await site.store.stat(at('folder'))).toMatchObject({ etag })
      if (!site.store.capabilities.atomicMove) return
      await site.store.move(at('folder'), at('moved'), { conflict: 'fail' })
      expect(await site.store.stat(at('moved'))).toMatchObject({ etag })
      expect((await site.store.createFolder(at('folder'))).etag).not.toBe(etag)
    })

    it('keeps an empty file', async () => {
      await put(at('empty'), new Uint8Array())
      expect(await site.store.stat(at('empty'))).toMatchObject({ kind: 'file', size: 0 })
      expect(await contentOf(at('empty'))).toHaveLength(0)
    })

    it('stops when it is cancelled', async () => {
      await put(at('file'), someBytes(3 * MiB))
      await using reader = await site.store.openRead(at('file'))
      const stop = new AbortController()
      const reading = (async () => {
        for await (const chunk of reader.stream({}, stop.signal)) if (chunk.length > 0) stop.abort(new Error('enough'))
      })()
      await expect(reading).rejects.toThrow('enough')
    })

    it('knows nothing of what is not there', async () => {
      expect(await site.store.stat(at('nothing'))).toBeUndefined()
      await rejectsWith('not-found', site.store.openRead(at('nothing')))
      await rejectsWith('is-folder', site.store.openRead(site.folder))
    })
  })

  describe('listing', () => {
    it('shows the files and folders of one folder only', async () => {
      await put(at('b.txt'), someBytes(10))
      await site.store.createFolder(at('sub'))
      await put(at('sub/deep.txt'), someBytes(20))
      const kinds: Record<string, number> = {}
      for await (const page of site.store.list(site.folder)) {
        for (const [index, name] of page.names.entries()) kinds[name] = page.kinds[index] ?? Number.NaN
      }
      expect(kinds).toEqual({ 'b.txt': KIND_FILE, sub: KIND_FOLDER })
      expect(await collected(site.folder)).toEqual({ 'b.txt': 10, sub: 0 })
    })

    it('never shows an upload in the making, nor the place where it is made', async () => {
      const upload = await site.store.createUpload({ key: at('soon.bin'), size: partBytes() })
      await site.store.writePart(upload, { index: 0, offset: 0, length: partBytes() }, inChunks(someBytes(partBytes())))
      expect(await namesIn(site.folder)).toEqual([])
      expect((await namesIn('')).every((name) => name.startsWith('case-'))).toBe(true)
      await site.store.abortUpload(upload)
    })

    it('lists the versions of its files where it lists details at no cost', async () => {
      const { etag } = await put(at('one'), someBytes(1))
      await site.store.createFolder(at('sub'))
      const listed: Record<string, string | undefined> = {}
      for await (const page of site.store.list(site.folder, { details: site.store.capabilities.detailedList }))
        for (const [index, name] of page.names.entries()) listed[name] = page.details?.etags?.[index]
      const isListed = site.store.capabilities.detailedList
      expect(listed).toEqual({ one: isListed ? etag : undefined, sub: isListed ? '' : undefined })
    })

    it('returns details of many entries and which are gone', async () => {
      await put(at('one'), someBytes(1))
      await site.store.createFolder(at('sub'))
      const columns = await site.store.statMany(site.folder, ['one', 'none', 'sub'])
      expect([...columns.kinds]).toEqual([KIND_FILE, KIND_GONE, KIND_FOLDER])
      expect(columns.sizes[0]).toBe(1)
    })

    it('says so when there is no such folder', async () => {
      await put(at('file'), someBytes(1))
      await rejectsWith('not-found', namesIn(at('missing')))
      await rejectsWith('not-a-folder', namesIn(at('file')))
    })
  })

  describe('folders', () => {
    it('makes one, once', async () => {
      expect(await site.store.createFolder(at('new'))).toMatchObject({ kind: 'folder', key: at('new') })
      await rejectsWith('exists', site.store.createFolder(at('new')))
      await put(at('file'), someBytes(1))
      await rejectsWith('exists', site.store.createFolder(at('file')))
    })

    it('needs the folder above, unless asked to make all of them', async () => {
      await rejectsWith('not-found', site.store.createFolder(at('a/b')))
      await site.store.ensureFolder(at('a/b/c'))
      await site.store.ensureFolder(at('a/b/c'))
      expect(await namesIn(at('a/b'))).toEqual(['c'])
    })

    it('cannot be made below a file', async () => {
      await put(at('file'), someBytes(1))
      await rejectsWith('not-a-folder', site.store.ensureFolder(at('file/sub')))
      await rejectsWith('not-a-folder', site.store.createFolder(at('file/sub')))
    })

    it('lets exactly one of many makers succeed', async () => {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => site.store.createFolder(at('race'))))
      const made = results.filter((result) => result.status === 'fulfilled').length
      if (site.store.capabilities.conditionalComplete) expect(made).toBe(1)
      else expect(made).toBeGreaterThan(0)
    })
  })
}
