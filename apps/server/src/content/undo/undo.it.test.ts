import fs from 'node:fs'
import path from 'node:path'
import type { JobView } from '@godwit/contract'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Login } from '../../security/testing/wire.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'

const WORLDS = [
  { name: 'SQLite and a disk', isBucket: false, url: () => Promise.resolve(undefined) },
  { name: 'MariaDB and a disk', isBucket: false, url: mariadbUrl },
  { name: 'SQLite and a bucket', isBucket: true, url: () => Promise.resolve(undefined) },
]
const DONE = { code: 200, state: 'completed', failed: [] }

describe.each(WORLDS)('undo on $name', ({ isBucket, url }) => {
  let site: Site
  let bucket: TemporaryBucket | undefined
  let mei: Login
  let lin: Login
  let top = ''
  let made = 0

  beforeAll(async () => {
    const databaseUrl = await url()
    const prepare = async (environment: Readonly<Record<string, string>>): Promise<void> => {
      bucket = await keepFilesInBucket(environment)
    }
    site = await openSite({ ...(databaseUrl === undefined ? {} : { databaseUrl }), ...(isBucket ? { prepare } : {}) })
    for (const account of ['mei', 'lin']) await site.addUser(account)
    mei = await site.signIn('mei')
    lin = await site.signIn('lin')
    await site.cli('group add Team')
    const may = '--permission list,download,upload,mkdir,copy,delete'
    await site.cli(`group member --group 1 --account mei ${may}`)
  }, 60_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await bucket?.store[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    top = ''
    await mkdir(`case-${++made}`)
    top = `/case-${made}`
    await mkdir('to')
    await put('a.txt')
    await mkdir('box')
    await put('box/inner.txt')
  })

  const at = (name: string): string => `${top}/${name}`

  /** As it is on the storage, whatever the server says. */
  async function read(name: string): Promise<string | undefined> {
    if (bucket === undefined) {
      const file = path.join(site.home('mei'), at(name))
      return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined
    }
    const key = `users/mei${at(name)}`
    if ((await bucket.store.stat(key)) === undefined) return undefined
    await using reader = await bucket.store.openRead(key)
    const parts: Buffer[] = []
    for await (const part of reader.stream()) parts.push(Buffer.from(part))
    return Buffer.concat(parts).toString()
  }

  const readAll = (names: readonly string[]) => Promise.all(names.map((name) => read(name)))

  async function names(folder: string): Promise<readonly string[]> {
    const { data } = await site.call(mei.token, 'columns', { folder: at(folder), limit: 100 })
    return (data['names'] as unknown as string[]).toSorted()
  }

  async function put(name: string, content = name): Promise<void> {
    const [folder, file] = [path.posix.dirname(at(name)), path.posix.basename(name)]
    expect((await site.upload(mei.token, file, Buffer.from(content), folder)).code).toBe(200)
  }

  async function mkdir(name: string): Promise<void> {
    const [folder, base] = [path.posix.dirname(at(name)), path.posix.basename(name)]
    expect((await site.call(mei.token, 'mkdir', { folder, name: base })).code).toBe(200)
  }

  async function remove(name: string): Promise<void> {
    expect((await site.call(mei.token, 'remove', { paths: [at(name)] })).code).toBe(200)
  }

  async function transfer(kind: 'copy' | 'move', from: readonly string[], more: object = {}): Promise<JobView> {
    const input = { paths: from.map(at), target: at('to'), ...more }
    const { job } = await site.runJob(mei.token, kind, input)
    if (job === undefined) throw new Error('no job')
    return job
  }

  async function undo({ jobId }: JobView) {
    const { code, job } = await site.runJob(mei.token, 'undo', { jobId })
    return { code, state: job?.state, failed: job?.failures.map(({ path: one, code: why }) => [one, why]) }
  }

  async function keepVersions(count: number): Promise<void> {
    expect(await site.cli(`settings set versions.keep ${count}`)).toBe(0)
    const limit = async () => (await site.call(mei.token, 'versions', { path: at('a.txt') })).data['limit']
    await expect.poll(limit).toBe(count)
  }

  async function versions(name: string): Promise<ReadonlyArray<{ readonly versionId: string; readonly size: number }>> {
    const { data } = await site.call(mei.token, 'versions', { path: at(name) })
    return data['items'] as never
  }

  const sizes = async (name: string) => (await versions(name)).map(({ size }) => size)

  async function recycled(): Promise<readonly string[]> {
    const { data } = await site.call(mei.token, 'recycled', {})
    return (data['items'] as unknown as Array<{ path: string }>).map((item) => item.path)
  }

  const failure = (name: string, code: number) => ({ code: 200, state: 'failed', failed: [[at(name), code]] })
  const changed = (name: string) => failure(name, 5115)
  const usage = async () => (await site.call(mei.token, 'usage', {})).data
  /** What a job gets that there is not. */
  const unknown = async () => (await site.call(mei.token, 'undo', { jobId: 'none' })).code

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
      await site.call(mei.token, 'purge', { recycleIds: 'all' })
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
      expect((await site.call(mei.token, 'removeVersions', removal)).code).toBe(200)
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
      await site.call(mei.token, 'removeVersions', { path: at('to/a.txt'), versionIds })
      expect(await undo(second)).toEqual(failure('to/a.txt', 5125))
      expect([await read('to/a.txt'), await sizes('to/a.txt')]).toEqual(['a.txt', []])
    })

    it('gives its place back among the files of a group as well', async () => {
      const library = { targetGroupId: 1, target: '/', conflict: 'replace' }
      await transfer('copy', ['a.txt'], library)
      await put('a.txt', 'the next one')
      const job = await transfer('copy', ['a.txt'], library)
      expect([job.state, job.canUndo, await undo(job)]).toEqual(['completed', true, DONE])
      const { data } = await site.call(mei.token, 'versions', { groupId: 1, path: '/a.txt' })
      expect(data['items']).toMatchObject([{ size: 'the next one'.length }])
      const { data: facts } = await site.call(mei.token, 'attributes', { groupId: 1, paths: ['/a.txt'] })
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

    it('is not offered where it made a folder to fill it, nor where nothing is kept of what it replaced', async () => {
      const rule = (file_rules: string | null) =>
        site.withDatabase(({ db }) =>
          db.updateTable('users').set({ file_rules }).where('account', '=', 'mei').execute(),
        )
      await rule(JSON.stringify({ forbiddenPaths: ['*.key'] }))
      const filled = await merge()
      await rule(null)
      expect([filled.state, filled.canUndo]).toEqual(['completed', undefined])
      expect(await read('to/box/new/more.txt')).toBe('box/new/more.txt')
      await keepVersions(0)
      const lost = await merge()
      expect([lost.state, lost.canUndo]).toEqual(['completed', undefined])
      for (const job of [filled, lost]) expect((await undo(job)).code).toBe(await unknown())
      await remove('to/box/inner.txt')
      await remove('to/box/sub/deep.txt')
      const added = await transfer('copy', ['box'], { conflict: 'skip' })
      expect([added.canUndo, await undo(added)]).toEqual([true, DONE])
      expect(await names('to/box')).toEqual(['new', 'own.txt', 'sub'])
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
      await mkdir('to/box')
      for (const [kind, name] of [
        ['copy', 'a.txt'],
        ['move', 'a.txt'],
        ['move', 'box'],
      ] as const) {
        const job = await transfer(kind, [name], { conflict: 'replace' })
        expect([name, kind, job.state, job.canUndo]).toEqual([name, kind, 'completed', undefined])
        expect((await undo(job)).code).toBe(await unknown())
        if (kind === 'copy') await put('to/a.txt', 'lost when it is replaced')
      }
    })

    it('is a job of somebody else', async () => {
      const job = await transfer('copy', ['a.txt'])
      const { code } = await site.call(lin.token, 'undo', { jobId: job.jobId })
      expect(code).toBe((await site.call(lin.token, 'undo', { jobId: 'none' })).code)
      expect(await read('to/a.txt')).toBe('a.txt')
    })
  })
})
