import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Millis } from '@godwit/base'
import type { SearchReply } from '@godwit/contract'
import { compileRules } from '../access/rules.ts'
import { bytes } from '../intake/testing/intake-site.ts'
import { DATABASES } from '../../testing/worlds.ts'
import { SearchSite } from './testing/search-site.ts'

for (const { dialect, open } of DATABASES) {
  describe(`search on ${dialect}`, () => {
    let site: SearchSite
    beforeAll(async () => void (site = await SearchSite.open(await open())))
    beforeEach(() => site.nextAccount())
    afterAll(async () => site[Symbol.asyncDispose]())

    const pathsOf = ({ items }: SearchReply) => items.map((item) => item.path).toSorted()
    const upload = (relativePath: string, size = 1) => site.jobs.intake.upload(bytes(size), { relativePath })

    it('finds what was there before, by any part of its name and in any case', async () => {
      site.onDisk('Annual Report 2026.PDF', 'x')
      site.onDisk('projects/塍鹬/项目文件.docx', 'xx')
      site.onDisk('projects/e\u0301te\u0301.txt', 'xx')
      expect((await site.search({ text: 'report' })).isBuilding).toBe(true)
      await site.settle()
      expect(pathsOf(await site.search({ text: 'RePort 20' }))).toEqual(['/Annual Report 2026.PDF'])
      expect(pathsOf(await site.search({ text: '文件' }))).toEqual(['/projects/塍鹬/项目文件.docx'])
      expect(pathsOf(await site.search({ text: 'ÉTÉ' }))).toEqual(['/projects/été.txt'])
      expect(pathsOf(await site.search({ text: '鹬' }))).toEqual(['/projects/塍鹬'])
      expect(pathsOf(await site.search({ text: 'nothing' }))).toEqual([])
      expect(await site.search({ text: 'report' })).toMatchObject({ isBuilding: false, seen: null, next: null })
    })

    it('follows uploads, new folders, renames, moves, copies, deletions and restores', async () => {
      await upload('a/one.txt', 3)
      await site.settle()
      expect((await site.search({ text: 'one' })).items).toMatchObject([
        { path: '/a/one.txt', size: 3, file_type: 'File' },
      ])
      await site.jobs.call('copy', { paths: ['/a'], target: '/', conflict: 'keep-both' })
      await site.jobs.runJobs()
      await site.settle()
      expect(pathsOf(await site.search({ text: 'one' }))).toEqual(['/a (1)/one.txt', '/a/one.txt'])
      await site.rename('/', 'a', 'renamed')
      await site.deliver()
      expect(pathsOf(await site.search({ text: 'one' }))).toEqual(['/a (1)/one.txt', '/renamed/one.txt'])
      await site.jobs.call('remove', { paths: ['/renamed'] })
      await site.jobs.runJobs()
      await site.deliver()
      expect(pathsOf(await site.search({ text: 'e' }))).toEqual(['/a (1)/one.txt'])
      const { items } = (await site.jobs.call('recycled', {})) as { items: ReadonlyArray<{ recycleId: string }> }
      await site.jobs.call('restore', { recycleIds: items.map(({ recycleId }) => recycleId) })
      await site.jobs.runJobs()
      await site.settle()
      expect(pathsOf(await site.search({ text: 'one' }))).toEqual(['/a (1)/one.txt', '/renamed/one.txt'])
      expect(await site.indexed()).toEqual(site.walked())
    })

    it('looks here, below, or everywhere', async () => {
      for (const name of ['note.txt', 'a/note.txt', 'a/b/note.txt', 'c/note.txt']) await upload(name)
      await site.settle()
      expect(pathsOf(await site.search({ text: 'note', folder: '/a', scope: 'here' }))).toEqual(['/a/note.txt'])
      expect(pathsOf(await site.search({ text: 'note', folder: '/a' }))).toEqual(['/a/b/note.txt', '/a/note.txt'])
      expect(pathsOf(await site.search({ text: 'note', folder: '/a', scope: 'everywhere' }))).toHaveLength(4)
      await expect(site.search({ text: 'note', folder: '/missing' })).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
    })

    it('filters by type, size and time, with or without a text', async () => {
      site.onDisk('pictures/photo.JPG', 'xxxx', 1_000)
      site.onDisk('pictures/photo.pdf', 'x', 2_000)
      site.onDisk('photo/empty', '', 3_000)
      await site.settle()
      expect(pathsOf(await site.search({ text: 'photo', kind: 'image' }))).toEqual(['/pictures/photo.JPG'])
      expect(pathsOf(await site.search({ kind: 'folder' }))).toEqual(['/photo', '/pictures'])
      expect(pathsOf(await site.search({ minSize: 2 }))).toEqual(['/pictures/photo.JPG'])
      expect(pathsOf(await site.search({ maxSize: 1 }))).toEqual(['/photo/empty', '/pictures/photo.pdf'])
      const inSpan = { changedAfter: 1_001, changedBefore: 2_000 }
      expect(pathsOf(await site.search({ ...inSpan, text: 'photo' }))).toEqual(['/pictures/photo.pdf'])
    })

    it('knows the time of a folder that it first heard of as the way to something', async () => {
      await site.settle()
      site.onDisk('a/b/of another program.txt', '')
      await upload('a/b/one.txt')
      await site.settle()
      await site.nextRound()
      await site.settle()
      expect(pathsOf(await site.search({ kind: 'folder', changedAfter: 1 }))).toEqual(['/a', '/a/b'])
    })

    it('goes on where a page ended, and refuses a cursor of somebody else', async () => {
      for (let at = 0; at < 7; at++) site.onDisk(`f${at}.txt`, '')
      await site.settle()
      const found: string[] = []
      let cursor: string | null = null
      do {
        const page: SearchReply = await site.search({ text: '.txt', limit: 3, cursor })
        found.push(...page.items.map(({ name }) => name))
        cursor = page.next
      } while (cursor !== null)
      expect(found.toSorted()).toEqual(Array.from({ length: 7 }, (_, at) => `f${at}.txt`))
      const { next } = await site.search({ text: '.txt', limit: 3 })
      await site.nextAccount()
      await expect(site.search({ text: '.txt', cursor: next })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
    })

    it('does not know what a rule hides: no name, no number, no place in the limit', async () => {
      site.onDisk('secret/plan.txt', '')
      site.onDisk('open/plan.key', '')
      for (let at = 0; at < 5; at++) site.onDisk(`secret/plan ${at}.txt`, '')
      site.onDisk('open/plan.txt', '')
      await site.settle()
      site.rules = [compileRules({ forbiddenPaths: ['/secret', '*.key'] })]
      expect((await site.search({ text: 'plan', limit: 1 })).items).toMatchObject([{ path: '/open/plan.txt' }])
      expect(pathsOf(await site.search({ text: 'secret' }))).toEqual([])
      await expect(site.search({ text: 'p', folder: '/secret' })).rejects.toMatchObject({ code: 'PATH_NOT_FOUND' })
      await site.forgetScan()
      expect(await site.search({ text: 'plan' })).toMatchObject({ isBuilding: true, seen: null })
      site.rules = [compileRules({ allowedPaths: ['/open/*.key'] })]
      expect(pathsOf(await site.search({ text: '' }))).toEqual(['/open', '/open/plan.key'])
      site.rules = []
    })

    it('returns nothing of what has gone to a forbidden place, before the index hears of it', async () => {
      await upload('secret/plan.txt')
      await upload('kept/other plan.txt')
      await site.settle()
      site.rules = [compileRules({ forbiddenPaths: ['/secret'] })]
      expect(pathsOf(await site.search({ text: 'plan' }))).toEqual(['/kept/other plan.txt'])
      await site.jobs.call('move', { paths: ['/secret'], target: '/kept', conflict: 'skip' })
      await site.jobs.runJobs()
      // A rule follows what it names in the transaction of the move, and the index when it hears of that.
      site.rules = [compileRules({ forbiddenPaths: ['/kept/secret'] })]
      for (const scope of ['below', 'everywhere'] as const) {
        expect(pathsOf(await site.search({ text: 'plan', scope }))).toEqual(['/kept/other plan.txt'])
        expect(pathsOf(await site.search({ text: 'secret', scope }))).toEqual([])
      }
      await site.settle()
      expect(pathsOf(await site.search({ text: 'plan' }))).toEqual(['/kept/other plan.txt'])
    })

    it('shows what stands at a path now, whatever the index knows of it', async () => {
      for (const name of ['gone', 'turned', 'grown', 'same']) site.onDisk(`${name} note.txt`, 'x', 1_000)
      site.onDisk('e\u0301te\u0301/note.txt', 'x', 1_000)
      await site.settle()
      fs.rmSync(site.pathOf('gone note.txt'))
      fs.rmSync(site.pathOf('turned note.txt'))
      fs.mkdirSync(site.pathOf('turned note.txt'))
      site.onDisk('grown note.txt', 'xxxx', 5_000)
      const { items } = await site.search({ text: 'note' })
      expect(items.map((item) => `${item.path} ${item.size} ${item.time}`).toSorted()).toEqual([
        '/grown note.txt 4 5000',
        '/same note.txt 1 1000',
        '/été/note.txt 1 1000',
      ])
      expect(pathsOf(await site.search({ text: 'note', maxSize: 3 }))).toEqual(['/same note.txt', '/été/note.txt'])
      expect(pathsOf(await site.search({ text: 'grown', changedBefore: 2_000 }))).toEqual([])
    })

    it('fills a page though much of what it knows has gone', async () => {
      for (let at = 0; at < 100; at++) site.onDisk(`note ${at}.txt`, '')
      await site.settle()
      for (let at = 0; at < 100; at++) if (at % 10 !== 0) fs.rmSync(site.pathOf(`note ${at}.txt`))
      const first = await site.search({ text: 'note', limit: 6 })
      const second = await site.search({ text: 'note', limit: 6, cursor: first.next })
      expect([first.items.length, second.items.length, second.next]).toEqual([6, 4, null])
      expect(new Set([...pathsOf(first), ...pathsOf(second)]).size).toBe(10)
    })

    it('says that names may be missing while a storage does not answer', async () => {
      site.onDisk('note.txt', '')
      await site.settle()
      site.isSilent = true
      expect(await site.search({ text: 'note', scope: 'everywhere' })).toMatchObject({ items: [], isBuilding: true })
      site.isSilent = false
      expect(await site.search({ text: 'note', scope: 'everywhere' })).toMatchObject({ isBuilding: false })
    })

    it('shows each member of a group what their own flags and rules leave', async () => {
      const { groupId, folder } = await site.addGroup(`Team ${site.jobs.intake.alice.account}`)
      site.onDisk('own plan.txt', '')
      for (const name of ['plan.txt', 'secret/plan.txt']) {
        fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
        fs.writeFileSync(path.join(folder, name), '')
      }
      await site.settle()
      const everywhere = { text: 'plan', scope: 'everywhere' } as const
      expect(pathsOf(await site.search(everywhere))).toEqual(['/own plan.txt', '/plan.txt', '/secret/plan.txt'])
      expect((await site.search({ text: 'plan', groupId })).items[0]).toMatchObject({
        groupId,
        groupName: expect.stringMatching(/^Team /) as unknown,
      })
      await site.nextAccount()
      expect(pathsOf(await site.search(everywhere))).toEqual([])
      await site.join(groupId, 8191)
      site.rules = [compileRules({ forbiddenPaths: ['secret'] })]
      expect(pathsOf(await site.search(everywhere))).toEqual(['/plan.txt'])
      await site.nextAccount()
      await site.join(groupId, 0)
      expect(pathsOf(await site.search(everywhere))).toEqual([])
      await expect(site.search({ text: 'plan', groupId })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    })

    it('is kept up to date in half of the time at most: each step rests for as long as it worked', async () => {
      for (let number = 0; number < 1_200; number++) site.onDisk(`many/file ${number}.txt`, '')
      const { clock } = site.jobs.intake.world
      const stepMs = 20
      let now: number = clock.monotonic()
      const reading = vi.spyOn(clock, 'monotonic').mockImplementation(() => (now += stepMs) as Millis)
      const begunAt = performance.now()
      await site.scan()
      reading.mockRestore()
      // Two slices are put down alone, the last with the first look for what is gone, and two more looks follow.
      expect(performance.now() - begunAt).toBeGreaterThan(4 * stepMs)
      expect((await site.search({ text: 'file 1199' })).items).toHaveLength(1)
    })

    it('finds what other programs put there or took away, at the next round', async () => {
      await upload('kept/a.txt')
      await upload('gone/b.txt')
      await site.settle()
      fs.rmSync(site.pathOf('gone'), { recursive: true })
      fs.rmSync(site.pathOf('kept/a.txt'))
      fs.mkdirSync(site.pathOf('kept/a.txt'))
      site.onDisk('kept/new/c.txt', 'c')
      await site.nextRound()
      await site.settle()
      expect(await site.indexed()).toEqual(site.walked())
      expect(path.basename(site.pathOf('kept/new/c.txt'))).toBe('c.txt')
    })
  })
}
