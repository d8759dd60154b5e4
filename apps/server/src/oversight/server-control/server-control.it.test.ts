import fs from 'node:fs'
import path from 'node:path'
import { encodePassword, ERRORS, serverControlRoutes } from '@godwit/contract'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { mariadbUrl } from '@godwit/testkit/engines'
import { freePort } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharing, visit, type Sharing } from '../../exchange/links/testing/guests.ts'
import { administer } from '../../security/testing/administrators.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { openSite, PASSWORD, type Site } from '../../security/testing/sites.ts'
import { signIn } from '../../security/testing/wire.ts'

const PAUSED = ERRORS.SERVER_PAUSED.wire
/** The state is looked at every second. */
const SEEN = { timeout: 30_000, interval: 50 }
const STARTED = { timeout: 60_000, interval: 50 }

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`a paused server on ${engine}`, () => {
    let site: Site
    let admin = ''
    let mei: Sharing

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      admin = (await site.signIn('admin')).token
      mei = await openSharing(site, 'mei')
      mei.put('a.txt', 'a'.repeat(100))
      await site.addUser('deputy')
      await administer(site, 'deputy', ['statistics.view'])
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const control = (what: string, json: object = {}, token = admin) =>
      site.ask({ method: 'POST', path: `/api/admin/server/${what}`, token, json })
    const status = async () => (await site.ask({ path: '/api/admin/server', token: admin })).data
    const isPaused = async () => (await site.ask({ path: '/api/website/info' })).data['isPaused']
    const refusalOf = async (account: string) => {
      try {
        await signIn(site.url, account, PASSWORD)
        return ''
      } catch (thrown) {
        return String(thrown)
      }
    }
    const whilePaused = async (work: () => Promise<void>) => {
      expect((await control('pause')).data['pausedAt']).toBeTypeOf('number')
      await expect.poll(isPaused, SEEN).toBe(true)
      try {
        await work()
      } finally {
        await control('resume')
        await expect.poll(isPaused, SEEN).toBe(false)
      }
    }

    it('refuses sign-ins of everyone but administrators, and takes no code for it', async () => {
      await whilePaused(async () => {
        expect(await refusalOf('mei')).toContain(String(PAUSED))
        expect(await refusalOf('deputy')).toBe('')
        // A session of before goes on.
        expect((await site.call(mei.token, 'list', { folder: '/' })).code).toBe(200)
      })
      expect(await refusalOf('mei')).toBe('')
    })

    it('refuses new transfers at every door, in the language of the caller, and stores nothing of them', async () => {
      mei.put('inbox/kept.txt', 'kept')
      const invite = await mei.link({ shareUrlType: 0, shareFiles: ['inbox'] })
      const share = await mei.link({ shareFiles: ['a.txt'] })
      const [guest, giver] = [await visit(site, share), await visit(site, invite)]
      const { token } = mei
      const made = await site.ask({
        ...{ method: 'POST', path: '/api/user/api-tokens', token },
        json: { name: 'program', permission: 8191, days: 1, password: encodePassword(PASSWORD) },
      })
      const { token: program } = made.data as unknown as { readonly token: string }
      await whilePaused(async () => {
        const create = (by: string) =>
          site.ask({ method: 'POST', path: '/api/uploads', token: by, json: { folder: '/', filename: 'n', size: 3 } })
        for (const by of [token, admin, program, giver.token]) expect((await create(by)).code).toBe(PAUSED)
        const inChinese = await fetch(`${site.url}/api/uploads`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-language': 'zh-CN' },
          body: JSON.stringify({ folder: '/', filename: 'n', size: 3 }),
        })
        expect(await inChinese.text()).toContain('服务器已暂停')
        expect((await site.upload(token, 'n', Buffer.from('abc'))).code).toBe(PAUSED)
        const tus = await fetch(`${site.url}/files/uploads`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', 'upload-length': '3' },
        })
        expect(tus.status).toBe(503)
        const dav = await fetch(`${site.url}/dav/personal/n.txt`, {
          method: 'PUT',
          headers: { authorization: `Bearer ${token}` },
          body: 'abc',
        })
        expect(dav.status).toBe(503)
        expect((await site.call(token, 'download', { paths: ['/a.txt'] })).code).toBe(PAUSED)
        const plain = await site.ask({ path: '/api/files/content?path=/a.txt', token })
        expect(plain.code).toBe(PAUSED)
        expect((await guest.ask('ticket', { paths: ['/a.txt'] })).code).toBe(PAUSED)
        expect((await site.ask({ path: `/api/share/link/${share}/content?path=/a.txt` })).status).toBe(503)
        expect(await guest.list()).toEqual(['/a.txt'])
      })
      expect(fs.readdirSync(mei.home).toSorted()).toEqual(['a.txt', 'inbox'])
      expect(fs.readdirSync(path.join(mei.home, 'inbox'))).toEqual(['kept.txt'])
    })

    it('lets what runs go on: parts of an upload, further files of its transfer, the rest of a download', async () => {
      const { token } = mei
      const began = await site.ask({
        ...{ method: 'POST', path: '/api/transfers/browser', token },
        json: { folder: '/', name: 'one', files: 2, bytes: 6, paths: ['/one', '/two'] },
      })
      const transferId = (began.data['transfer'] as unknown as { readonly transferId: string }).transferId
      expect(began.text).toContain('running')
      const create = (filename: string) =>
        site.ask({
          ...{ method: 'POST', path: '/api/uploads', token },
          json: { folder: '/', filename, size: 3, transferId },
        })
      const first = (await create('one')).data as unknown as { readonly uploadId: string }
      await whilePaused(async () => {
        expect(await status()).toMatchObject({ running: 1, canRestart: true })
        const part = { method: 'PUT', path: `/api/uploads/${first.uploadId}/parts/0`, token, body: Buffer.from('abc') }
        expect((await site.ask(part)).code).toBe(200)
        const done = { method: 'POST', path: `/api/uploads/${first.uploadId}/complete`, token, json: {} }
        expect((await site.ask(done)).code).toBe(200)
        expect((await create('two')).code).toBe(200)
        const rest = await fetch(`${site.url}/api/files/content?path=/a.txt`, {
          headers: { authorization: `Bearer ${token}`, range: 'bytes=50-' },
        })
        expect([rest.status, (await rest.text()).length]).toEqual([206, 50])
      })
    })

    it('is paused and resumed at the shell, needs the right, and is in the operation log', async () => {
      expect(await site.cli('server pause')).toBe(0)
      await expect.poll(isPaused, SEEN).toBe(true)
      expect(await site.cli('server show')).toBe(0)
      expect(site.printed()).toMatch(/paused since \d{4}/)
      expect(await site.cli('server resume')).toBe(0)
      await expect.poll(isPaused, SEEN).toBe(false)
      const deputy = (await site.signIn('deputy')).token
      for (const what of ['pause', 'resume']) expect((await control(what, {}, deputy)).code).toBe(1008)
      expect((await control('shutdown', { confirm: 'shutdown' }, deputy)).code).toBe(1008)
      const names = await site.withDatabase(({ db }) =>
        db.selectFrom('operation_log').select(['operation', 'door']).where('operation', 'like', 'server.%').execute(),
      )
      expect(names.map(({ operation }) => operation)).toEqual(expect.arrayContaining(['server.pause', 'server.resume']))
      expect(names.some(({ door }) => door === 'cli')).toBe(true)
    })
  })
}

