// One suite for every provider; it is long because the contract it proves is.
import { MiB } from '@godwit/base'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StorageError, type StorageReason } from '../errors.ts'
import {
  KIND_FILE,
  KIND_FOLDER,
  KIND_GONE,
  type Entry,
  type ObjectStore,
  type OnConflict,
  type Upload,
} from '../object-store.ts'
import { inChunks, readAll, someBytes, thenFailing, thenSilent } from './sources.ts'

export interface StoreUnderTest {
  readonly name: string
  /** A new, empty store for each call; `close` releases everything. */
  open(): Promise<{ readonly store: ObjectStore; close(): Promise<void> }>
}

/** What every provider must do, run against the real thing. */
export function objectStoreSuite(provider: StoreUnderTest): void {
  describe(`object store: ${provider.name}`, () => {
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

    async function collected(key: string): Promise<Record<string, number>> {
      const found: Record<string, number> = {}
      for await (const page of store.list(key, { details: true })) {
        for (const [index, name] of page.names.entries()) found[name] = page.details?.sizes[index] ?? Number.NaN
      }
      return found
    }

    describe('reading', () => {
      it('answers a whole file and its facts', async () => {
        const content = someBytes(100_000)
        const entry = await put(at('file.bin'), content)
        expect(entry).toMatchObject({ key: at('file.bin'), kind: 'file', size: 100_000 })
        expect(await store.stat(at('file.bin'))).toEqual(entry)
        expect(await contentOf(at('file.bin'))).toEqual(content)
      })

      it('answers exactly the span that is asked for', async () => {
        const content = someBytes(3 * MiB + 17)
        await put(at('file.bin'), content)
        await using reader = await store.openRead(at('file.bin'))
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
        const { etag } = await store.createFolder(at('folder'))
        await put(at('folder/file'), someBytes(10, 1))
        expect(await store.stat(at('folder'))).toMatchObject({ etag })
        if (!store.capabilities.atomicMove) return
        await store.move(at('folder'), at('moved'), { conflict: 'fail' })
        expect(await store.stat(at('moved'))).toMatchObject({ etag })
        expect((await store.createFolder(at('folder'))).etag).not.toBe(etag)
      })

      it('keeps an empty file', async () => {
        await put(at('empty'), new Uint8Array())
        expect(await store.stat(at('empty'))).toMatchObject({ kind: 'file', size: 0 })
        expect(await contentOf(at('empty'))).toHaveLength(0)
      })

      it('stops when it is cancelled', async () => {
        await put(at('file'), someBytes(3 * MiB))
        await using reader = await store.openRead(at('file'))
        const stop = new AbortController()
        const reading = (async () => {
          for await (const chunk of reader.stream({}, stop.signal))
            if (chunk.length > 0) stop.abort(new Error('enough'))
        })()
        await expect(reading).rejects.toThrow('enough')
      })

      it('knows nothing of what is not there', async () => {
        expect(await store.stat(at('nothing'))).toBeUndefined()
        await rejectsWith('not-found', store.openRead(at('nothing')))
        await rejectsWith('is-folder', store.openRead(folder))
      })
    })

    describe('listing', () => {
      it('shows the files and folders of one folder only', async () => {
        await put(at('b.txt'), someBytes(10))
        await store.createFolder(at('sub'))
        await put(at('sub/deep.txt'), someBytes(20))
        const kinds: Record<string, number> = {}
        for await (const page of store.list(folder)) {
          for (const [index, name] of page.names.entries()) kinds[name] = page.kinds[index] ?? Number.NaN
        }
        expect(kinds).toEqual({ 'b.txt': KIND_FILE, sub: KIND_FOLDER })
        expect(await collected(folder)).toEqual({ 'b.txt': 10, sub: 0 })
      })

      it('never shows an upload in the making, nor the place where it is made', async () => {
        const upload = await store.createUpload({ key: at('soon.bin'), size: partBytes() })
        await store.writePart(upload, { index: 0, offset: 0, length: partBytes() }, inChunks(someBytes(partBytes())))
        expect(await namesIn(folder)).toEqual([])
        expect((await namesIn('')).every((name) => name.startsWith('case-'))).toBe(true)
        await store.abortUpload(upload)
      })

      it('lists the versions of its files where it lists details at no cost', async () => {
        const { etag } = await put(at('one'), someBytes(1))
        await store.createFolder(at('sub'))
        const listed: Record<string, string | undefined> = {}
        for await (const page of store.list(folder, { details: store.capabilities.detailedList }))
          for (const [index, name] of page.names.entries()) listed[name] = page.details?.etags?.[index]
        const isListed = store.capabilities.detailedList
        expect(listed).toEqual({ one: isListed ? etag : undefined, sub: isListed ? '' : undefined })
      })

      it('returns details of many entries and which are gone', async () => {
        await put(at('one'), someBytes(1))
        await store.createFolder(at('sub'))
        const columns = await store.statMany(folder, ['one', 'none', 'sub'])
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
        expect(await store.createFolder(at('new'))).toMatchObject({ kind: 'folder', key: at('new') })
        await rejectsWith('exists', store.createFolder(at('new')))
        await put(at('file'), someBytes(1))
        await rejectsWith('exists', store.createFolder(at('file')))
      })

      it('needs the folder above, unless asked to make all of them', async () => {
        await rejectsWith('not-found', store.createFolder(at('a/b')))
        await store.ensureFolder(at('a/b/c'))
        await store.ensureFolder(at('a/b/c'))
        expect(await namesIn(at('a/b'))).toEqual(['c'])
      })

      it('cannot be made below a file', async () => {
        await put(at('file'), someBytes(1))
        await rejectsWith('not-a-folder', store.ensureFolder(at('file/sub')))
        await rejectsWith('not-a-folder', store.createFolder(at('file/sub')))
      })

      it('lets exactly one of many makers succeed', async () => {
        const results = await Promise.allSettled(Array.from({ length: 8 }, () => store.createFolder(at('race'))))
        const made = results.filter((result) => result.status === 'fulfilled').length
        if (store.capabilities.conditionalComplete) expect(made).toBe(1)
        else expect(made).toBeGreaterThan(0)
      })
    })

    describe('moving', () => {
      it('renames a file and keeps its content', async () => {
        await put(at('old'), someBytes(500))
        expect(await store.move(at('old'), at('new'), { conflict: 'fail' })).toMatchObject({
          key: at('new'),
          size: 500,
        })
        expect(await namesIn(folder)).toEqual(['new'])
        expect(await contentOf(at('new'))).toEqual(someBytes(500))
      })

      it('refuses a taken name, or replaces it when asked', async () => {
        await put(at('one'), someBytes(10, 1))
        await put(at('two'), someBytes(20, 2))
        await rejectsWith('exists', store.move(at('one'), at('two'), { conflict: 'fail' }))
        expect(await contentOf(at('two'))).toEqual(someBytes(20, 2))
        await store.move(at('one'), at('two'), { conflict: 'replace' })
        expect(await contentOf(at('two'))).toEqual(someBytes(10, 1))
        expect(await namesIn(folder)).toEqual(['two'])
      })

      it('moves a tree', async () => {
        await store.ensureFolder(at('tree/inner'))
        await put(at('tree/inner/leaf'), someBytes(9))
        await store.createFolder(at('target'))
        await store.move(at('tree'), at('target/tree'), { conflict: 'fail' })
        expect(await contentOf(at('target/tree/inner/leaf'))).toEqual(someBytes(9))
        expect(await store.stat(at('tree'))).toBeUndefined()
      })

      it('never merges, never swaps kinds, never moves a folder into itself', async () => {
        await store.ensureFolder(at('full/inner'))
        await store.createFolder(at('other'))
        await put(at('file'), someBytes(1))
        await rejectsWith('exists', store.move(at('other'), at('full'), { conflict: 'fail' }))
        await rejectsWith('exists', store.move(at('other'), at('full'), { conflict: 'replace' }))
        await rejectsWith('is-folder', store.move(at('file'), at('full'), { conflict: 'replace' }))
        await rejectsWith('not-a-folder', store.move(at('full'), at('file'), { conflict: 'replace' }))
        await rejectsWith('conflict', store.move(at('full'), at('full/inner/x'), { conflict: 'fail' }))
        expect(await namesIn(folder)).toEqual(['file', 'full', 'other'])
      })

      it('says what is missing', async () => {
        await rejectsWith('not-found', store.move(at('none'), at('x'), { conflict: 'fail' }))
        await put(at('file'), someBytes(1))
        await rejectsWith('not-found', store.move(at('file'), at('none/x'), { conflict: 'fail' }))
        expect(await namesIn(folder)).toEqual(['file'])
      })
    })

    describe('copying', () => {
      it('copies a file and a tree', async () => {
        await store.ensureFolder(at('tree/inner'))
        await put(at('tree/inner/leaf'), someBytes(5000))
        await put(at('tree/big'), someBytes(5 * MiB))
        const steps: number[] = []
        await store.copy(at('tree'), at('twin'), { conflict: 'fail', onProgress: (done) => steps.push(done.bytes) })
        expect(await contentOf(at('twin/inner/leaf'))).toEqual(someBytes(5000))
        expect(await contentOf(at('twin/big'))).toEqual(someBytes(5 * MiB))
        expect(await contentOf(at('tree/big'))).toEqual(someBytes(5 * MiB))
        expect(steps.at(-1)).toBe(5000 + 5 * MiB)
      })

      it('leaves nothing behind when it is cancelled', async () => {
        await store.createFolder(at('tree'))
        for (let index = 0; index < 5; index++) await put(at(`tree/${index}`), someBytes(100))
        const stop = new AbortController()
        const copying = store.copy(at('tree'), at('twin'), {
          conflict: 'fail',
          signal: stop.signal,
          onProgress: (done) => (done.files === 2 ? stop.abort(new Error('cancelled')) : undefined),
        })
        await expect(copying).rejects.toThrow('cancelled')
        expect(await namesIn(folder)).toEqual(['tree'])
      })

      it.each(['copy', 'move'] as const)(
        'leaves a file under a name that a cancelled %s was to replace',
        async (call) => {
          await put(at('one'), someBytes(100, 1))
          await put(at('two'), someBytes(100, 2))
          const stop = new AbortController()
          const onProgress = (): void => stop.abort(new Error('cancelled'))
          const how = { conflict: 'replace', signal: stop.signal, onProgress } as const
          await store[call](at('one'), at('two'), how).catch((thrown: unknown) =>
            expect(thrown).toBe(stop.signal.reason),
          )
          expect([someBytes(100, 1), someBytes(100, 2)]).toContainEqual(await contentOf(at('two')))
        },
      )

      it('refuses a taken name', async () => {
        await put(at('one'), someBytes(1))
        await put(at('two'), someBytes(2))
        await rejectsWith('exists', store.copy(at('one'), at('two'), { conflict: 'fail' }))
        await rejectsWith('not-found', store.copy(at('none'), at('three'), { conflict: 'fail' }))
      })
    })

    describe('removing', () => {
      it('removes a file and a tree and counts them', async () => {
        await put(at('file'), someBytes(7))
        expect(await store.remove(at('file'))).toEqual({ files: 1, folders: 0, bytes: 7 })
        await store.ensureFolder(at('tree/inner'))
        await put(at('tree/a'), someBytes(10))
        await put(at('tree/inner/b'), someBytes(20))
        expect(await store.remove(at('tree'))).toEqual({ files: 2, folders: 2, bytes: 30 })
        expect(await namesIn(folder)).toEqual([])
        await rejectsWith('not-found', store.remove(at('tree')))
      })

      it('leaves what it has not reached when it is cancelled', async () => {
        await store.createFolder(at('tree'))
        const files = Array.from({ length: 60 }, (_, index) => ({ key: at(`tree/${index}`), content: someBytes(1) }))
        await store.writeFiles(files, { conflict: 'fail' })
        const stop = new AbortController()
        const removing = store.remove(at('tree'), {
          signal: stop.signal,
          onProgress: (done) => (done.files === 2 ? stop.abort(new Error('cancelled')) : undefined),
        })
        await expect(removing).rejects.toThrow('cancelled')
        expect((await namesIn(at('tree'))).length).toBeGreaterThan(0)
      })
    })

    describe('uploading in parts', () => {
      it('takes parts in any order, in parallel, and again', async () => {
        const size = 3 * partBytes() + 123
        const content = someBytes(size)
        const created = await store.createUpload({ key: at('file'), size, partSize: partBytes() })
        const upload = JSON.parse(JSON.stringify(created)) as Upload
        expect(upload.partSize).toBe(partBytes())
        const write = (index: number): Promise<void> => {
          const part = content.subarray(index * partBytes(), (index + 1) * partBytes())
          return store.writePart(upload, { index, offset: index * partBytes(), length: part.length }, inChunks(part))
        }
        await Promise.all([3, 1, 0, 2].map(write))
        await write(1)
        expect(await store.stat(at('file'))).toBeUndefined()
        await store.completeUpload(upload, { size, conflict: 'fail' })
        expect(await contentOf(at('file'))).toEqual(content)
      })

      it('completes once, however often it is asked', async () => {
        const content = someBytes(1000)
        const upload = await store.createUpload({ key: at('file'), size: 1000 })
        const first = await finish(upload, content)
        expect(await store.completeUpload(upload, { size: 1000, conflict: 'fail' })).toEqual(first)
        expect(await contentOf(at('file'))).toEqual(content)
      })

      it('does not touch a taken name, and can still be completed elsewhere or by replacing', async () => {
        await put(at('file'), someBytes(10, 1))
        const upload = await store.createUpload({ key: at('file'), size: 20 })
        await rejectsWith('exists', finish(upload, someBytes(20, 2)))
        expect(await contentOf(at('file'))).toEqual(someBytes(10, 1))
        const retry = store.capabilities.retarget
          ? ({ size: 20, conflict: 'fail', key: at('file (1)') } as const)
          : ({ size: 20, conflict: 'replace' } as const)
        const entry = await store.completeUpload(upload, retry)
        expect(await contentOf(entry.key)).toEqual(someBytes(20, 2))
      })

      it('lets exactly one of several uploads have a name', async () => {
        if (!store.capabilities.conditionalComplete) return
        const uploads = await Promise.all([1, 2, 3, 4].map(() => store.createUpload({ key: at('file'), size: 100 })))
        const results = await Promise.allSettled(uploads.map((upload, index) => finish(upload, someBytes(100, index))))
        expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
        const winner = results.findIndex((result) => result.status === 'fulfilled')
        expect(await contentOf(at('file'))).toEqual(someBytes(100, winner))
      })

      it('refuses to replace a folder', async () => {
        await store.createFolder(at('taken'))
        const upload = await store.createUpload({ key: at('taken'), size: 1 })
        await rejectsWith('is-folder', finish(upload, someBytes(1), 'replace'))
      })

      it('reports a source that breaks, ends early or runs over', async () => {
        const upload = await store.createUpload({ key: at('file'), size: 200_000 })
        const place = { index: 0, offset: 0, length: 200_000 }
        await rejectsWith('source', store.writePart(upload, place, thenFailing(someBytes(100_000))))
        await rejectsWith('source', store.writePart(upload, place, inChunks(someBytes(199_999))))
        await rejectsWith('source', store.writePart(upload, place, inChunks(someBytes(200_001))))
        await rejectsWith(
          'incomplete',
          store.writePart(upload, { ...place, length: 200_001 }, inChunks(someBytes(200_001))),
        )
        await store.writePart(upload, place, inChunks(someBytes(200_000)))
        await store.completeUpload(upload, { size: 200_000, conflict: 'fail' })
        expect(await contentOf(at('file'))).toEqual(someBytes(200_000))
      })

      it('stops a silent source when it is cancelled', async () => {
        const upload = await store.createUpload({ key: at('file'), size: 1000 })
        const stop = new AbortController()
        const { promise, resolve } = Promise.withResolvers<void>()
        const source = thenSilent(someBytes(10), promise)
        const writing = store.writePart(upload, { index: 0, offset: 0, length: 1000 }, source, {
          signal: stop.signal,
          tap: () => setImmediate(() => stop.abort(new Error('cancelled'))),
        })
        await expect(writing).rejects.toThrow('cancelled')
        resolve()
        await store.abortUpload(upload)
      })

      it('forgets an aborted upload', async () => {
        const upload = await store.createUpload({ key: at('file'), size: 10 })
        await store.abortUpload(upload)
        await store.abortUpload(upload)
        await rejectsWith('upload-gone', finish(upload, someBytes(10)))
        expect(await store.stat(at('file'))).toBeUndefined()
      })

      it('lists the uploads that nobody has touched', async () => {
        const upload = await store.createUpload({ key: at('file'), size: 10 })
        const listed = async (beforeMs: number): Promise<string[]> => {
          const ids: string[] = []
          for await (const stale of store.listUploads(beforeMs)) ids.push(stale.upload.id)
          return ids
        }
        expect(await listed(Date.now() + 60_000)).toContain(upload.id)
        expect(await listed(Date.now() - 60_000)).not.toContain(upload.id)
        for await (const stale of store.listUploads(Date.now() + 60_000)) await store.abortUpload(stale.upload)
        expect(await listed(Date.now() + 60_000)).toEqual([])
      })

      it('lists uploads while others end', async () => {
        for await (const { upload } of store.listUploads(Date.now() + 60_000)) await store.abortUpload(upload)
        const names = ['one', 'two', 'three']
        const uploads = await Promise.all(names.map((name) => store.createUpload({ key: at(name), size: 10 })))
        const listed: string[] = []
        for await (const { upload } of store.listUploads(Date.now() + 60_000)) {
          listed.push(upload.id)
          for (const other of uploads.filter(({ id }) => id !== upload.id)) await store.abortUpload(other)
        }
        expect(listed).toHaveLength(1)
      })

      it('can be read before it is complete where that is possible', async () => {
        if (!store.capabilities.readableUploads) return
        const upload = await store.createUpload({ key: at('file'), size: 100 })
        await store.writePart(upload, { index: 0, offset: 0, length: 100 }, inChunks(someBytes(100)))
        await using reader = await store.openUpload(upload)
        expect(await readAll(reader, { start: 10, end: 100 })).toEqual(someBytes(100).slice(10))
      })
    })

    describe('uploading in sequence', () => {
      it('goes on where the last append ended, at any byte', async () => {
        const content = someBytes(2 * partBytes() + 4321)
        const upload = await store.createUpload({ key: at('file'), size: null, partSize: partBytes() })
        let end = 0
        for (const stop of [1, 1000, partBytes() + 7, content.length]) {
          end = await store.appendUpload(upload, end, inChunks(content.subarray(end, stop)))
          expect(end).toBe(stop)
        }
        await store.completeUpload(upload, { size: content.length, conflict: 'fail' })
        expect(await contentOf(at('file'))).toEqual(content)
      })

      it('keeps what came before the connection broke', async () => {
        const content = someBytes(partBytes() + 300_000)
        const upload = await store.createUpload({ key: at('file'), size: content.length, partSize: partBytes() })
        let durable = 0
        const broken = store.appendUpload(upload, 0, thenFailing(content.subarray(0, partBytes() + 100_000)), {
          onDurable: (length) => (durable = length),
        })
        await rejectsWith('source', broken)
        expect(durable).toBe(partBytes() + 100_000)
        expect(await store.appendUpload(upload, durable, inChunks(content.subarray(durable)))).toBe(content.length)
        await store.completeUpload(upload, { size: content.length, conflict: 'fail' })
        expect(await contentOf(at('file'))).toEqual(content)
      })

      it('may send again what was never reported', async () => {
        const content = someBytes(partBytes() + 50_000)
        const upload = await store.createUpload({ key: at('file'), size: null, partSize: partBytes() })
        const first = await store.appendUpload(upload, 0, inChunks(content.subarray(0, 10_000)))
        await store.appendUpload(upload, first, inChunks(content.subarray(first)))
        await store.appendUpload(upload, first, inChunks(content.subarray(first)))
        await store.completeUpload(upload, { size: content.length, conflict: 'fail' })
        expect(await contentOf(at('file'))).toEqual(content)
      })
    })

    describe('many small files', () => {
      it('writes each whole and reports each', async () => {
        await store.createFolder(at('sub'))
        await put(at('taken'), someBytes(3))
        const files = Array.from({ length: 40 }, (_, index) => ({
          key: at(index % 2 === 0 ? `f${index}` : `sub/f${index}`),
          content: someBytes(index * 100, index),
        }))
        const results = await store.writeFiles(
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

    describe('keys', () => {
      const HOSTILE = [
        '..',
        '../x',
        'a/../b',
        '/etc/passwd',
        'a//b',
        'a/',
        './a',
        'a\0b',
        'lone\uD800',
        '\uDC00',
        '.godwit',
        '.GodWit/parts',
        'a/.godwit/x',
        'x'.repeat(256),
        '字'.repeat(86),
        'd/'.repeat(2000) + 'f',
      ]

      it.each(HOSTILE)('refuses %j everywhere', async (key) => {
        const upload = { id: '0'.repeat(32), key, size: 1, partSize: 1, provider: {} }
        await rejectsWith('invalid-key', store.stat(key))
        await rejectsWith('invalid-key', namesIn(key))
        await rejectsWith('invalid-key', store.openRead(key))
        await rejectsWith('invalid-key', store.createFolder(key))
        await rejectsWith('invalid-key', store.ensureFolder(key))
        await rejectsWith('invalid-key', store.move(key, at('x'), { conflict: 'fail' }))
        await rejectsWith('invalid-key', store.move(folder, key, { conflict: 'fail' }))
        await rejectsWith('invalid-key', store.copy(folder, key, { conflict: 'fail' }))
        await rejectsWith('invalid-key', store.remove(key))
        await rejectsWith('invalid-key', store.createUpload({ key, size: 1 }))
        await rejectsWith('invalid-key', store.completeUpload(upload, { size: 1, conflict: 'fail' }))
      })

      it.each([
        'é-nfc',
        'e\u0301-nfd',
        '字'.repeat(85),
        '\u202Egpj.exe',
        '👩‍👩‍👧',
        '-rf',
        '$(x)`;',
        'quote\'"',
        ' lead',
        'trail ',
        'dot.',
        'a\tb\nc',
        '__proto__',
        'constructor',
        '=cmd|',
        '%2e%2e%2f',
        '\uFFFD',
        'CON',
        'a:b',
        'x*?<>|',
        '\uFEFF',
      ])('keeps the name %j to the byte, or refuses it', async (name) => {
        try {
          await put(at(name), someBytes(3))
        } catch (error) {
          expect(error).toMatchObject({ reason: 'invalid-key' })
          return
        }
        expect(await namesIn(folder)).toEqual([name])
        expect(await contentOf(at(name))).toEqual(someBytes(3))
        await store.remove(at(name))
        expect(await namesIn(folder)).toEqual([])
      })

      it.each(['..', '../../x', '0'.repeat(31), 'g'.repeat(32), '0'.repeat(32) + '/x', ''])(
        'knows no upload with the id %j',
        async (id) => {
          const upload: Upload = { ...(await store.createUpload({ key: at('file'), size: 1 })), id }
          await rejectsWith('upload-gone', finish(upload, someBytes(1)))
        },
      )
    })

    it("moves a folder's time when an entry comes or goes, where it says so", async () => {
      if (store.capabilities.folderTimes === 'none') return
      const timeOf = async (): Promise<number> => (await store.stat(folder))?.modifiedMs ?? Number.NaN
      let made = 0
      const before = await timeOf()
      // A disk's clock has coarse ticks: the next one comes while folders are made.
      await expect.poll(async () => store.createFolder(at(`new-${made++}`)).then(timeOf)).toBeGreaterThan(before)
      const between = await timeOf()
      await expect
        .poll(async () =>
          (made > 0 ? store.remove(at(`new-${--made}`)) : store.createFolder(at(`new-${made++}`))).then(timeOf),
        )
        .toBeGreaterThan(between)
    })

    it('keeps its mark, the last one written, out of every listing', async () => {
      expect(await store.readMark()).toBeUndefined()
      await store.writeMark('one')
      await store.writeMark('{"owner": "two 二"}')
      expect(await store.readMark()).toBe('{"owner": "two 二"}')
      expect((await namesIn('')).every((name) => name.startsWith('case-'))).toBe(true)
    })

    it('returns the space left, where it knows', async () => {
      const space = await store.space()
      if (space !== undefined) expect(space.totalBytes).toBeGreaterThanOrEqual(space.freeBytes)
    })
  })
}

async function rejectsWith(reason: StorageReason, work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StorageError)
  expect(error).toMatchObject({ reason })
}
