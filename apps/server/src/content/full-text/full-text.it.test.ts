import fs from 'node:fs'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { PERMISSION, type SearchReply } from '@godwit/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TextFault } from '../../foundation/document-texts/index.ts'
import { DATABASES } from '../../testing/worlds.ts'
import { compileRules } from '../access/rules.ts'
import { FULL_TEXT_TABLES } from './full-text.schema.ts'
import { TextSite } from './testing/text-site.ts'

for (const { dialect, open } of DATABASES) {
  describe(`search in contents on ${dialect}`, () => {
    let site: TextSite
    beforeAll(async () => void (site = await TextSite.open(await open())))
    beforeEach(async () => {
      Object.assign(site, { isOn: true, limitBytes: MiB, readInstead: undefined })
      await site.names.nextAccount()
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const upload = (relativePath: string, text: string) =>
      site.names.jobs.intake.upload(Buffer.from(text), { relativePath, conflict: 'replace' })

    it('finds two Chinese characters, beginnings of words, and documents that have all of them', async () => {
      site.names.onDisk('一/计划.txt', '年度项目预算\n表，第三季度')
      site.names.onDisk('two.md', '# Résumé of the Annual Report')
      site.names.onDisk('three.csv', 'report,预算\n1,2')
      site.names.onDisk('picture.png', 'report')
      await site.settle()
      expect(await site.paths('预算')).toEqual(['/three.csv', '/一/计划.txt'])
      expect(await site.paths('预算表')).toEqual(['/一/计划.txt'])
      expect(await site.paths('季')).toEqual(['/一/计划.txt'])
      expect(await site.paths('算项')).toEqual([])
      expect(await site.paths('REPO')).toEqual(['/three.csv', '/two.md'])
      expect(await site.paths('resume annual')).toEqual(['/two.md'])
      expect(await site.paths('report 预算')).toEqual(['/three.csv'])
      expect(await site.paths('port')).toEqual([])
      expect(await site.paths('')).toEqual([])
      expect(await site.paths('.,!')).toEqual([])
    })

    it('says where the words stand, as text', async () => {
      site.names.onDisk(
        'plan.html',
        `<p>${'before '.repeat(40)}</p><b>the Budget</b> of &lt;b&gt; 2026 ${'after '.repeat(60)}`,
      )
      await site.settle()
      const [result] = (await site.find('2026 budget')).items
      const { text = '', marks = [] } = result?.snippet ?? {}
      expect(text).toMatch(/^…before .*the Budget of <b> 2026 after .*…$/)
      expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(['Budget', '2026'])
      expect((await site.names.search({ text: 'plan' })).items[0]?.snippet).toBeNull()
    })

    it('quotes nothing of a document that is not there any more', async () => {
      for (const name of ['gone.txt', 'other.txt', 'here.txt']) site.names.onDisk(name, 'pears')
      await site.settle()
      fs.rmSync(site.names.pathOf('gone.txt'))
      site.names.onDisk('other.txt', 'something else')
      expect(await site.paths('pears')).toEqual(['/here.txt'])
      await site.names.nextRound()
      await site.settle()
      expect(await site.paths('something else')).toEqual(['/other.txt'])
    })

    it('follows uploads, replacements, renames, moves, deletions and restores', async () => {
      await upload('a/one.txt', 'apples and pears')
      await site.settle()
      expect(await site.paths('pears')).toEqual(['/a/one.txt'])
      await upload('a/one.txt', 'only plums')
      await site.names.deliver()
      expect(await site.paths('pears')).toEqual([])
      await site.read()
      expect([await site.paths('pears'), await site.paths('plums')]).toEqual([[], ['/a/one.txt']])
      const { reads } = site
      await site.names.rename('/', 'a', 'b')
      await site.names.rename('/b', 'one.txt', 'two.md')
      await site.settle()
      expect(await site.paths('plums')).toEqual(['/b/two.md'])
      expect(site.reads).toBe(reads)
      await site.names.rename('/b', 'two.md', 'two.bin')
      await site.settle()
      expect(await site.paths('plums')).toEqual([])
      await site.names.rename('/b', 'two.bin', 'two.txt')
      await site.settle()
      await site.names.jobs.call('remove', { paths: ['/b'] })
      await site.names.jobs.runJobs()
      await site.names.deliver()
      expect(await site.paths('plums')).toEqual([])
      await site.settle()
      const { items } = (await site.names.jobs.call('recycled', {})) as { items: ReadonlyArray<{ recycleId: string }> }
      await site.names.jobs.call('restore', { recycleIds: items.map(({ recycleId }) => recycleId) })
      await site.names.jobs.runJobs()
      await site.settle()
      expect(await site.paths('plums')).toEqual(['/b/two.txt'])
    })

    it('filters like the search by name, here and below, page by page', async () => {
      for (let at = 0; at < 40; at++) site.names.onDisk(`${at % 2 ? 'odd' : 'even'}/${at}.txt`, 'the same word')
      site.names.onDisk('even/page.html', 'word')
      await site.settle()
      expect(await site.paths('word', { limit: 3 })).toHaveLength(41)
      expect(await site.paths('word', { folder: '/odd' })).toHaveLength(20)
      expect(await site.paths('word', { scope: 'here' })).toEqual([])
      expect(await site.paths('word', { folder: '/even', scope: 'here', limit: 4 })).toHaveLength(21)
      expect(await site.paths('word', { kind: 'document' })).toHaveLength(40)
      expect(await site.paths('word', { maxSize: 5 })).toEqual(['/even/page.html'])
      const { next } = await site.find('word', { limit: 3 })
      await expect(site.names.search({ text: 'word', cursor: next })).rejects.toMatchObject({ code: 'CURSOR_INVALID' })
    })

    it('shows nothing of what a rule hides, and of places where documents may not be seen', async () => {
      for (const name of ['open.txt', 'secret/plan.txt', 'plan.key.txt']) site.names.onDisk(name, 'hidden words')
      const { groupId, folder } = await site.names.addGroup(`Team ${site.names.jobs.intake.alice.account}`)
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(path.join(folder, 'shared.txt'), 'hidden words')
      await site.settle()
      expect(await site.find('hidden')).toMatchObject({ hasContents: true, unread: 0 })
      site.names.rules = [compileRules({ forbiddenPaths: ['/secret', '*.key.*'] })]
      const limited = await site.find('hidden', { limit: 1 })
      expect(limited).toMatchObject({ items: [{ path: '/open.txt' }], unread: null })
      site.names.rules = []
      const everywhere = { scope: 'everywhere' } as const
      const all = await site.paths('hidden', everywhere)
      expect(all).toContain('/shared.txt')
      // Where one place ends with a full page, the next one begins with another.
      const pages: SearchReply[] = []
      for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?.next ?? null) {
        pages.push(await site.find('hidden', { ...everywhere, limit: 1, cursor }))
      }
      expect(pages.flatMap(({ items }) => items.map((item) => item.path)).toSorted()).toEqual(all)
      expect(Math.max(...pages.map(({ items }) => items.length))).toBe(1)
      await site.names.nextAccount()
      await site.names.join(groupId, PERMISSION.list)
      expect((await site.names.search({ text: 'shared', groupId })).items).toHaveLength(1)
      expect(await site.paths('hidden', { groupId })).toEqual([])
      expect(await site.paths('hidden', everywhere)).toEqual([])
    })

    it('records why a document has no text, and reads it again only when it changes', async () => {
      site.names.onDisk('large.txt', 'words '.repeat(MiB))
      site.names.onDisk('broken.docx', 'PK no zip')
      site.names.onDisk('zero.txt', '')
      await site.settle()
      expect(await site.reasonOf('large.txt')).toBe('too-large')
      expect(await site.reasonOf('broken.docx')).toBe('unreadable')
      expect(await site.reasonOf('zero.txt')).toBe('empty')
      const { reads } = site
      await site.names.nextRound()
      await site.settle()
      expect(site.reads).toBe(reads)
      expect(await site.find('words')).toMatchObject({ items: [], unread: 0 })
      site.limitBytes = 20 * MiB
      await site.read()
      expect(await site.paths('words')).toEqual(['/large.txt'])
    })

    it('gives up on a document that ends its reader, and goes on with the others', async () => {
      const { clock } = site.names.jobs.intake.world
      site.names.onDisk('deadly.txt', 'deadly')
      await site.names.settle()
      site.readInstead = () => Promise.reject(new TextFault('unreadable', { cause: new Error('it died') }))
      await site.read()
      expect(await site.find('deadly')).toMatchObject({ items: [], unread: 1 })
      site.names.onDisk('good.txt', 'good')
      await site.names.nextRound()
      await site.names.settle()
      site.readInstead = undefined
      await site.read()
      expect(await site.paths('good')).toEqual(['/good.txt'])
      site.readInstead = () => Promise.reject(new TextFault('unreadable', { cause: new Error('it died') }))
      for (let turn = 0; turn < 3; turn++) {
        clock.advance(600_000)
        await site.read()
      }
      expect(await site.reasonOf('deadly.txt')).toBe('unreadable')
      expect((await site.find('deadly')).unread).toBe(0)
    })

    it('goes on where it was stopped, and waits for a storage', async () => {
      for (let at = 0; at < 3; at++) site.names.onDisk(`${at}.txt`, `number n${at}`)
      await site.names.settle()
      const stop = new AbortController()
      site.readInstead = async () => {
        stop.abort(new Error('the server stops'))
        throw stop.signal.reason
      }
      await expect(site.read(stop.signal)).rejects.toThrow('the server stops')
      expect((await site.find('number')).unread).toBe(3)
      site.readInstead = () => Promise.reject(new Error('the storage is away'))
      await site.read()
      expect(site.warnings).not.toHaveLength(0)
      site.readInstead = undefined
      site.names.jobs.intake.world.clock.advance(60_000)
      await site.read()
      expect(await site.paths('number')).toHaveLength(3)
    })

    it('is thrown away when it is switched off, and built again', async () => {
      site.names.onDisk('kept.txt', 'kept words')
      await site.settle()
      expect(await site.paths('kept')).toEqual(['/kept.txt'])
      site.isOn = false
      expect(await site.find('kept')).toMatchObject({ items: [], hasContents: false })
      await site.read()
      for (const table of FULL_TEXT_TABLES) expect(await site.rows(table), table).toBe(0)
      await upload('later.txt', 'kept later')
      await site.names.settle()
      expect(await site.rows('full_text_queue')).toBe(0)
      site.isOn = true
      expect(await site.find('kept')).toMatchObject({ items: [], hasContents: true, unread: null })
      await site.read()
      expect(await site.paths('kept')).toEqual(['/kept.txt', '/later.txt'])
    })

    it('takes no more space when documents are replaced again and again', async () => {
      for (let at = 0; at < 40; at++) site.names.onDisk(`${at}.txt`, `first${at} common`)
      await site.settle()
      const before = await site.rows('full_text_terms')
      for (let turn = 1; turn <= 6; turn++) {
        for (let at = 1; at < 40; at++) site.names.onDisk(`${at}.txt`, `turn${turn}no${at} common`, 1_000 + turn)
        await site.names.nextRound()
        await site.settle()
      }
      expect(await site.rows('full_text_terms')).toBeLessThan(before * 2)
      expect(await site.paths('common')).toHaveLength(40)
      expect(await site.paths('first0')).toEqual(['/0.txt'])
      expect(await site.paths('turn5no7')).toEqual([])
    })
  })
}