describe('a server that an administrator ends', () => {
  it('starts anew in the same process, paused as before, and ends for good by a shutdown', async () => {
    await using site = await openSite({ port: await freePort() })
    const admin = (await site.signIn('admin')).token
    const control = (what: string, json: object = {}) =>
      site.ask({ method: 'POST', path: `/api/admin/server/${what}`, token: admin, json })
    const starts = () => site.godwit.output().split('Godwit listens on').length - 1
    expect((await control('restart', {})).code).toBe(400)
    await control('pause')
    expect((await control('restart', { confirm: 'restart' })).data).toEqual({ running: 0 })
    await expect.poll(starts, STARTED).toBe(2)
    process.kill(site.godwit.pid, 0)
    const { data } = await site.ask({ path: '/api/admin/server', token: admin })
    expect(data['pausedAt']).toBeTypeOf('number')
    expect(data).toMatchObject({ canRestart: true })
    // The order that the new program was started by is no order to it.
    expect(await site.cli('server restart')).toBe(0)
    await expect.poll(starts, STARTED).toBe(3)
    expect((await control('shutdown', { confirm: 'shutdown' })).code).toBe(200)
    const answers = () => site.ask({ path: '/healthz' }).then(Boolean, () => false)
    await expect.poll(answers, STARTED).toBe(false)
    expect(await site.godwit.end('SIGTERM')).toMatchObject({ code: 0 })
  })
})

