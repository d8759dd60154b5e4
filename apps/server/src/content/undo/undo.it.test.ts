import { beforeEach, describe, expect, it } from 'vitest'
import { DONE, undoSite, WORLDS } from './testing/undo-site.ts'

describe.each(WORLDS)('undo on $name', (world) => {
  const {
    at,
    read,
    readAll,
    names,
    put,
    mkdir,
    remove,
    transfer,
    undo,
    keepVersions,
    versions,
    sizes,
    recycled,
    failure,
    changed,
    usage,
    unknown,
    call,
    callAsLin,
  } = undoSite(world)

  describe('an undone copy', () => {
    it('is in the recycle bin, and what it was copied from stands where it stood', async () => {
      const before = await usage()
      const job = await transfer('copy', ['a.txt', 'box'])
      expect(job.canUndo).toBe(true)
      expect(await readAll(['to/a.txt', 'to/box/inner.txt'])).toEqual(['a.txt', 'box/inner.txt'])
      expect(await undo(job)).toEqual(DONE)
      expect(await names('to')).toEqual([])
      expect(await readAll(['a.txt', 'box/inner.txt'])).toEqual(['a.txt', 'box/inner.txt'])
      expect(await recycled()).toEqual(expect.arrayContaining([at('to/a.txt'), at('to/box')]))
      await call('purge', { recycleIds: 'all' })
      expect(await usage()).toEqual(before)
      // Nothing is there for a second time.
      expect((await undo(job)).code).not.toBe(200)
    })

    it('stays where it was changed since: a file with another content, a folder with anything else in it', async () => {
      const copies = [await transfer('copy', ['a.txt']), await transfer('copy', ['box'])] as const
      await put('to/a.txt', 'what lin wrote')
      await put('to/box/new.txt')
      expect(await undo(copies[0])).toEqual(changed('to/a.txt'))
      expect(await undo(copies[1])).toEqual(changed('to/box'))
      expect(await readAll(['to/a.txt', 'to/box/new.txt'])).toEqual(['what lin wrote', 'to/box/new.txt'])
    })

    it('took the next free name, and only that one goes', async () => {
      await put('to/a.txt', 'there before')
      expect(await undo(await transfer('copy', ['a.txt'], { conflict: 'keep-both' }))).toEqual(DONE)
      expect(await names('to')).toEqual(['a.txt'])
      expect(await read('to/a.txt')).toBe('there before')
    })

    it('came from several folders', async () => {
      const job = await transfer('copy', ['a.txt', 'box/inner.txt'])
      expect([job.canUndo, await names('to')]).toEqual([true, ['a.txt', 'inner.txt']])
      expect(await undo(job)).toEqual(DONE)
      expect(await names('to')).toEqual([])
    })
  })

  describe('an undone copy that replaced a file', () => {
    beforeEach(() => keepVersions(3))

    it('gives its place back to what was there, with the versions that it had, and is a version itself', async () => {
      await put('to/a.txt', 'the very first')
      await put('to/a.txt', 'there before')
      const before = await usage()
      const job = await transfer('copy', ['a.txt'], { conflict: 'replace' })
      expect([job.canUndo, await read('to/a.txt')]).toEqual([true, 'a.txt'])
      expect(await undo(job)).toEqual(DONE)
      expect(await readAll(['a.txt', 'to/a.txt'])).toEqual(['a.txt', 'there before'])
      expect(await sizes('to/a.txt')).toEqual(['a.txt'.length, 'the very first'.length])
      expect(await recycled()).not.toContain(at('to/a.txt'))
      const [{ versionId } = { versionId: '' }] = await versions('to/a.txt')
      const removal = { path: at('to/a.txt'), versionIds: [versionId] }
      expect((await call('removeVersions', removal)).code).toBe(200)
      expect(await usage()).toEqual(before)
      // Nothing is there for a second time.
      expect(await undo(job)).toEqual(failure('to/a.txt', 5125))
      expect(await read('to/a.txt')).toBe('there before')
    })

    it('stays where it was changed since, and where what it replaced is gone', async () => {
      await put('to/a.txt', 'there before')
      const first = await transfer('copy', ['a.txt'], { conflict: 'replace' })
      await put('to/a.txt', 'written since')
      expect(await undo(first)).toEqual(changed('to/a.txt'))
      expect(await read('to/a.txt')).toBe('written since')
      const second = await transfer('copy', ['a.txt'], { conflict: 'replace' })
      const versionIds = (await versions('to/a.txt')).map(({ versionId }) => versionId)
      await call('removeVersions', { path: at('to/a.txt'), versionIds })
      expect(await undo(second)).toEqual(failure('to/a.txt', 5125))
      expect([await read('to/a.txt'), await sizes('to/a.txt')]).toEqual(['a.txt', []])
    })

    it('gives its place back among the files of a group as well', async () => {
      const library = { targetGroupId: 1, target: '/', conflict: 'replace' }
      await transfer('copy', ['a.txt'], library)
      await put('a.txt', 'the next one')
      const job = await transfer('copy', ['a.txt'], library)
      expect([job.state, job.canUndo, await undo(job)]).toEqual(['completed', true, DONE])
      const { data } = await call('versions', { groupId: 1, path: '/a.txt' })
      expect(data['items']).toMatchObject([{ size: 'the next one'.length }])
      const { data: facts } = await call('attributes', { groupId: 1, paths: ['/a.txt'] })
      expect(facts['items']).toMatchObject([{ size: 'a.txt'.length }])
      expect(await read('a.txt')).toBe('the next one')
    })

    it('cannot be told apart from another one that came to the same name', async () => {
      await put('box/a.txt', 'the other one')
      const job = await transfer('copy', ['a.txt', 'box/a.txt'], { conflict: 'replace' })
      expect([job.state, job.canUndo, await read('to/a.txt')]).toEqual(['completed', undefined, 'the other one'])
      expect((await undo(job)).code).toBe(await unknown())
    })
  })

  describe('an undone move', () => {
    it('is back under the name it had', async () => {
      await put('to/a.txt', 'there before')
      const job = await transfer('move', ['a.txt', 'box'], { conflict: 'keep-both' })
      expect(await read('to/a (1).txt')).toBe('a.txt')
      expect(await undo(job)).toEqual(DONE)
      expect(await readAll(['a.txt', 'box/inner.txt', 'to/a.txt'])).toEqual(['a.txt', 'box/inner.txt', 'there before'])
    })

    it('leaves alone what took its place since, and never takes a name that is taken again', async () => {
      const moved = await transfer('move', ['a.txt'])
      await remove('to/a.txt')
      await put('to/a.txt', 'of somebody else')
      expect(await undo(moved)).toEqual(changed('to/a.txt'))
      expect(await readAll(['a.txt', 'to/a.txt'])).toEqual([undefined, 'of somebody else'])
      const other = await transfer('move', ['box'])
      await mkdir('box')
      expect((await undo(other)).code).not.toBe(200)
      expect([await read('to/box/inner.txt'), await names('box')]).toEqual(['box/inner.txt', []])
    })

    it('brings back what it replaced, where versions are kept', async () => {
      await keepVersions(3)
      await put('to/a.txt', 'the first one')
      const before = await usage()
      const job = await transfer('move', ['a.txt'], { conflict: 'replace' })
      expect([job.canUndo, await read('to/a.txt')]).toEqual([true, 'a.txt'])
      expect(await undo(job)).toEqual(DONE)
      expect(await readAll(['a.txt', 'to/a.txt'])).toEqual(['a.txt', 'the first one'])
      for (const name of ['a.txt', 'to/a.txt']) expect(await sizes(name)).toEqual([])
      expect(await usage()).toEqual(before)
      // What was written to the moved file since stays, and so does what it had replaced: as its version.
      const again = await transfer('move', ['a.txt'], { conflict: 'replace' })
      await put('to/a.txt', 'changed since')
      expect(await undo(again)).toEqual(changed('to/a.txt'))
      expect(await read('to/a.txt')).toBe('changed since')
      expect(await sizes('to/a.txt')).toEqual(['a.txt'.length, 'the first one'.length])
    })
  })

  describe('what cannot be taken back as a whole', () => {
    it('does not say that it can, and is refused', async () => {
      await keepVersions(0)
      await put('to/a.txt', 'lost when it is replaced')
      for (const [kind, name] of [
        ['copy', 'a.txt'],
        ['move', 'a.txt'],
      ] as const) {
        const job = await transfer(kind, [name], { conflict: 'replace' })
        expect([name, kind, job.state, job.canUndo]).toEqual([name, kind, 'completed', undefined])
        expect((await undo(job)).code).toBe(await unknown())
        if (kind === 'copy') await put('to/a.txt', 'lost when it is replaced')
      }
    })

    it('is a job of somebody else', async () => {
      const job = await transfer('copy', ['a.txt'])
      const { code } = await callAsLin('undo', { jobId: job.jobId })
      expect(code).toBe((await callAsLin('undo', { jobId: 'none' })).code)
      expect(await read('to/a.txt')).toBe('a.txt')
    })
  })
})
