import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ZipWriter } from '../content/downloads/index.ts'
import { openSite, type Site } from './testing/sites.ts'
import type { Login } from './testing/wire.ts'

/** A zip of these entries. */
function zipOf(entries: ReadonlyArray<readonly [name: string, content: string]>): Buffer {
  const zip = new ZipWriter()
  const pieces = entries.flatMap(([name, content]) => {
    const bytes = Buffer.from(content)
    const head = zip.begin({ name, modifiedMs: Date.UTC(2026, 0, 2), size: bytes.length })
    zip.content(bytes)
    return [head, bytes, zip.end()]
  })
  return Buffer.concat([...pieces, ...zip.finish()])
}

describe('zip archives on the server', () => {
  let site: Site
  let mei: Login

  beforeAll(async () => {
    site = await openSite()
    await site.addUser('mei')
    fs.mkdirSync(site.home('mei'), { recursive: true })
    mei = await site.signIn('mei')
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const home = (...parts: string[]) => path.join(site.home('mei'), ...parts)
  const call = (operation: 'pack' | 'unpack', input: object) => site.runJob(mei.token, operation, input)
  const tree = (folder: string) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const unfinished = async () => (await site.ask({ path: '/api/uploads', token: mei.token })).data['items']

  it('hold what was packed, and give it back', async () => {
    fs.mkdirSync(home('tree/deep'), { recursive: true })
    fs.writeFileSync(home('tree/deep/big.bin'), Buffer.alloc(20 * 2 ** 20, 7))
    for (const name of ['tree/报告.txt', 'tree/empty', 'alone'])
      fs.writeFileSync(home(name), name.includes('empty') ? '' : name)
    const packed = await call('pack', { paths: ['/tree', '/alone'], target: '/', name: 'all.zip' })
    expect(packed.job).toMatchObject({ state: 'completed', failures: [], doneFiles: 4, totalFiles: 4 })
    expect(fs.readFileSync(home('all.zip')).subarray(0, 2).toString()).toBe('PK')
    // A taken name gets a number, and nothing unfinished is left to go on with.
    await call('pack', { paths: ['/alone'], target: '/', name: 'all.zip' })
    expect(fs.existsSync(home('all (1).zip'))).toBe(true)
    expect(await unfinished()).toEqual([])

    const unpacked = await call('unpack', { path: '/all.zip', target: '/' })
    expect(unpacked.job).toMatchObject({ state: 'completed', failures: [] })
    expect(tree(home('all'))).toEqual(['alone', 'tree', ...tree(home('tree')).map((name) => `tree/${name}`)].toSorted())
    for (const name of ['tree/deep/big.bin', 'tree/报告.txt', 'alone']) {
      expect(fs.readFileSync(home('all', name)).equals(fs.readFileSync(home(name)))).toBe(true)
    }
    // What a job of the server brings is no transfer of its owner.
    expect((await site.ask({ path: '/api/transfers', token: mei.token })).data).toEqual({ items: [], next: '' })
    await call('unpack', { path: '/all (1).zip', target: '/tree' })
    expect(fs.existsSync(home('tree/all (1)/alone'))).toBe(true)
  })

  it('are unpacked entry by entry: what is hostile is named, the rest is there', async () => {
    const zip = zipOf([
      ['good.txt', 'good'],
      ['../../evil.txt', 'evil'],
      ['/etc/passwd', 'mine'],
      ['a:b?.txt', 'renamed'],
      ['link', '/etc/passwd'],
      ['broken.txt', 'BROKEN'],
      ['good.txt', 'twice'],
      ['empty/', ''],
    ])
    // The directory says that the entry is a symbolic link, as Unix tools pack one.
    zip.writeUInt32LE((0o120_777 << 16) >>> 0, zip.indexOf('link', zip.indexOf('PK\u0001\u0002')) - 8)
    zip.write('broken', zip.indexOf('BROKEN'))
    fs.writeFileSync(home('hostile.zip'), zip)
    const { job } = await call('unpack', { path: '/hostile.zip', target: '/' })
    expect(job?.failures.map(({ path: name, code }) => [name, code])).toEqual([
      ['../../evil.txt', 5104],
      ['link', 5113],
      ['broken.txt', 5123],
      ['good.txt', 5101],
    ])
    const made = tree(home('hostile'))
    expect(made.filter((name) => !name.includes('~'))).toEqual(['empty', 'etc', 'etc/passwd', 'good.txt'])
    expect(made.filter((name) => /^a_b_~[0-9a-f]{6}\.txt$/.test(name))).toHaveLength(1)
    expect(fs.readFileSync(home('hostile/good.txt'), 'utf8')).toBe('good')
    expect(await unfinished()).toEqual([])
  })

  it('are whole or not there at all when the quota is full before their end', async () => {
    const usage = async () => Number((await site.call(mei.token, 'usage', {})).data['usedBytes'])
    const limitTo = (quota_bytes: number | null) =>
      site.withDatabase(({ db }) => db.updateTable('users').set({ quota_bytes }).where('account', '=', 'mei').execute())
    fs.mkdirSync(home('much'))
    fs.writeFileSync(home('much/a.bin'), Buffer.alloc(20 * 2 ** 20, 7))
    fs.writeFileSync(home('much/b.txt'), 'b')
    const before = await usage()
    await limitTo(before + 10 * 2 ** 20)
    const { job } = await call('pack', { paths: ['/much'], target: '/', name: 'much.zip' })
    expect(fs.existsSync(home('much.zip'))).toBe(false)
    expect(job?.failures.map(({ path: name, code }) => [name, code])).toEqual([['/much.zip', 5210]])
    expect([await unfinished(), await usage()]).toEqual([[], before])
    await limitTo(null)
  })

  it('that are none, or bombs, leave nothing', async () => {
    fs.mkdirSync(home('folder'))
    fs.writeFileSync(home('text.zip'), 'no zip at all')
    expect((await call('unpack', { path: '/text.zip', target: '/' })).job?.failures[0]?.code).toBe(5123)
    const bomb = zipOf([['bomb', 'x'.repeat(1000)]])
    const at = bomb.indexOf('PK\u0001\u0002')
    bomb.writeUInt16LE(8, at + 10)
    bomb.writeUInt32LE(0xf000_0000, at + 24)
    fs.writeFileSync(home('bomb.zip'), bomb)
    expect((await call('unpack', { path: '/bomb.zip', target: '/' })).job?.failures[0]?.code).toBe(5124)
    expect(fs.existsSync(home('text')) || fs.existsSync(home('bomb'))).toBe(false)
    expect((await call('unpack', { path: '/folder', target: '/' })).code).toBe(5103)
    expect((await call('pack', { paths: ['/folder'], target: '/', name: 'a/b' })).code).toBe(5104)
  })
})
