import { MiB } from '@godwit/base'
import { describe, expect, it } from 'vitest'
import { someBytes } from './sources.ts'
import { rejectsWith, type StoreSite } from './store-site.ts'

/** Moving, copying and removing files and trees. */
export function moveCases(site: StoreSite): void {
  const { at, put, contentOf, namesIn } = site

  describe('moving', () => {
    it('renames a file and keeps its content', async () => {
      await put(at('old'), someBytes(500))
      expect(await site.store.move(at('old'), at('new'), { conflict: 'fail' })).toMatchObject({
        key: at('new'),
        size: 500,
      })
      expect(await namesIn(site.folder)).toEqual(['new'])
      expect(await contentOf(at('new'))).toEqual(someBytes(500))
    })

    it('refuses a taken name, or replaces it when asked', async () => {
      await put(at('one'), someBytes(10, 1))
      await put(at('two'), someBytes(20, 2))
      await rejectsWith('exists', site.store.move(at('one'), at('two'), { conflict: 'fail' }))
      expect(await contentOf(at('two'))).toEqual(someBytes(20, 2))
      await site.store.move(at('one'), at('two'), { conflict: 'replace' })
      expect(await contentOf(at('two'))).toEqual(someBytes(10, 1))
      expect(await namesIn(site.folder)).toEqual(['two'])
    })

    it('moves a tree', async () => {
      await site.store.ensureFolder(at('tree/inner'))
      await put(at('tree/inner/leaf'), someBytes(9))
      await site.store.createFolder(at('target'))
      await site.store.move(at('tree'), at('target/tree'), { conflict: 'fail' })
      expect(await contentOf(at('target/tree/inner/leaf'))).toEqual(someBytes(9))
      expect(await site.store.stat(at('tree'))).toBeUndefined()
    })

    it('never merges, never swaps kinds, never moves a folder into itself', async () => {
      await site.store.ensureFolder(at('full/inner'))
      await site.store.createFolder(at('other'))
      await put(at('file'), someBytes(1))
      await rejectsWith('exists', site.store.move(at('other'), at('full'), { conflict: 'fail' }))
      await rejectsWith('exists', site.store.move(at('other'), at('full'), { conflict: 'replace' }))
      await rejectsWith('is-folder', site.store.move(at('file'), at('full'), { conflict: 'replace' }))
      await rejectsWith('not-a-folder', site.store.move(at('full'), at('file'), { conflict: 'replace' }))
      await rejectsWith('conflict', site.store.move(at('full'), at('full/inner/x'), { conflict: 'fail' }))
      expect(await namesIn(site.folder)).toEqual(['file', 'full', 'other'])
    })

    it('says what is missing', async () => {
      await rejectsWith('not-found', site.store.move(at('none'), at('x'), { conflict: 'fail' }))
      await put(at('file'), someBytes(1))
      await rejectsWith('not-found', site.store.move(at('file'), at('none/x'), { conflict: 'fail' }))
      expect(await namesIn(site.folder)).toEqual(['file'])
    })
  })

  describe('copying', () => {
    it('copies a file and a tree', async () => {
      await site.store.ensureFolder(at('tree/inner'))
      await put(at('tree/inner/leaf'), someBytes(5000))
      await put(at('tree/big'), someBytes(5 * MiB))
      const steps: number[] = []
      await site.store.copy(at('tree'), at('twin'), { conflict: 'fail', onProgress: (done) => steps.push(done.bytes) })
      expect(await contentOf(at('twin/inner/leaf'))).toEqual(someBytes(5000))
      expect(await contentOf(at('twin/big'))).toEqual(someBytes(5 * MiB))
      expect(await contentOf(at('tree/big'))).toEqual(someBytes(5 * MiB))
      expect(steps.at(-1)).toBe(5000 + 5 * MiB)
    })

    it('leaves nothing behind when it is cancelled', async () => {
      await site.store.createFolder(at('tree'))
      for (let index = 0; index < 5; index++) await put(at(`tree/${index}`), someBytes(100))
      const stop = new AbortController()
      const copying = site.store.copy(at('tree'), at('twin'), {
        conflict: 'fail',
        signal: stop.signal,
        onProgress: (done) => (done.files === 2 ? stop.abort(new Error('cancelled')) : undefined),
      })
      await expect(copying).rejects.toThrow('cancelled')
      expect(await namesIn(site.folder)).toEqual(['tree'])
    })

    it.each(['copy', 'move'] as const)(
      'leaves a file under a name that a cancelled %s was to replace',
      async (call) => {
        await put(at('one'), someBytes(100, 1))
        await put(at('two'), someBytes(100, 2))
        const stop = new AbortController()
        const onProgress = (): void => stop.abort(new Error('cancelled'))
        const how = { conflict: 'replace', signal: stop.signal, onProgress } as const
        await site.store[call](at('one'), at('two'), how).catch((thrown: unknown) =>
          expect(thrown).toBe(stop.signal.reason),
        )
        expect([someBytes(100, 1), someBytes(100, 2)]).toContainEqual(await contentOf(at('two')))
      },
    )

    it('refuses a taken name', async () => {
      await put(at('one'), someBytes(1))
      await put(at('two'), someBytes(2))
      await rejectsWith('exists', site.store.copy(at('one'), at('two'), { conflict: 'fail' }))
      await rejectsWith('not-found', site.store.copy(at('none'), at('three'), { conflict: 'fail' }))
    })
  })

  describe('removing', () => {
    it('removes a file and a tree and counts them', async () => {
      await put(at('file'), someBytes(7))
      expect(await site.store.remove(at('file'))).toEqual({ files: 1, folders: 0, bytes: 7 })
      await site.store.ensureFolder(at('tree/inner'))
      await put(at('tree/a'), someBytes(10))
      await put(at('tree/inner/b'), someBytes(20))
      expect(await site.store.remove(at('tree'))).toEqual({ files: 2, folders: 2, bytes: 30 })
      expect(await namesIn(site.folder)).toEqual([])
      await rejectsWith('not-found', site.store.remove(at('tree')))
    })

    it('leaves what it has not reached when it is cancelled', async () => {
      await site.store.createFolder(at('tree'))
      const files = Array.from({ length: 60 }, (_, index) => ({ key: at(`tree/${index}`), content: someBytes(1) }))
      await site.store.writeFiles(files, { conflict: 'fail' })
      const stop = new AbortController()
      const removing = site.store.remove(at('tree'), {
        signal: stop.signal,
        onProgress: (done) => (done.files === 2 ? stop.abort(new Error('cancelled')) : undefined),
      })
      await expect(removing).rejects.toThrow('cancelled')
      expect((await namesIn(at('tree'))).length).toBeGreaterThan(0)
    })
  })
}
