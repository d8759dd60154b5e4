import { createHash } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import { secureRandom } from '@godwit/base'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { openSharing, verify, visit, type Guest, type Sharing } from './testing/guests.ts'

const KINDS = [
  { name: 'SQLite and a local storage', isGrown: false },
  { name: 'MariaDB and a bucket', isGrown: true },
]

/** For the event of a change to be handled, on a machine that does other things as well. */
const WAIT = { timeout: 20_000 }

describe.each(KINDS)('what a link shares, on $name', ({ isGrown }) => {
  let site: Site
  let mei: Sharing
  let bucket: TemporaryBucket | undefined
  /** A folder of its own for each test. */
  let base: string

  beforeAll(async () => {
    const prepare = async (environment: Readonly<Record<string, string>>): Promise<void> => {
      bucket = await keepFilesInBucket(environment)
    }
    site = await openSite(isGrown ? { databaseUrl: await mariadbUrl(), prepare } : {})
    mei = await openSharing(site, 'mei')
  }, 120_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    await bucket?.store[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    const name = Buffer.from(secureRandom.fill(new Uint8Array(6))).toString('hex')
    await site.call(mei.token, 'mkdir', { folder: '/', name })
    base = `/${name}`
  })

  const put = async (path: string, content: string | Uint8Array) => {
    const cut = path.lastIndexOf('/')
    const answer = await site.upload(mei.token, path.slice(cut + 1), Buffer.from(content), base + path.slice(0, cut))
    expect(answer.data).toMatchObject({ state: 'completed' })
  }
  const makeFolder = async (name: string, path = '') =>
    expect((await site.call(mei.token, 'mkdir', { folder: base + path, name })).code).toBe(200)
  const call = async (operation: string, input: object) => {
    const answer = await site.call(mei.token, operation, input)
    expect([operation, answer.code]).toEqual([operation, 200])
    return answer.data
  }
  const rename = (oldName: string, newName: string, path = '') =>
    call('rename', { path: base + path, oldName, newName })
  const move = (path: string, target: string, conflict = 'fail') =>
    call('move', { paths: [base + path], target: base + target, conflict })
  const remove = async (path: string) => {
    const { recycleIds } = (await call('remove', { paths: [base + path] })) as { readonly recycleIds?: unknown }
    return recycleIds as readonly string[]
  }
  const restore = (recycleIds: readonly string[], conflict = 'fail') => call('restore', { recycleIds, conflict })
  const record = async (url: string) => (await mei.look(`detail?url=${url}`)).data
  const download = async (guest: Guest, path: string) => (await site.ask({ path: await guest.ticket([path]) })).text
  /** As somebody else would see it who has the address. */
  const opening = async (url: string) => (await verify(site, { url })).code

  it('is followed through moves and renames, also of a folder above', async () => {
    await makeFolder('plans')
    await makeFolder('other')
    await put('/plans/a.txt', 'alpha')
    await put('/plans/b.txt', 'beta')
    const files = await mei.link({
      shareServerPath: `${base}/plans`,
      shareFiles: ['a.txt', 'b.txt'],
      fileAlias: [{ file: 'a.txt', alias: 'Offer.txt' }],
    })
    const folder = await mei.link({ shareServerPath: `${base}/plans` })
    const [one, two] = [await visit(site, files), await visit(site, folder)]
    await rename('a.txt', 'c.txt', '/plans')
    await move('/plans/b.txt', '/other')
    await rename('plans', 'drawings')
    await move('/drawings', '/other')
    await expect.poll(() => one.list(), WAIT).toEqual(['/b.txt', '/Offer.txt'])
    expect([await download(one, '/Offer.txt'), await download(one, '/b.txt')]).toEqual(['alpha', 'beta'])
    await expect.poll(() => two.list(), WAIT).toEqual(['/c.txt'])
    expect(await download(two, '/c.txt')).toBe('alpha')
    expect(await record(files)).toMatchObject({
      shareServerPath: `${base}/other/drawings`,
      filename: ['c.txt', 'b.txt'],
      fileAlias: [{ file: 'c.txt', alias: 'Offer.txt' }],
      missing: [],
    })
    expect(await record(folder)).toMatchObject({ shareServerPath: `${base}/other`, filename: ['drawings'] })
    expect((await mei.look('list?shareUrlType=1&keyword=c.txt')).data).toMatchObject({ total: 1 })
  })

  it('is not what took its name, and is back when it is restored', async () => {
    await makeFolder('plans')
    await put('/plans/a.txt', 'alpha')
    await put('/plans/b.txt', 'beta')
    const single = await mei.link({ shareServerPath: `${base}/plans`, shareFiles: ['a.txt'] })
    const both = await mei.link({ shareServerPath: `${base}/plans`, shareFiles: ['a.txt', 'b.txt'] })
    const folder = await mei.link({ shareServerPath: `${base}/plans` })
    const guest = await visit(site, both)
    const [a = ''] = await remove('/plans/a.txt')
    await put('/plans/a.txt', 'secret')
    expect(await opening(single)).toBe(1041)
    await expect.poll(() => record(single), WAIT).toMatchObject({ shareStatus: 2, blockedBy: null, missing: ['a.txt'] })
    expect((await mei.look('list?shareUrlType=1&status=2')).data['sharelinkinfo']).toMatchObject([{ linkId: single }])
    expect(await guest.list()).toEqual(['/b.txt'])
    expect((await guest.ask('ticket', { paths: ['/a.txt'] })).code).toBe(5100)
    expect(await record(both)).toMatchObject({ shareStatus: 1, missing: ['a.txt'] })
    // The one that came back has another name beside its namesake.
    await restore([a], 'keep-both')
    await expect.poll(() => guest.list(), WAIT).toEqual(['/a (1).txt', '/b.txt'])
    expect(await download(await visit(site, single), '/a (1).txt')).toBe('alpha')
    const [plans = ''] = await remove('/plans')
    await makeFolder('plans')
    await put('/plans/x.txt', 'secret')
    for (const url of [single, both, folder]) await expect.poll(() => opening(url), WAIT).toBe(1041)
    await restore([plans], 'replace')
    await expect.poll(() => opening(single), WAIT).toBe(200)
    // What is merged into a namesake comes back entry by entry.
    await expect.poll(() => record(both), WAIT).toMatchObject({ missing: [] })
    expect(await download(await visit(site, both), '/b.txt')).toBe('beta')
    // The folder was merged into its namesake and is no more.
    expect(await opening(folder)).toBe(1041)
  })

  it('is its new content when its owner replaces it, and nothing once it is moved to another place', async () => {
    await put('/a.txt', 'first')
    await put('/b.txt', 'third')
    const url = await mei.link({ shareServerPath: base, shareFiles: ['a.txt'] })
    const guest = await visit(site, url)
    await put('/a.txt', 'second')
    await expect.poll(() => download(guest, '/a.txt'), WAIT).toBe('second')
    await makeFolder('in')
    await put('/in/a.txt', 'moved over it')
    await move('/in/a.txt', '/', 'replace')
    await expect.poll(() => download(guest, '/a.txt'), WAIT).toBe('moved over it')
    await site.cli('group add Design --quota 1M')
    await site.cli('group member --group 1 --account mei --permission list,download,upload,mkdir')
    const request = { paths: [`${base}/a.txt`], target: '/', targetGroupId: 1, conflict: 'keep-both' }
    const { job } = await site.runJob(mei.token, 'move', request)
    expect(job).toMatchObject({ state: 'completed', failures: [] })
    await expect.poll(() => opening(url), WAIT).toBe(1041)
    await expect.poll(() => record(url), WAIT).toMatchObject({ shareStatus: 2, missing: ['a.txt'] })
  })

  it('takes what guests bring wherever the folder is, and nothing into one that took its name', async () => {
    await makeFolder('inbox')
    const url = await mei.link({ shareUrlType: 0, shareServerPath: base, shareFiles: ['inbox'] })
    const guest = await visit(site, url)
    await site.upload(guest.token, 'one.txt', Buffer.from('one'))
    await expect.poll(() => guest.list(), WAIT).toEqual(['/one.txt'])
    await rename('inbox', 'letters')
    await expect.poll(() => guest.list(), WAIT).toEqual(['/one.txt'])
    const answer = await site.upload(guest.token, 'two.txt', Buffer.from('two'))
    expect(answer.data).toMatchObject({ state: 'completed', path: '/two.txt' })
    await expect.poll(() => guest.list(), WAIT).toEqual(['/one.txt', '/two.txt'])
    const [letters = ''] = await remove('/letters')
    await makeFolder('letters')
    const json = { folder: '/', filename: 'three.txt', size: 3 }
    expect([1009, 1041]).toContain(
      (await site.ask({ method: 'POST', path: '/api/uploads', token: guest.token, json })).code,
    )
    expect(await opening(url)).toBe(1041)
    expect((await call('list', { folder: `${base}/letters` }))['items']).toEqual([])
    await call('remove', { paths: [`${base}/letters`] })
    await restore([letters])
    await expect.poll(() => opening(url), WAIT).toBe(200)
  })

  it('is read to its end while it is renamed', async () => {
    const content = secureRandom.fill(new Uint8Array(8 * 2 ** 20))
    await put('/film.bin', content)
    const guest = await visit(site, await mei.link({ shareServerPath: base, shareFiles: ['film.bin'] }))
    const address = await guest.ticket(['/film.bin'])
    const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(site.url + address, resolve).on('error', reject)
    })
    await rename('film.bin', 'cut.bin')
    await expect.poll(() => guest.list(), WAIT).toEqual(['/cut.bin'])
    const hash = createHash('sha256')
    for await (const chunk of answer) hash.update(chunk as Buffer)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(content).digest('hex'))
  })

  it('is never a namesake, whenever a guest asks', async () => {
    await put('/a.txt', 'shared')
    const url = await mei.link({ shareServerPath: base, shareFiles: ['a.txt'] })
    const asked = new AbortController()
    const bodies: string[] = []
    const ask = async (): Promise<void> => {
      while (!asked.signal.aborted) {
        // A bucket may lose the object under a read; the connection is cut then.
        const answer = await site.ask({ path: `/api/share/link/${url}/content` }).catch(() => undefined)
        if (answer?.status === 200) bodies.push(answer.text)
      }
    }
    const guests = Promise.all([ask(), ask(), ask()])
    try {
      await expect.poll(() => bodies.length, WAIT).toBeGreaterThan(0)
      await rename('a.txt', 'b.txt')
      await put('/a.txt', 'secret')
      await rename('b.txt', 'c.txt')
      await rename('a.txt', 'b.txt')
      const [shared = ''] = await remove('/c.txt')
      await rename('b.txt', 'c.txt')
      await restore([shared], 'keep-both')
      const before = bodies.length
      await expect.poll(() => bodies.length, WAIT).toBeGreaterThan(before)
    } finally {
      asked.abort()
      await guests
    }
    expect(new Set(bodies)).toEqual(new Set(['shared']))
    await expect.poll(() => record(url), WAIT).toMatchObject({ filename: ['c (1).txt'], missing: [] })
  })

  it('is not what somebody put there without the product', async () => {
    await put('/a.txt', 'shared')
    await put('/b.txt', 'beside')
    const url = await mei.link({ shareServerPath: base, shareFiles: ['a.txt'] })
    const both = await visit(site, await mei.link({ shareServerPath: base, shareFiles: ['a.txt', 'b.txt'] }))
    const guest = await visit(site, url)
    const ticket = await guest.ticket(['/a.txt'])
    await swap('/a.txt', 'hidden')
    expect((await site.ask({ path: ticket })).text).not.toContain('hidden')
    expect(await guest.list()).toEqual([])
    expect((await guest.ask('preview', { path: '/a.txt' })).code).toBe(1041)
    expect(await opening(url)).toBe(1041)
    const zip = await site.ask({ path: await both.ticket([]) })
    expect([zip.body.includes('beside'), zip.body.includes('hidden')]).toEqual([true, false])
  })

  /** Another file under the name of one, by somebody who writes to the storage itself. */
  async function swap(path: string, content: string): Promise<void> {
    if (bucket === undefined) {
      const home = site.home('mei') + base
      fs.writeFileSync(`${home}/twin`, content)
      return fs.renameSync(`${home}/twin`, home + path)
    }
    const key = `users/mei${base}${path}`
    await bucket.store.writeFiles([{ key, content: Buffer.from(content), modifiedMs: 1 }], { conflict: 'replace' })
  }
})
