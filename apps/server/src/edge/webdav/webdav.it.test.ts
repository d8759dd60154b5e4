import fs from 'node:fs'
import path from 'node:path'
import { nameFault } from '@godwit/contract'
import { launchGodwit, naughtyStrings } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from '../../security/testing/sites.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { basic, lockBody, lockOf, mountAs, responsesIn, type Mount } from './testing/dav.ts'

const HOME = ['personal']
const at = (...names: string[]): string[] => [...HOME, ...names]
const bodyOf = (size: number, fill = 'x') => new Uint8Array(Buffer.alloc(size, fill))

describe.each(['SQLite and a disk', 'MariaDB and a bucket'])('WebDAV on %s', (engine) => {
  let site: Site
  let mei: Mount
  let ben: Mount

  beforeAll(async () => {
    const isGrown = engine !== 'SQLite and a disk'
    const prepare = async (environment: Readonly<Record<string, string>>): Promise<void> => {
      await keepFilesInBucket(environment)
    }
    site = await openSite(isGrown ? { databaseUrl: await mariadbUrl(), prepare } : {})
    for (const account of ['mei', 'ben']) await site.addUser(account)
    await site.cli('settings set versions.keep 0')
    await site.cli('group add Team')
    const all = '--permission list,download,upload,mkdir,rename,move,copy,delete'
    for (const account of ['mei', 'ben']) await site.cli(`group member --group 1 --account ${account} ${all}`)
    mei = await mountAs(site, 'mei')
    ben = await mountAs(site, 'ben')
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const usedBy = async (mount: Mount): Promise<number> => {
    const answer = await site.call(mount.session, 'usage', {})
    return Number(answer.data['usedBytes'])
  }
  const rules = async (account: string, text: object | null): Promise<void> => {
    const file_rules = text === null ? null : JSON.stringify(text)
    await site.withDatabase(({ db }) =>
      db.updateTable('users').set({ file_rules }).where('account', '=', account).execute(),
    )
  }

  it('shows the tree as its account has it, and nothing above', async () => {
    expect(await mei.list([])).toEqual(['personal', 'groups'])
    expect(await mei.list(['groups'])).toEqual(['Team'])
    for (const names of [['spaces'], ['groups', 'Other'], ['users'], at('..', 'admin')]) {
      const answer = await mei.send('PROPFIND', names, { headers: { depth: '0' } })
      expect(answer.status, names.join('/')).toBe(404)
    }
    for (const [method, names] of [
      ['MKCOL', ['x']],
      ['PUT', ['personal']],
      ['DELETE', ['groups', 'Team']],
    ] as const) {
      const answer = await mei.send(method, names)
      expect([403, 404, 405], `${method} ${names.join('/')}: ${answer.text}`).toContain(answer.status)
    }
  })

  it('keeps every naughty name that the portal takes, and every byte', async () => {
    await mei.send('MKCOL', at('naughty'))
    const fits = (name: string): boolean => nameFault(name) === undefined && name.normalize('NFC') === name
    const folded = new Map(
      naughtyStrings()
        .filter(fits)
        .map((name) => [name.toLowerCase(), name]),
    )
    const names = [...folded.values()].filter((_name, number) => number % 16 === 0)
    for (const name of names) {
      const answer = await mei.send('PUT', at('naughty', name), { body: Buffer.from(name) })
      expect(answer.status, name).toBe(201)
    }
    expect((await mei.list(at('naughty'))).toSorted()).toEqual(names.toSorted())
    for (const name of names) {
      const answer = await mei.send('GET', at('naughty', name))
      expect(answer.text).toBe(name)
    }
  })

  it('reads by Range and on conditions, and writes on conditions', async () => {
    const file = at('conditions.bin')
    const made = await mei.send('PUT', file, { body: '0123456789', headers: { 'if-none-match': '*' } })
    expect(made.status).toBe(201)
    const etag = String(made.headers.etag)
    const get = (headers: Readonly<Record<string, string>>) => mei.send('GET', file, { headers })
    expect(await get({ range: 'bytes=2-4' })).toMatchObject({ status: 206, text: '234' })
    expect((await get({ range: 'bytes=20-' })).status).toBe(416)
    expect((await get({ 'if-none-match': etag })).status).toBe(304)
    expect((await get({ 'if-match': '"other"' })).status).toBe(412)
    expect((await get({ 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' })).status).toBe(304)
    expect((await get({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).status).toBe(412)
    const put = (headers: Readonly<Record<string, string>>) => mei.send('PUT', file, { body: 'new', headers })
    expect((await put({ 'if-none-match': '*' })).status).toBe(412)
    expect((await put({ 'if-match': '"other"' })).status).toBe(412)
    expect((await put({ 'content-range': 'bytes 0-2/10' })).status).toBe(416)
    expect((await put({ 'if-match': etag })).status).toBe(204)
    expect((await put({ 'if-match': etag })).status).toBe(412)
    expect((await get({})).text).toBe('new')
    expect((await mei.send('PUT', at('absent', 'file'), { body: 'x' })).status).toBe(409)
    expect((await mei.send('PUT', at('naughty'), { body: 'x' })).status).toBe(405)
  })

  it('takes a body of unknown length to the byte, within the quota to the byte', async () => {
    const before = await usedBy(mei)
    const content = new Uint8Array(Buffer.concat([bodyOf(5_000_001, 'a'), bodyOf(3, 'b')]))
    expect(await mei.putChunked(at('chunked.bin'), content)).toEqual({ status: 201, text: '' })
    expect((await mei.send('GET', at('chunked.bin'))).body.equals(content)).toBe(true)
    expect(await usedBy(mei)).toBe(before + content.length)
    const quota = before + content.length + 1_000_000
    await site.withDatabase(({ db }) =>
      db.updateTable('users').set({ quota_bytes: quota }).where('account', '=', 'mei').execute(),
    )
    const props = '<propfind xmlns="DAV:"><prop><quota-available-bytes/><quota-used-bytes/></prop></propfind>'
    const asked = await mei.send('PROPFIND', HOME, { headers: { depth: '0' }, body: props })
    expect([...(responsesIn(asked.text)[0]?.properties.values() ?? [])]).toEqual(['1000000', String(quota - 1_000_000)])
    const tooMuch = bodyOf(1_000_001)
    for (const put of [mei.putChunked(at('a.bin'), tooMuch), mei.send('PUT', at('b.bin'), { body: tooMuch })]) {
      const refused = await put
      expect([refused.status, refused.text.includes('quota-not-exceeded')]).toEqual([507, true])
    }
    expect(await usedBy(mei)).toBe(quota - 1_000_000)
    expect((await mei.putChunked(at('exact.bin'), bodyOf(1_000_000))).status).toBe(201)
    expect(await usedBy(mei)).toBe(quota)
    await site.withDatabase(({ db }) =>
      db.updateTable('users').set({ quota_bytes: null }).where('account', '=', 'mei').execute(),
    )
  })

  it('leaves nothing of a PUT that breaks', async () => {
    const before = await usedBy(mei)
    const cut = mei.beginPut(at('broken.bin'), 50_000_000, 3_000_000)
    await expect.poll(() => openUploads(), { timeout: 60_000 }).toBe(1)
    cut()
    await expect.poll(() => openUploads(), { timeout: 60_000 }).toBe(0)
    expect(await mei.list(HOME)).not.toContain('broken.bin')
    expect(await usedBy(mei)).toBe(before)
  })
  const openUploads = () =>
    site.withDatabase(async ({ db }) => {
      const query = db.selectFrom('uploads').select('id').where('carrier', '=', 'webdav').where('state', '=', 'open')
      return (await query.execute()).length
    })

  it('keeps dead properties through moves, copies, the bin and the way back', async () => {
    const set = (value: string) =>
      `<D:propertyupdate xmlns:D="DAV:"><D:set><D:prop><x:note xmlns:x="urn:x">${value}</x:note></D:prop></D:set></D:propertyupdate>`
    const noteOf = async (names: readonly string[]) => {
      const body = '<propfind xmlns="DAV:"><prop><note xmlns="urn:x"/></prop></propfind>'
      const answer = await mei.send('PROPFIND', names, { headers: { depth: '0' }, body })
      return responsesIn(answer.text)[0]?.properties.get('{urn:x}note')
    }
    await mei.send('MKCOL', at('props'))
    await mei.send('PUT', at('props', 'a'), { body: 'a' })
    for (const names of [at('props'), at('props', 'a')]) {
      const answer = await mei.send('PROPPATCH', names, { body: set(names.at(-1) ?? '') })
      expect([answer.status, answer.text.includes('200 OK')]).toEqual([207, true])
    }
    const to = (names: readonly string[]) => ({ headers: { destination: `${site.url}/dav/${names.join('/')}` } })
    expect((await mei.send('COPY', at('props'), to(at('copied')))).status).toBe(201)
    expect((await mei.send('MOVE', at('props'), to(at('moved')))).status).toBe(201)
    expect(await Promise.all(['copied', 'moved'].map((folder) => noteOf(at(folder, 'a'))))).toEqual(['a', 'a'])
    expect(await noteOf(at('moved'))).toBe('props')
    expect((await mei.send('PROPFIND', at('props'), { headers: { depth: '0' } })).status).toBe(404)
    const renamed = await site.call(mei.session, 'rename', { path: '/', oldName: 'moved', newName: 'by-the-page' })
    expect(renamed.code).toBe(200)
    expect(await noteOf(at('by-the-page', 'a'))).toBe('a')
    expect((await mei.send('DELETE', at('by-the-page'))).status).toBe(204)
    const bin = await site.call(mei.session, 'recycled', {})
    const { recycleId } = (bin.data['items'] as unknown as Array<{ recycleId: string }>)[0] ?? { recycleId: '' }
    await site.call(mei.session, 'restore', { recycleIds: [recycleId] })
    await expect.poll(() => noteOf(at('by-the-page', 'a')), { timeout: 60_000 }).toBe('a')
    const live = set('x').replace('x:note xmlns:x="urn:x"', 'D:getetag').replace('</x:note>', '</D:getetag>')
    expect((await mei.send('PROPPATCH', at('copied'), { body: live })).text).toContain(
      'cannot-modify-protected-property',
    )
    const huge = await mei.send('PROPPATCH', at('copied'), { body: set('x'.repeat(70_000)) })
    expect(huge.status).toBe(507)
  })

  it('holds a lock against the portal, uploads, the other member, and its own account without the token', async () => {
    const file = ['groups', 'Team', 'plan.txt']
    expect((await mei.send('PUT', file, { body: 'one' })).status).toBe(201)
    const token = await lockOf(mei, file)
    const place = { groupId: 1 }
    for (const { session } of [mei, ben]) {
      const renamed = await site.call(session, 'rename', { ...place, path: '/', oldName: 'plan.txt', newName: 'b' })
      expect(renamed.code, renamed.text).toBe(5130)
      const json = { ...place, folder: '/', filename: 'plan.txt', size: 1, conflict: 'replace' }
      const upload = await site.ask({ method: 'POST', path: '/api/uploads', token: session, json })
      expect(upload.code, upload.text).toBe(5130)
      const metadata = [
        ['filename', 'plan.txt'],
        ['groupId', '1'],
        ['conflict', 'replace'],
      ]
        .map(([key, value = '']) => `${key} ${Buffer.from(value).toString('base64')}`)
        .join(',')
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '1', 'upload-metadata': metadata }
      expect((await site.ask({ method: 'POST', path: '/files/uploads', token: session, headers })).status).toBe(423)
      const removed = await site.call(session, 'remove', { ...place, paths: ['/plan.txt'] })
      expect(JSON.stringify(removed.data), removed.text).toContain('5130')
    }
    for (const mount of [mei, ben]) expect((await mount.send('PUT', file, { body: 'two' })).status).toBe(423)
    const shown = { headers: { if: `(${token})` }, body: 'three' }
    expect((await ben.send('PUT', file, shown)).status).toBe(423)
    expect((await ben.send('LOCK', file, { headers: { depth: '0' }, body: lockBody('shared') })).status).toBe(423)
    expect((await mei.send('PUT', file, shown)).status).toBe(204)
    const removed = await mei.send('DELETE', ['groups', 'Team', 'plan.txt'], { headers: { if: `(${token})` } })
    expect(removed.status).toBe(204)
  })

  it('ends a lock with the token it was taken with, and shows a locked name to its holder alone', async () => {
    const file = ['groups', 'Team', 'draft.txt']
    const other = await mountAs(site, 'mei')
    await lockOf(other, file)
    expect([await other.list(['groups', 'Team']), await ben.list(['groups', 'Team'])]).toEqual([['draft.txt'], []])
    expect((await other.send('GET', file)).text).toBe('')
    expect((await ben.send('GET', file)).status).toBe(404)
    expect((await ben.send('PUT', file, { body: 'x' })).status).toBe(423)
    const json = { tokenId: other.tokenId }
    await site.ask({ method: 'POST', path: '/api/user/api-tokens/remove', token: mei.session, json })
    expect((await other.send('GET', file)).status).toBe(401)
    expect((await ben.send('PUT', file, { body: 'x' })).status).toBe(201)
    expect((await ben.send('DELETE', file)).status).toBe(204)
  })

  it('leaves out what a rule forbids, and refuses what would carry it along', async () => {
    for (const folder of ['ruled', 'ruled/in']) await mei.send('MKCOL', at(...folder.split('/')))
    for (const name of ['a.txt', 'in/secret.key', 'in/b.txt']) {
      await mei.send('PUT', at('ruled', ...name.split('/')), { body: name })
    }
    await rules('mei', { forbiddenPaths: ['*.key'] })
    expect(await mei.list(at('ruled', 'in'))).toEqual(['b.txt'])
    const hidden = at('ruled', 'in', 'secret.key')
    for (const method of ['GET', 'DELETE']) expect((await mei.send(method, hidden)).status).toBe(404)
    const written = await mei.send('PUT', hidden, { body: 'x' })
    const other = await mei.send('PUT', at('ruled', 'in', 'absent.key'), { body: 'x' })
    expect([written.status, other.status]).toEqual([other.status, written.status])
    expect(written.status).toBeGreaterThanOrEqual(400)
    expect((await mei.send('LOCK', at('ruled'), { body: lockBody('exclusive') })).status).toBe(403)
    const to = (name: string) => ({ headers: { destination: `/dav/personal/${name}` } })
    expect((await mei.send('MOVE', at('ruled'), to('elsewhere'))).status).toBe(403)
    expect((await mei.send('DELETE', at('ruled'))).status).toBe(403)
    expect((await mei.send('COPY', at('ruled'), to('ruled-copy'))).status).toBe(201)
    await rules('mei', null)
    expect(await mei.list(at('ruled-copy', 'in'))).toEqual(['b.txt'])
    expect(await mei.list(at('ruled', 'in'))).toHaveLength(2)
  })

  it('leaves the folder that a refused move or copy would have replaced', async () => {
    const team = ['groups', 'Team', 'kept']
    for (const folder of [['bigger'], ['bigger', 'in'], ['kept'], ['far'], ['far', 'kept']]) {
      await mei.send('MKCOL', at(...folder))
    }
    await mei.send('MKCOL', team)
    await mei.send('PUT', at('bigger', 'in', 'secret.key'), { body: 'secret' })
    for (const folder of [at('kept'), at('far', 'kept'), team]) {
      await mei.send('PUT', [...folder, 'old.txt'], { body: 'old' })
    }
    const onto = (method: string, path: string) =>
      mei.send(method, at('bigger'), { headers: { destination: `/dav/${path}` } })
    await rules('mei', { forbiddenPaths: ['*.key'] })
    for (const path of ['personal/kept', 'personal/far/kept', 'groups/Team/kept']) {
      expect((await onto('MOVE', path)).status, path).toBe(403)
    }
    await rules('mei', null)
    const limitTo = (bytes: number | null) =>
      site.withDatabase(async ({ db }) => {
        await db
          .updateTable('user_groups')
          .set({ quota_bytes: bytes ?? 0 })
          .execute()
        await db.updateTable('users').set({ quota_bytes: bytes }).where('account', '=', 'mei').execute()
      })
    await limitTo(1)
    for (const [method, path] of [
      ['MOVE', 'groups/Team/kept'],
      ['COPY', 'groups/Team/kept'],
      ['COPY', 'personal/kept'],
    ] as const) {
      expect((await onto(method, path)).status, `${method} to ${path}`).toBe(507)
    }
    await limitTo(null)
    for (const folder of [at('kept'), at('far', 'kept'), team]) expect(await mei.list(folder)).toEqual(['old.txt'])
    expect((await onto('MOVE', 'groups/Team/kept')).status).toBe(204)
    expect(await mei.list(team)).toEqual(['in'])
  })

  it('makes no file of a denied type, by any method', async () => {
    for (const folder of ['typed', 'typed/m.exe']) await mei.send('MKCOL', at(...folder.split('/')))
    for (const name of ['x.txt', 'own.exe']) await mei.send('PUT', at(name), { body: name })
    await rules('mei', { deniedTypes: ['exe'] })
    const to = (name: string) => ({ headers: { destination: `/dav/personal/${name}` } })
    expect((await mei.send('PUT', at('typed', 'n.exe'), { body: 'x' })).status).toBe(403)
    for (const method of ['COPY', 'MOVE'] as const) {
      for (const target of ['x.exe', 'typed/n.exe', 'typed/m.exe']) {
        expect((await mei.send(method, at('x.txt'), to(target))).status, `${method} to ${target}`).toBe(403)
      }
    }
    // What stood under the refused name is there still.
    expect(await mei.list(at('typed'))).toEqual(['m.exe'])
    expect((await mei.send('MOVE', at('own.exe'), to('typed/own.exe'))).status).toBe(201)
    expect((await mei.send('MOVE', at('x.txt'), to('typed/y.txt'))).status).toBe(201)
    await rules('mei', null)
  })

  it('moves and copies within its own server, and never onto or into itself', async () => {
    await mei.send('MKCOL', at('tree'))
    await mei.send('PUT', at('tree', 'a'), { body: 'a' })
    await mei.send('PUT', at('b'), { body: 'b' })
    const send = (method: string, names: readonly string[], destination: string, more = {}) =>
      mei.send(method, names, { headers: { destination, ...more } })
    const host = site.url.replace('http://', '')
    expect((await send('MOVE', at('b'), 'http://other.example/dav/personal/c')).status).toBe(502)
    expect((await send('MOVE', at('b'), `http://${host}/api/files`)).status).toBe(502)
    expect((await send('COPY', at('tree'), '/dav/personal/tree/inner')).status).toBe(403)
    expect((await send('COPY', at('b'), '/dav/personal/b')).status).toBe(403)
    expect((await send('MOVE', at('b'), '/dav/personal/absent/b')).status).toBe(409)
    expect((await send('MOVE', at('b'), '/dav/personal/tree/a', { overwrite: 'F' })).status).toBe(412)
    expect((await send('MOVE', at('b'), '/dav/personal/tree/a')).status).toBe(204)
    expect((await mei.send('GET', at('tree', 'a'))).text).toBe('b')
    expect((await send('COPY', at('tree', 'a'), '/dav/groups/Team/a%20b')).status).toBe(201)
    expect((await send('MOVE', ['groups', 'Team', 'a b'], '/dav/personal/B')).status).toBe(201)
    expect((await send('MOVE', at('B'), '/dav/personal/b')).status).toBe(201)
    expect((await mei.list(HOME)).filter((name) => name.toLowerCase() === 'b')).toEqual(['b'])
  })

  it('refuses what is not XML, is too much of it, or asks for the whole tree', async () => {
    const asks = (body: string, depth = '0') => mei.send('PROPFIND', HOME, { headers: { depth }, body })
    for (const body of [
      '<a',
      '<!DOCTYPE a [<!ENTITY x "y">]><propfind xmlns="DAV:"/>',
      '<a>'.repeat(1_000),
      '<propfind xmlns="DAV:"/>',
    ]) {
      expect((await asks(body)).status, body.slice(0, 40)).toBe(400)
    }
    expect((await asks('x'.repeat(300_000))).status).toBe(413)
    const endless = await asks('', 'infinity')
    expect([endless.status, endless.text.includes('propfind-finite-depth')]).toEqual([403, true])
    expect((await mei.send('MKCOL', at('body'), { body: 'x' })).status).toBe(415)
  })

  it('takes API tokens of the named account alone, and counts guesses as the sign-in does', async () => {
    const as = (account: string, password: string) =>
      site.ask({ method: 'PROPFIND', path: '/dav/', headers: { ...basic(account, password), depth: '0' } })
    expect((await as('mei', mei.password)).status).toBe(207)
    const nobody = await site.ask({ method: 'PROPFIND', path: '/dav/' })
    expect([nobody.status, nobody.headers['www-authenticate']]).toEqual([401, 'Basic realm="Godwit", charset="UTF-8"'])
    for (const [account, password] of [
      ['ben', mei.password],
      ['mei', PASSWORD],
      ['mei', ''],
      ['', mei.password],
    ] as const) {
      expect((await as(account, password)).status, `${account}:${password}`).toBe(401)
    }
    const statuses = await Promise.all(Array.from({ length: 12 }, () => as('nobody-here', 'guess')))
    expect(statuses.some(({ status }) => status === 429)).toBe(true)
    // What guesses lock is the guessing: the token goes on.
    expect((await as('mei', mei.password)).status).toBe(207)
    await site.cli('user lock --account ben')
    expect((await ben.send('PROPFIND', HOME, { headers: { depth: '0' } })).status).toBe(401)
    await site.cli('settings set webdav.enabled off')
    await expect.poll(async () => (await as('mei', mei.password)).status, { timeout: 60_000 }).toBe(404)
    await site.cli('settings set webdav.enabled on')
    await expect.poll(async () => (await as('mei', mei.password)).status, { timeout: 60_000 }).toBe(207)
  })
})

describe('a PUT while the server is killed', () => {
  it('shows nothing and leaves the quota as it was', async () => {
    await using site = await openSite()
    await site.addUser('mei')
    const mei = await mountAs(site, 'mei')
    await mei.send('PUT', at('kept.txt'), { body: 'kept' })
    const cut = mei.beginPut(at('killed.bin'), 50_000_000, 4_000_000)
    const reserved = () =>
      site.withDatabase(async ({ db }) => {
        const row = await db.selectFrom('quotas').selectAll().executeTakeFirst()
        return { used: Number(row?.used_bytes), reserved: Number(row?.reserved_bytes) }
      })
    await expect.poll(async () => (await reserved()).reserved, { timeout: 60_000 }).toBe(50_000_000)
    await site.godwit.end('SIGKILL')
    cut()
    const again = await launchGodwit({ data: site.data })
    expect(await reserved()).toEqual({ used: 4, reserved: 0 })
    expect(fs.readdirSync(path.join(site.home('mei')))).toEqual(['kept.txt'])
    await again.end('SIGTERM')
  })
})
