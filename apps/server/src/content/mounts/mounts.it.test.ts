import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ERRORS } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Login } from '../../security/testing/wire.ts'

interface Item {
  readonly name: string
  readonly path: string
  readonly file_type: string
}

for (const [dialect, databaseUrl] of [
  ['sqlite', () => Promise.resolve(undefined)],
  ['mysql', mariadbUrl],
] as const) {
  describe(`virtual directories on ${dialect}`, { timeout: 120_000 }, () => {
    let site: Site
    let mei: Login
    let folder = ''
    beforeAll(async () => {
      const url = await databaseUrl()
      site = await openSite(url === undefined ? {} : { databaseUrl: url })
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-archive-'))
      await site.addUser('mei')
      await site.addUser('tom')
      await run(`storage add --name Archive --kind local --folder ${folder}/files`)
      put('old/report.txt', 'a report')
      mei = await site.signIn('mei')
      await site.call(mei.token, 'list', { folder: '/' })
      await run('mount add Archive --account mei --storage 2 --folder old')
    }, 120_000)
    afterAll(async () => {
      await site[Symbol.asyncDispose]()
      fs.rmSync(folder, { recursive: true, force: true })
    })

    async function run(words: string): Promise<void> {
      if ((await site.cli(words)) !== 0) throw new Error(site.printed())
    }
    const disk = (name: string) => path.join(folder, 'files', name)
    function put(name: string, content: string): void {
      fs.mkdirSync(path.dirname(disk(name)), { recursive: true })
      fs.writeFileSync(disk(name), content)
    }
    const items = async (at: string, login = mei): Promise<Item[]> =>
      (await site.call(login.token, 'list', { folder: at })).data['items'] as unknown as Item[]
    const names = async (at: string, login = mei) => (await items(at, login)).map(({ name }) => name)
    const jobOf = async (operation: string, input: object) => (await site.runJob(mei.token, operation, input)).job
    const read = async (at: string) => {
      const query = new URLSearchParams({ path: at, spaceId: '1', groupId: '0' })
      return (await site.ask({ path: `/api/files/content?${query.toString()}`, token: mei.token })).text
    }

    it('stand in the list of the home, with what the folder of the storage holds', async () => {
      expect(await items('/')).toMatchObject([{ name: 'Archive', file_type: 'VirtualFolder', path: '/Archive' }])
      expect(await items('/archive')).toMatchObject([{ name: 'report.txt', path: '/Archive/report.txt' }])
      expect(await read('/Archive/report.txt')).toBe('a report')
      expect(await names('/', await site.signIn('tom'))).toEqual([])
    })

    it('take uploads, folders and new names, on their own storage', async () => {
      expect((await site.upload(mei.token, 'new.txt', Buffer.from('new'), '/Archive')).code).toBe(200)
      expect(fs.readFileSync(disk('old/new.txt'), 'utf8')).toBe('new')
      const made = await site.call(mei.token, 'mkdir', { folder: '/Archive', name: 'deep' })
      expect(made.data).toEqual({ path: '/Archive/deep' })
      const renamed = await site.call(mei.token, 'rename', { path: '/Archive', oldName: 'new.txt', newName: 'n.txt' })
      expect(renamed.data).toEqual({ path: '/Archive/n.txt' })
      expect(fs.existsSync(disk('old/n.txt'))).toBe(true)
    })

    it('are not renamed, moved, deleted or replaced by their user', async () => {
      const refused = { code: ERRORS.PERMISSION_DENIED.wire }
      expect(await site.call(mei.token, 'rename', { path: '/', oldName: 'Archive', newName: 'x' })).toMatchObject(
        refused,
      )
      expect(await site.call(mei.token, 'remove', { paths: ['/Archive'] })).toMatchObject(refused)
      await site.call(mei.token, 'mkdir', { folder: '/', name: 'sub' })
      expect(
        await site.call(mei.token, 'move', { paths: ['/Archive'], target: '/sub', conflict: 'fail' }),
      ).toMatchObject(refused)
      const again = await site.call(mei.token, 'mkdir', { folder: '/', name: 'Archive' })
      expect(again.code).toBe(ERRORS.PATH_EXISTS.wire)
      await site.call(mei.token, 'mkdir', { folder: '/sub', name: 'Archive' })
      const onto = await jobOf('move', { paths: ['/sub/Archive'], target: '/', conflict: 'replace' })
      expect(onto?.failures).toMatchObject([{ code: ERRORS.PATH_EXISTS.wire }])
    })

    it('exchange entries with the home by jobs that carry them to the other storage', async () => {
      await site.upload(mei.token, 'mine.txt', Buffer.from('mine'))
      expect(await jobOf('move', { paths: ['/mine.txt'], target: '/Archive', conflict: 'fail' })).toMatchObject({
        state: 'completed',
        failures: [],
      })
      expect(fs.readFileSync(disk('old/mine.txt'), 'utf8')).toBe('mine')
      expect(await names('/')).toEqual(['Archive', 'sub'])
      await jobOf('copy', { paths: ['/Archive/mine.txt'], target: '/sub', conflict: 'fail' })
      expect(await read('/sub/mine.txt')).toBe('mine')
    })

    it('leave out what a right does not cover: out of the home needs more than within', async () => {
      await run('group add None --quota 1M')
      await site.addUser('half')
      await run('mount add Shared --account half --storage 2 --folder shared --read-only')
      put('shared/x.txt', 'x')
      const half = await site.signIn('half')
      expect(await names('/Shared', half)).toEqual(['x.txt'])
      expect((await site.call(half.token, 'remove', { paths: ['/Shared/x.txt'] })).code).toBe(1008)
      expect((await site.upload(half.token, 'y.txt', Buffer.from('y'), '/Shared')).code).toBe(1008)
      expect(
        (await site.call(half.token, 'move', { paths: ['/Shared/x.txt'], target: '/', conflict: 'fail' })).code,
      ).toBe(1008)
    })

    it('have their own bin and versions, which come back to them', async () => {
      await site.upload(mei.token, 'gone.txt', Buffer.from('gone'), '/Archive')
      await jobOf('remove', { paths: ['/Archive/gone.txt'] })
      expect(await names('/Archive')).not.toContain('gone.txt')
      const { data } = await site.call(mei.token, 'recycled', { limit: 10 })
      expect(data['items']).toMatchObject([{ path: '/Archive/gone.txt' }])
      const recycleIds = (data['items'] as unknown as ReadonlyArray<{ recycleId: string }>).map(
        ({ recycleId }) => recycleId,
      )
      expect(await jobOf('restore', { recycleIds, conflict: 'fail' })).toMatchObject({ failures: [] })
      expect(await read('/Archive/gone.txt')).toBe('gone')
      await jobOf('remove', { paths: ['/Archive/gone.txt'] })
      expect(await jobOf('purge', { recycleIds: 'all' })).toMatchObject({ failures: [] })
      expect((await site.call(mei.token, 'recycled', { limit: 10 })).data['items']).toEqual([])
    })

    it('are found by search, everywhere and from the home downwards', async () => {
      const found = async (scope: string) => {
        const { data } = await site.call(mei.token, 'search', { text: 'mine', scope, folder: '/', limit: 10 })
        return (data['items'] as unknown as Item[] | undefined)?.map((item) => item.path).toSorted()
      }
      await expect.poll(() => found('everywhere'), { timeout: 30_000 }).toEqual(['/Archive/mine.txt', '/sub/mine.txt'])
      expect(await found('below')).toEqual(['/Archive/mine.txt', '/sub/mine.txt'])
      expect(await found('here')).toEqual([])
    })

    it('count for the account that has them', async () => {
      expect(await site.cli('verify --repair')).toBeLessThan(2)
      expect(await site.cli('verify')).toBe(0)
    })

    it('are refused where they would nest, clash or hide something, and keep their storage', async () => {
      const add = (words: string) => site.cli(`mount add ${words} --storage 2`)
      expect(await add('Deep --account tom --folder old/deep')).not.toBe(0)
      expect(await add('Same --account tom --folder OLD')).not.toBe(0)
      expect(await add('Home --account tom --folder users/mei')).not.toBe(0)
      expect(await add('Root --account tom --folder /')).not.toBe(0)
      expect(await add('archive --account mei --folder other')).not.toBe(0)
      await site.call(mei.token, 'mkdir', { folder: '/', name: 'taken' })
      expect(await add('Taken --account mei --folder other')).not.toBe(0)
      await site.call(mei.token, 'remove', { paths: ['/taken'] })
      expect(await add('a:b --account mei --folder other')).not.toBe(0)
      expect(await site.cli('storage remove 2')).not.toBe(0)
    })

    it('get another name, and favorites and links follow', async () => {
      await site.call(mei.token, 'mark', { paths: ['/Archive/mine.txt'], isFavorite: true })
      await run('mount rename Archive Attic --account mei')
      expect(await names('/')).toEqual(['Attic', 'sub'])
      expect(await read('/Attic/mine.txt')).toBe('mine')
      const favorites = async () => (await site.call(mei.token, 'favorites', { limit: 5 })).data['items']
      await expect.poll(favorites, { timeout: 10_000 }).toMatchObject([{ path: '/Attic/mine.txt', groupId: 0 }])
    })

    it('go without their files', async () => {
      await run('mount remove Attic --account mei')
      expect(await names('/')).toEqual(['sub'])
      expect((await site.call(mei.token, 'list', { folder: '/Attic' })).code).toBe(ERRORS.PATH_NOT_FOUND.wire)
      expect(fs.readFileSync(disk('old/mine.txt'), 'utf8')).toBe('mine')
      await run('mount add Back --account tom --storage 2 --folder old')
      expect(await names('/Back', await site.signIn('tom'))).toContain('mine.txt')
    })
  })
}
