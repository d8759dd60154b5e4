import { FULL_PERMISSION, PERMISSION, type JobView } from '@godwit/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { DONE, undoSite, WORLDS } from './testing/undo-site.ts'

describe.each(WORLDS)('undo of what went into folders, on $name', (world) => {
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
    sizes,
    recycled,
    failure,
    changed,
    usage,
    unknown,
    call,
    limit,
  } = undoSite(world)

  describe('an undone copy that merged folders', () => {
    beforeEach(async () => {
      await keepVersions(3)
      await mkdir('to/box')
      await mkdir('box/sub')
      await put('box/sub/deep.txt')
      await mkdir('box/new')
      await put('box/new/more.txt')
      await mkdir('to/box/sub')
      for (const name of ['inner.txt', 'own.txt', 'sub/own.txt']) await put(`to/box/${name}`, 'there before')
    })

    const merge = () => transfer('copy', ['box', 'a.txt'], { conflict: 'replace' })
    const expectAsBefore = async (): Promise<void> => {
      const own = ['to/box/inner.txt', 'to/box/own.txt', 'to/box/sub/own.txt']
      expect(await readAll(own)).toEqual(own.map(() => 'there before'))
      expect(await names('to/box')).toEqual(['inner.txt', 'own.txt', 'sub'])
    }

    it('takes back what it made, and leaves everything else', async () => {
      const job = await merge()
      expect([job.state, job.canUndo]).toEqual(['completed', true])
      expect(await names('to/box')).toEqual(['inner.txt', 'new', 'own.txt', 'sub'])
      expect(await read('to/box/inner.txt')).toBe('box/inner.txt')
      expect(await undo(job)).toEqual(DONE)
      await expectAsBefore()
      expect([await names('to/box/sub'), await names('to')]).toEqual([['own.txt'], ['box']])
      const sources = ['box/inner.txt', 'box/sub/deep.txt', 'box/new/more.txt']
      expect(await readAll(sources)).toEqual(sources)
      const gone = ['to/box/sub/deep.txt', 'to/box/new', 'to/a.txt'].map(at)
      expect((await recycled()).filter((one) => one.startsWith(at('to'))).toSorted()).toEqual(gone.toSorted())
    })

    it('leaves what was changed since, and says so', async () => {
      const job = await merge()
      await put('to/box/sub/deep.txt', 'written since')
      expect(await undo(job)).toEqual(changed('to/box/sub/deep.txt'))
      await expectAsBefore()
      expect(await read('to/box/sub/deep.txt')).toBe('written since')
    })

    it('is not offered where nothing is kept of what it replaced', async () => {
      await keepVersions(0)
      const lost = await merge()
      expect([lost.state, lost.canUndo]).toEqual(['completed', undefined])
      expect((await undo(lost)).code).toBe(await unknown())
      await remove('to/box/inner.txt')
      await remove('to/box/sub/deep.txt')
      const added = await transfer('copy', ['box'], { conflict: 'skip' })
      expect([added.canUndo, await undo(added)]).toEqual([true, DONE])
      expect(await names('to/box')).toEqual(['new', 'own.txt', 'sub'])
    })

    it('takes a folder back that it filled past forbidden names, as one entry', async () => {
      await put('box/new/secret.key')
      await limit({ forbiddenPaths: ['*.key'] })
      const job = await merge()
      await limit({})
      expect([job.state, job.canUndo, await names('to/box/new')]).toEqual(['completed', true, ['more.txt']])
      expect(await undo(job)).toEqual(DONE)
      await expectAsBefore()
      expect(await recycled()).toContain(at('to/box/new'))
      expect(await names('box/new')).toEqual(['more.txt', 'secret.key'])
    })
  })

  describe('an undone copy that made a folder to fill it', () => {
    beforeEach(async () => {
      await mkdir('box/new')
      await mkdir('box/empty')
      for (const name of ['box/new/more.txt', 'box/secret.key']) await put(name)
    })

    async function fill(): Promise<JobView> {
      await limit({ forbiddenPaths: ['*.key'] })
      const job = await transfer('copy', ['a.txt', 'box'])
      await limit({})
      expect([job.state, job.canUndo]).toEqual(['completed', true])
      expect([await names('to/box'), await names('to/box/new')]).toEqual([['empty', 'inner.txt', 'new'], ['more.txt']])
      return job
    }

    it('is one entry of the recycle bin, with all that it was filled with', async () => {
      await call('purge', { recycleIds: 'all' })
      const before = await usage()
      expect(await undo(await fill())).toEqual(DONE)
      expect(await names('to')).toEqual([])
      expect((await recycled()).filter((one) => one.startsWith(at('to/box')))).toEqual([at('to/box')])
      expect(await readAll(['box/inner.txt', 'box/secret.key'])).toEqual(['box/inner.txt', 'box/secret.key'])
      await call('purge', { recycleIds: 'all' })
      expect(await usage()).toEqual(before)
    })

    it.each([
      ['came', (): Promise<void> => put('to/box/new/own.txt')],
      ['was changed', (): Promise<void> => put('to/box/new/more.txt', 'another one')],
      ['went', (): Promise<void> => remove('to/box/empty')],
    ])('stays where something in it %s since', async (_, change) => {
      const job = await fill()
      await change()
      expect(await undo(job)).toEqual(changed('to/box'))
      expect(await names('to')).toEqual(['box'])
    })
  })

  describe('an undone move that merged folders', () => {
    const own = ['to/box/inner.txt', 'to/box/own.txt', 'to/box/sub/own.txt']
    const moved = ['box/inner.txt', 'box/sub/deep.txt', 'box/new/more.txt', 'a.txt']

    beforeEach(async () => {
      await keepVersions(3)
      for (const name of ['to/box', 'to/box/sub', 'to/box/empty', 'box/sub', 'box/new', 'box/empty']) await mkdir(name)
      for (const name of moved.slice(1, 3)) await put(name)
      for (const name of own) await put(name, 'there before')
    })

    async function merge(): Promise<JobView> {
      const job = await transfer('move', ['box', 'a.txt'], { conflict: 'replace' })
      expect([job.state, job.canUndo]).toEqual(['completed', true])
      expect([await names(''), await names('to/box')]).toEqual([
        ['to'],
        ['empty', 'inner.txt', 'new', 'own.txt', 'sub'],
      ])
      expect(await readAll(own)).toEqual(['box/inner.txt', 'there before', 'there before'])
      return job
    }

    async function expectAsBefore(): Promise<void> {
      expect([await readAll(moved), await readAll(own)]).toEqual([moved, own.map(() => 'there before')])
      expect([await names(''), await names('box')]).toEqual([
        ['a.txt', 'box', 'to'],
        ['empty', 'inner.txt', 'new', 'sub'],
      ])
      expect([await names('to'), await names('to/box'), await names('to/box/sub')]).toEqual([
        ['box'],
        ['empty', 'inner.txt', 'own.txt', 'sub'],
        ['own.txt'],
      ])
    }

    it('moves back what it brought, with the folders that it had emptied, and what it replaced is there again', async () => {
      const before = await usage()
      const job = await merge()
      expect(await undo(job)).toEqual(DONE)
      await expectAsBefore()
      for (const name of [...own, 'box/inner.txt']) expect(await sizes(name)).toEqual([])
      expect([await usage(), await recycled()]).toEqual([before, expect.not.arrayContaining([at('to/box')])])
      // Nothing is there for a second time.
      expect((await undo(job)).code).not.toBe(200)
      await expectAsBefore()
    })

    it('brings back what it replaced with the versions that it had, and leaves those of what it moved', async () => {
      await put('to/box/inner.txt', 'the next')
      await put('box/inner.txt', 'another')
      const before = await usage()
      const job = await transfer('move', ['box'], { conflict: 'replace' })
      expect(await sizes('to/box/inner.txt')).toEqual(
        ['the next', 'box/inner.txt', 'there before'].map(({ length }) => length),
      )
      expect(await undo(job)).toEqual(DONE)
      expect(await readAll(['to/box/inner.txt', 'box/inner.txt'])).toEqual(['the next', 'another'])
      expect(await sizes('to/box/inner.txt')).toEqual(['there before'.length])
      expect([await sizes('box/inner.txt'), await usage()]).toEqual([['box/inner.txt'.length], before])
    })

    it('leaves what was changed, replaced or added since, and names it', async () => {
      const job = await merge()
      await put('to/box/inner.txt', 'written since')
      await put('to/box/new/own.txt', 'added since')
      await put('to/box/sub/late.txt', 'added since')
      await remove('to/a.txt')
      const { code, state, failed } = await undo(job)
      const left = [
        [at('to/a.txt'), 5100],
        [at('to/box/new'), 5115],
        [at('to/box/inner.txt'), 5115],
      ]
      expect([code, state, new Set(failed)]).toEqual([200, 'failed', new Set(left)])
      expect(await readAll(['to/box/inner.txt', 'to/box/new/own.txt', 'to/box/sub/late.txt'])).toEqual([
        'written since',
        'added since',
        'added since',
      ])
      // What it had replaced is a version of the file that stays.
      expect(await sizes('to/box/inner.txt')).toEqual(['box/inner.txt'.length, 'there before'.length])
      expect(await read('box/sub/deep.txt')).toBe('box/sub/deep.txt')
      expect([await names('box'), await names('to/box/sub')]).toEqual([
        ['empty', 'sub'],
        ['late.txt', 'own.txt'],
      ])
    })

    it('never takes a name that is taken again: of an entry, and of a folder', async () => {
      const job = await merge()
      await mkdir('box')
      await put('box/inner.txt', 'of somebody else')
      await put('box/sub', 'a file now')
      const { state, failed } = await undo(job)
      const taken = failed?.map(([name]) => name).toSorted()
      expect([state, taken]).toEqual(['failed', [at('box/sub'), at('to/box/inner.txt'), at('to/box/sub/deep.txt')]])
      expect(await readAll(['box/inner.txt', 'box/sub', 'a.txt', 'box/new/more.txt'])).toEqual([
        'of somebody else',
        'a file now',
        'a.txt',
        'box/new/more.txt',
      ])
      expect(await readAll(['to/box/inner.txt', 'to/box/sub/deep.txt'])).toEqual(['box/inner.txt', 'box/sub/deep.txt'])
    })

    it('does nothing without the right to move, and goes past what is hidden by now', async () => {
      const job = await merge()
      await limit({ permission: FULL_PERMISSION & ~PERMISSION.move })
      expect((await undo(job)).code).toBe(1008)
      expect(await names('')).toEqual(['to'])
      await limit({ forbiddenPaths: ['deep.txt'] })
      expect(await undo(job)).toEqual(failure('to/box/sub/deep.txt', 5100))
      await limit({})
      expect(await read('to/box/sub/deep.txt')).toBe('box/sub/deep.txt')
      expect([await names('box'), await names('box/sub')]).toEqual([['empty', 'inner.txt', 'new', 'sub'], []])
    })

    it('makes a folder again that had nothing in it but folders that were there as well', async () => {
      await mkdir('hull')
      await mkdir('to/hull')
      const job = await transfer('move', ['hull'], { conflict: 'skip' })
      expect([job.canUndo, await names('')]).toEqual([true, ['a.txt', 'box', 'to']])
      expect(await undo(job)).toEqual(DONE)
      expect([await names(''), await names('to')]).toEqual([
        ['a.txt', 'box', 'hull', 'to'],
        ['box', 'hull'],
      ])
    })

    it('goes back to several folders, and what came last goes first', async () => {
      await mkdir('other')
      await mkdir('other/fresh')
      await put('other/fresh/one.txt', 'the other one')
      await mkdir('fresh')
      await put('fresh/one.txt')
      const job = await transfer('move', ['fresh', 'other/fresh'], { conflict: 'replace' })
      expect([job.canUndo, await read('to/fresh/one.txt')]).toEqual([true, 'the other one'])
      expect(await undo(job)).toEqual(DONE)
      expect(await readAll(['fresh/one.txt', 'other/fresh/one.txt'])).toEqual(['fresh/one.txt', 'the other one'])
      expect(await names('to')).toEqual(['box'])
    })

    it('is not offered where nothing is kept of what it replaced', async () => {
      await keepVersions(0)
      const job = await transfer('move', ['box'], { conflict: 'replace' })
      expect([job.state, job.canUndo]).toEqual(['completed', undefined])
      expect((await undo(job)).code).toBe(await unknown())
      expect(await read('to/box/inner.txt')).toBe('box/inner.txt')
    })
  })
})