describe('the checks of a running server', () => {
  it('upload in parts to each bucket, leave nothing there, and name the one that refuses', async () => {
    let bucket: TemporaryBucket | undefined
    await using site = await openSite({
      prepare: async (environment) => {
        bucket = await keepFilesInBucket(environment)
      },
    })
    const { token } = await site.signIn('admin')
    const looked = async () => {
      const { data } = await site.ask({ path: '/api/admin/server/doctor', token })
      return serverControlRoutes.doctor.reply.parse(data).findings.find(({ check }) => check === 'multipart')
    }
    expect(await looked()).toMatchObject({ state: 'ok', code: 'multipart.ok' })
    const left: string[] = []
    for await (const page of bucket?.store.list('') ?? []) left.push(...page.names)
    expect(left.filter((name) => name.startsWith('godwit-probe'))).toEqual([])
    await bucket?.store[Symbol.asyncDispose]()
    await bucket?.destroy()
    expect(await looked()).toMatchObject({ state: 'problem', code: 'multipart.refused', who: 'console' })
    expect((await looked())?.message).toMatch(/^storage \d+ takes no upload in parts: /)
  })

  it('answer in the language of the caller with codes, what mends each, and who can; and need the right', async () => {
    await using site = await openSite({ databaseUrl: await mariadbUrl() })
    const admin = (await site.signIn('admin')).token
    const examine = async (language: string) => {
      const headers = { authorization: `Bearer ${admin}`, 'accept-language': language }
      const answer = await fetch(`${site.url}/api/admin/server/doctor`, { headers })
      return serverControlRoutes.doctor.reply.parse(((await answer.json()) as { readonly data: unknown }).data).findings
    }
    const english = await examine('en-US')
    const of = (check: string) => english.find((found) => found.check === check)
    expect(of('database')).toMatchObject({ state: 'ok', code: 'database.ok', who: 'nobody' })
    expect(of('mail')).toMatchObject({ state: 'warning', code: 'mail.off', who: 'console' })
    expect(of('clock')).toMatchObject({ code: 'clock.ok' })
    // Its own port is no finding of a server that runs.
    expect(of('port')).toBeUndefined()
    expect((await examine('zh-CN')).find(({ check }) => check === 'mail')?.fix).toContain('控制台')
    await site.addUser('deputy')
    await administer(site, 'deputy', ['statistics.view'])
    const { token } = await site.signIn('deputy')
    expect((await site.ask({ path: '/api/admin/server/doctor', token })).code).toBe(1008)
    const probe = { method: 'POST', path: '/api/admin/server/probe', body: Buffer.alloc(1_000) }
    expect((await site.ask({ ...probe, token })).code).toBe(1008)
    expect((await site.ask({ ...probe, token: admin })).data).toMatchObject({ bytes: 1_000, isIgnored: false })
    const proxied = await site.ask({ ...probe, token: admin, headers: { 'x-forwarded-for': '203.0.113.9' } })
    expect(proxied.data).toMatchObject({ address: '127.0.0.1', isIgnored: true })
    // As it is made, so that a page sees whether a proxy holds answers back.
    const pace = '/api/admin/server/pace'
    const { body } = await fetch(`${site.url}${pace}`, { headers: { authorization: `Bearer ${admin}` } })
    const arrivals: number[] = []
    for await (const _part of body ?? []) arrivals.push(performance.now())
    expect(arrivals).toHaveLength(2)
    expect((arrivals[1] ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(500)
    expect((await site.ask({ path: pace, token })).code).toBe(1008)
  })
})
