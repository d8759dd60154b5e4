import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ERRORS } from '@godwit/contract'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mountAs, type Mount } from '../../edge/webdav/testing/dav.ts'
import { openSharing, visit, type Sharing } from '../../exchange/links/testing/guests.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'

const SPACE = ['personal']

describe('a virtual directory through every door', { timeout: 60_000 }, () => {
  let site: Site
  let owner: Sharing
  let folder = ''
  const disk = (name: string) => path.join(folder, 'files/old', name)
  const put = (name: string, content: string): void => {
    fs.mkdirSync(path.dirname(disk(name)), { recursive: true })
    fs.writeFileSync(disk(name), content)
  }
  beforeAll(async () => {
    site = await openSite()
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-doors-'))
    owner = await openSharing(site, 'mei')
    await run(`storage add --name Archive --kind local --folder ${folder}/files`)
    put('report.txt', 'a report')
    put('plans/one.txt', 'plan one')
    put('plans/secret.key', 'a key')
    await site.call(owner.token, 'list', { folder: '/' })
    await run('mount add Archive --account mei --storage 2 --folder old')
    const rules = JSON.stringify({ forbiddenPaths: ['*.key', '/Archive/hidden'], deniedTypes: ['exe'] })
    await site.withDatabase(({ db }) =>
      db.updateTable('users').set({ file_rules: rules }).where('account', '=', 'mei').execute(),
    )
    put('hidden/x.txt', 'x')
  }, 120_000)
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    fs.rmSync(folder, { recursive: true, force: true })
  })

  async function run(words: string): Promise<void> {
    if ((await site.cli(words)) !== 0) throw new Error(site.printed())
  }
  async function namesIn(at: string): Promise<string[]> {
    const { data } = await site.call(owner.token, 'columns', { folder: at })
    return data['names'] as unknown as string[]
  }
  const get = async (paths: readonly string[]) => {
    const { data } = await site.call(owner.token, 'download', { paths: [...paths] })
    return site.ask({ path: String(data['url']), token: owner.token })
  }
  const jobOf = async (operation: string, input: object) => (await site.runJob(owner.token, operation, input)).job

  it('is downloaded whole, as a file and as an archive, without what a rule of the home hides', async () => {
    await expect.poll(() => namesIn('/Archive'), { timeout: 20_000 }).toEqual(['plans', 'report.txt'])
    expect((await get(['/Archive/report.txt'])).text).toBe('a report')
    const { text } = await get(['/Archive'])
    expect(text).toContain('plan one')
    expect(text).toContain('Archive/report.txt')
    expect(text).not.toContain('secret.key')
    expect(text).not.toContain('hidden')
    expect((await site.call(owner.token, 'attributes', { paths: ['/Archive/hidden'] })).code).toBe(
      ERRORS.PATH_NOT_FOUND.wire,
    )
  })

  it('takes no type that the account may not have, nor a forbidden name', async () => {
    const upload = (name: string) => site.upload(owner.token, name, Buffer.from('x'), '/Archive')
    expect((await upload('a.exe')).code).toBe(ERRORS.FILE_TYPE_NOT_ALLOWED.wire)
    expect((await upload('a.key')).code).toBe(ERRORS.PERMISSION_DENIED.wire)
    expect(fs.readdirSync(disk('.')).toSorted()).toEqual(['hidden', 'plans', 'report.txt'])
  })

  it('takes uploads by tus', async () => {
    await new Promise<void>((resolve, reject) => {
      const upload = new Upload(Buffer.from('by tus'), {
        endpoint: `${site.url}/files/uploads`,
        headers: { authorization: `Bearer ${owner.token}` },
        metadata: { filename: 'tus.txt', folder: '/Archive/plans' },
        onError: reject,
        onSuccess: () => resolve(),
      })
      upload.start()
    })
    await expect.poll(() => fs.existsSync(disk('plans/tus.txt'))).toBe(true)
    expect(fs.readFileSync(disk('plans/tus.txt'), 'utf8')).toBe('by tus')
  })

  it('is a folder of the mounted drive, which cannot be moved or deleted', async () => {
    const mount: Mount = await mountAs(site, 'mei')
    const at = (...names: string[]) => [...SPACE, 'Archive', ...names]
    expect(await mount.list(at())).toEqual(expect.arrayContaining(['plans', 'report.txt']))
    expect((await mount.send('GET', at('report.txt'))).text).toBe('a report')
    expect((await mount.send('PUT', at('dav.txt'), { body: 'by dav' })).status).toBe(201)
    expect(fs.readFileSync(disk('dav.txt'), 'utf8')).toBe('by dav')
    expect((await mount.send('DELETE', at())).status).toBe(403)
    const destination = `${site.url}/dav/personal/Elsewhere`
    expect((await mount.send('MOVE', at(), { headers: { destination } })).status).toBe(403)
    const out = { destination: `${site.url}/dav/personal/dav.txt` }
    expect((await mount.send('MOVE', at('dav.txt'), { headers: out })).status).toBe(201)
    expect(fs.readFileSync(path.join(owner.home, 'dav.txt'), 'utf8')).toBe('by dav')
  })

  it('is shared with guests by a link, below what was chosen alone', async () => {
    const linkId = await owner.link({ shareServerPath: '/Archive', shareFiles: ['plans'] })
    const guest = await visit(site, linkId)
    expect(await guest.list()).toEqual(expect.arrayContaining(['/one.txt', '/tus.txt']))
    const url = await guest.ticket(['/one.txt'])
    expect((await site.ask({ path: url })).text).toBe('plan one')
    expect((await guest.ask('list', { folder: '/../' })).code).not.toBe(200)
    const home = await owner.link({ shareServerPath: '/', shareFiles: [] })
    const other = await visit(site, home)
    expect((await other.ask('list', { folder: '/Archive' })).data['items'] ?? []).toEqual([])
  })

  it('keeps versions of its files on its own storage', async () => {
    await run('settings set versions.keep 3')
    const put = (text: string) => site.upload(owner.token, 'v.txt', Buffer.from(text), '/Archive')
    const kept = async () => {
      const { data } = await site.call(owner.token, 'versions', { path: '/Archive/v.txt' })
      return data['items'] as unknown as ReadonlyArray<{ readonly versionId: string }>
    }
    // The server sees the setting of the command after a while; until then nothing is kept.
    await expect.poll(async () => put('first').then(kept), { timeout: 20_000 }).not.toEqual([])
    await put('second')
    const restored = { path: '/Archive/v.txt', versionId: (await kept())[0]?.versionId }
    expect((await site.call(owner.token, 'restoreVersion', restored)).data).toEqual({ path: '/Archive/v.txt' })
    expect(fs.readFileSync(disk('v.txt'), 'utf8')).toBe('first')
  })

  it('is packed and unpacked by the server', async () => {
    expect(await jobOf('pack', { paths: ['/Archive/plans'], target: '/Archive', name: 'plans.zip' })).toMatchObject({
      failures: [],
    })
    await expect.poll(() => fs.existsSync(disk('plans.zip')), { timeout: 20_000 }).toBe(true)
    await site.call(owner.token, 'mkdir', { folder: '/', name: 'unpacked' })
    await jobOf('unpack', { path: '/Archive/plans.zip', target: '/unpacked' })
    const find = () => fs.readdirSync(path.join(owner.home, 'unpacked'), { recursive: true }).join()
    await expect.poll(find, { timeout: 20_000 }).toContain('one.txt')
    expect(find()).not.toContain('secret.key')
  })

  it('is added, renamed and removed in the console, with a row in the operation log for each', async () => {
    const { token } = await site.signIn('admin')
    const { data } = await site.ask({ path: '/api/admin/users?text=mei', token })
    const [user] = data['rows'] as unknown as Array<{ readonly id: string }>
    const route = `/api/admin/users/${user?.id ?? ''}/mounts`
    const send = (method: string, at: string, json: object) => site.ask({ method, path: route + at, token, json })
    const wanted = { alias: 'Second', storageId: 2, path: 'second', readOnly: true }
    const nested = await send('POST', '', { ...wanted, path: 'old/plans' })
    expect(nested.code).toBe(ERRORS.STORAGE_PATH_INVALID.wire)
    expect((await send('POST', '', { ...wanted, alias: 'archive' })).code).toBe(ERRORS.ALIAS_PATH_DUPLICATE.wire)
    const added = await send('POST', '', wanted)
    expect(added.data['mount']).toMatchObject({ ...wanted, storageName: 'Archive', spaceId: 1 })
    expect(await namesIn('/')).toContain('Second')
    expect((await site.upload(owner.token, 'x.txt', Buffer.from('x'), '/Second')).code).toBe(1008)
    const { id } = added.data['mount'] as unknown as { readonly id: number }
    expect((await send('PATCH', `/${id}`, { alias: 'Third' })).data['mount']).toMatchObject({ alias: 'Third' })
    expect(await namesIn('/')).toContain('Third')
    const listed = await site.ask({ path: route, token })
    expect(listed.data['mounts']).toMatchObject([{ alias: 'Archive' }, { alias: 'Third' }])
    expect((await send('POST', `/${id}/remove`, {})).code).toBe(200)
    expect(await namesIn('/')).not.toContain('Third')
    const log = await site.withDatabase(({ db }) =>
      db.selectFrom('operation_log').select(['operation', 'result']).where('target_kind', '=', 'mount').execute(),
    )
    const done = log.filter(({ result }) => result === 'ok').map(({ operation }) => operation)
    expect(done).toEqual(['mount.add', 'mount.add', 'mount.rename', 'mount.remove'])
  })

  it('is shown as what it is in recent files and favorites', async () => {
    await site.call(owner.token, 'mark', { paths: ['/Archive/plans/one.txt'], isFavorite: true })
    const { data } = await site.call(owner.token, 'favorites', { limit: 5 })
    expect(data['items']).toMatchObject([{ path: '/Archive/plans/one.txt', groupId: 0 }])
    const { data: inside } = await site.call(owner.token, 'favoritesIn', { folder: '/Archive/plans' })
    expect(inside['names']).toEqual(['one.txt'])
    await site.call(owner.token, 'mark', { paths: ['/Archive/plans/one.txt'], isFavorite: false })
    expect((await site.call(owner.token, 'favorites', { limit: 5 })).data['items']).toEqual([])
    const recent = async () =>
      (await site.call(owner.token, 'recent', { limit: 50 })).data['items'] as unknown as object[]
    await expect
      .poll(recent, { timeout: 10_000 })
      .toContainEqual(expect.objectContaining({ path: '/Archive/v.txt', groupId: 0 }))
  })
})
