import fs from 'node:fs'
import { PERMISSION } from '@godwit/contract'
import { HEIC, pngOf } from '@godwit/testkit'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { openSharing, verify, visit, type Sharing } from './testing/guests.ts'

const HOUR_S = 3_600
const inSeconds = (): number => Math.floor(Date.now() / 1000)

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`share links on ${engine}`, () => {
    let site: Site
    let mei: Sharing

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      mei = await openSharing(site, 'mei')
      mei.put('plans/a.txt', 'alpha')
      mei.put('plans/b.txt', 'beta')
      mei.put('plans/deep/c.txt', 'gamma')
      mei.put('secret.txt', 'not shared')
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    it('are made, listed, searched, changed and removed by their owner, and by nobody else', async () => {
      const created = await mei.own('create', {
        shareUrlType: 1,
        shareServerPath: '/plans',
        shareFiles: ['a.txt', 'b.txt'],
      })
      expect(created.data).toMatchObject({ shareUrl: expect.stringMatching(/^\/share\/[0-9a-f]{32}$/) as string })
      const { linkId } = created.data as unknown as { readonly linkId: string }
      const listed = await mei.look('list?shareUrlType=1&keyword=B.TXT')
      expect(listed.data).toMatchObject({ total: 1, size: 10, current: 1 })
      expect(listed.data['sharelinkinfo']).toMatchObject([
        { linkId, filename: ['a.txt', 'b.txt'], type: 2, shareServerPath: '/plans', shareStatus: 1, blockedBy: null },
      ])
      const time = inSeconds() + 48 * HOUR_S
      const edited = await mei.own('edit', {
        shareUrl: linkId,
        shareExpireTime: time,
        needPassword: true,
        shareUrlPasswd: 'Ab 1c',
      })
      expect(edited.data).toMatchObject({ shareExpireTime: time, needPassword: true, sharePassword: 'Ab1c' })
      const tom = await openSharing(site, 'tom')
      expect((await tom.look(`detail?url=${linkId}`)).code).toBe(4025)
      for (const route of ['delete', 'cancel', 'enable']) {
        expect((await tom.own(route, { shareUrlList: [linkId] })).code).toBe(4025)
      }
      expect((await tom.own('edit', { shareUrl: linkId, needPassword: false })).code).toBe(4025)
      expect((await tom.look('list?shareUrlType=1')).data).toMatchObject({ total: 0 })
      await mei.own('cancel', { shareUrlList: [`https://files.example.org/share/${linkId}`] }, 'PATCH')
      expect((await mei.look(`detail?url=${linkId}`)).data).toMatchObject({ shareStatus: 3 })
      expect((await verify(site, { url: linkId, passwd: 'Ab1c' })).code).toBe(1041)
      await mei.own('enable', { shareUrlList: [linkId] })
      expect((await mei.look('list?shareUrlType=1&status=1')).data).toMatchObject({ total: 1 })
      await visit(site, linkId, 'Ab1c')
      await mei.own('delete', { shareUrlList: [linkId] })
      expect((await verify(site, { url: linkId })).code).toBe(4025)
    })

    it.each([
      ['a password that is too long', { needPassword: true, shareUrlPasswd: 'Abcdefg' }, 5607],
      ['no password where one is asked for', { needPassword: true, shareUrlPasswd: '  ' }, 5607],
      ['a time that is over', { shareExpireTime: 1 }, 5608],
      ['mail without a sender', { shareEmail: ['a@example.org'] }, 5610],
      ['notices without a sender', { notifyEmail: true }, 5610],
      ['an address that is none', { shareEmail: ['nobody'] }, 4029],
      ['an alias with a slash', { shareFiles: ['a.txt'], fileAlias: [{ file: 'a.txt', alias: 'x/y' }] }, 5611],
      [
        'an alias that another file has',
        { shareFiles: ['a.txt', 'b.txt'], fileAlias: [{ file: 'a.txt', alias: 'b.txt' }] },
        5612,
      ],
      [
        'one alias for two files',
        {
          shareFiles: ['a.txt', 'b.txt'],
          fileAlias: [
            { file: 'a.txt', alias: 'x' },
            { file: 'b.txt', alias: 'x' },
          ],
        },
        5613,
      ],
      ['an alias beside a folder', { shareFiles: ['a.txt', 'deep'], fileAlias: [{ file: 'a.txt', alias: 'x' }] }, 5614],
      ['a file that is not there', { shareFiles: ['no.txt'] }, 5100],
      ['a name that leaves the folder', { shareFiles: ['../secret.txt'] }, 5104],
    ])('refuse %s', async (_what, wanted, code) => {
      expect((await mei.own('create', { shareUrlType: 1, shareServerPath: '/plans', ...wanted })).code).toBe(code)
    })

    it('need the flags of what they offer (T27)', async () => {
      const { share, download, invite, upload, list } = PERMISSION
      const may = async (account: string, permission: number, shareUrlType: number) => {
        await site.addUser(account, { permission })
        fs.mkdirSync(site.home(account), { recursive: true })
        const { token } = await site.signIn(account)
        const json = { shareUrlType, shareServerPath: '/' }
        return (await site.ask({ method: 'POST', path: '/api/share/link/create', token, json })).code
      }
      expect(await may('sharer', share | list, 1)).toBe(1008)
      expect(await may('taker', download | list, 1)).toBe(1008)
      expect(await may('blind', share | download, 1)).toBe(1008)
      expect(await may('both', share | download | list, 1)).toBe(200)
      expect(await may('inviter', invite, 0)).toBe(1008)
      expect(await may('asker', invite | upload, 0)).toBe(200)
    })

    it('say nothing before the password but that one is needed (T31)', async () => {
      const url = await mei.link({ shareServerPath: '/plans', needPassword: true, shareUrlPasswd: 'rose' })
      const asked = await verify(site, { url })
      expect(asked.data).toMatchObject({
        result: false,
        code: 5602,
        needPassword: true,
        account: '',
        token: '',
        email: '',
      })
      expect(Object.keys(asked.data).toSorted()).toEqual(
        ['account', 'challenge', 'code', 'email', 'expiresAt', 'needPassword', 'result', 'token'].toSorted(),
      )
      expect(asked.text).not.toMatch(/plans|mei|a\.txt/)
      expect((await site.ask({ path: `/api/share/link/info?url=${url}` })).code).toBe(5602)
      expect((await site.ask({ path: `/api/share/link/${url}/content` })).code).toBe(5602)
      expect((await site.ask({ path: `/api/share/link/${url}/content`, token: mei.token })).code).toBe(5602)
      for (const route of ['list', 'ticket', 'preview', 'mkdir']) {
        const json = { folder: '/', paths: [], path: '/a.txt', name: 'x' }
        const answer = await site.ask({ method: 'POST', path: `/api/share/visit/${route}`, json })
        expect([1009, 5000]).toContain(answer.code)
      }
      const { token } = await visit(site, url, 'rose')
      const info = await site.ask({ path: '/api/share/link/info', token })
      expect(info.data).toMatchObject({
        account: 'mei',
        title: 'plans',
        itemCount: 3,
        userPermission: 15,
        needPassword: true,
      })
    })

    it('show a browser that asks for their page what anybody may look at, and begin no visit by that', async () => {
      const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
      const pageOf = async (url: string) => (await fetch(`${site.url}/share/${url}`, { headers })).text()
      const plans = { shareServerPath: '/plans' }
      const open = await mei.link({ ...plans, downloadLimit: 1 })
      expect(await pageOf(open)).toContain('a.txt')
      const closed = [
        { needPassword: true, shareUrlPasswd: 'rose' },
        { bindSwitch: true },
        { notBefore: inSeconds() + HOUR_S, shareExpireTime: 0 },
        { audience: { kind: 'everyone' } },
      ]
      for (const terms of closed)
        expect(await pageOf(await mei.link({ ...plans, ...terms })), JSON.stringify(terms)).not.toMatch(
          /a\.txt|deep|mei/,
        )
      const visits = await site.withDatabase(({ db }) =>
        db.selectFrom('link_visits').select('id').where('link_id', '=', open).execute(),
      )
      expect(visits).toEqual([])
      expect((await mei.look(`detail?url=${open}`)).data).toMatchObject({ downloadCount: 0 })
    })
    it('show a guest what is shared and nothing above or beside it (T04, T27)', async () => {
      const folder = await visit(site, await mei.link({ shareServerPath: '/', shareFiles: ['plans'] }))
      expect((await folder.list()).toSorted()).toEqual(['/a.txt', '/b.txt', '/deep'])
      expect(await folder.list('/deep')).toEqual(['/deep/c.txt'])
      for (const path of [
        '/../secret.txt',
        '/plans/a.txt',
        '/secret.txt',
        '/deep/../../secret.txt',
        '/%2e%2e/secret.txt',
      ]) {
        expect([5100, 5104]).toContain((await folder.ask('ticket', { paths: [path] })).code)
        expect([5100, 5104]).toContain((await folder.ask('preview', { path })).code)
      }
      expect([5100, 5104]).toContain((await folder.ask('list', { folder: '/..' })).code)
      const wanted = {
        shareServerPath: '/plans',
        shareFiles: ['a.txt', 'b.txt'],
        fileAlias: [{ file: 'a.txt', alias: 'Offer.txt' }],
      }
      const files = await visit(site, await mei.link(wanted))
      expect(await files.list()).toEqual(['/b.txt', '/Offer.txt'])
      expect((await files.ask('list', { folder: '/deep' })).code).toBe(5100)
      expect((await files.ask('ticket', { paths: ['/deep/c.txt'] })).code).toBe(5100)
      // The token of a visit opens nothing of the account.
      for (const operation of ['list', 'mkdir', 'remove', 'download']) {
        const input = { folder: '/', name: 'x', paths: ['/secret.txt'] }
        expect((await site.call(files.token, operation, input)).code).not.toBe(200)
      }
      expect((await site.ask({ path: '/api/user/info', token: files.token })).code).toBe(1009)
      expect((await site.ask({ path: '/api/share/link/list?shareUrlType=1', token: files.token })).code).toBe(1009)
    })

    it('are downloaded whole, by range, as a zip and by curl, and count what left', async () => {
      const wanted = {
        shareServerPath: '/plans',
        shareFiles: ['a.txt', 'b.txt'],
        fileAlias: [{ file: 'a.txt', alias: 'Offer.txt' }],
      }
      const url = await mei.link({ ...wanted, needPassword: true, shareUrlPasswd: 'rose' })
      const guest = await visit(site, url, 'rose')
      const address = await guest.ticket(['/Offer.txt'])
      const whole = await site.ask({ path: address })
      expect(whole.text).toBe('alpha')
      expect(whole.headers['content-disposition']).toContain('Offer.txt')
      expect(whole.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
      })
      const part = await site.ask({ path: address, headers: { range: 'bytes=2-3' } })
      expect([part.status, part.text]).toEqual([206, 'ph'])
      const zip = await site.ask({ path: await guest.ticket([]) })
      expect(zip.body.subarray(0, 2).toString()).toBe('PK')
      expect(zip.body.includes('Offer.txt') && zip.body.includes('b.txt') && !zip.body.includes('secret')).toBe(true)
      const curl = (headers: Record<string, string>, path = '') =>
        site.ask({ path: `/api/share/link/${url}/content${path}`, headers })
      expect((await curl({ 'x-link-password': 'rose' }, '?path=%2Fb.txt')).text).toBe('beta')
      const basic = `Basic ${Buffer.from('guest:rose').toString('base64')}`
      expect((await curl({ authorization: basic }, '?path=%2FOffer.txt')).text).toBe('alpha')
      expect((await curl({ 'x-link-password': 'wrong' })).code).toBe(5603)
      await expect
        .poll(async () => (await mei.look(`uses?url=${url}`)).data['items'])
        .toMatchObject([
          { kind: 'download', files: ['/Offer.txt'], fileCount: 1, bytes: 5, whole: true, address: '127.0.0.1' },
          { files: ['/b.txt'], bytes: 4 },
          { files: ['/'], bytes: 9, whole: true },
          { files: ['/Offer.txt'], bytes: 7, whole: true },
        ])
      expect((await mei.look(`download/count?sid=${url}`)).data).toEqual({ count: 4 })
    })

    it('show without download where the owner says so', async () => {
      const guest = await visit(site, await mei.link({ shareServerPath: '/plans', shareAllowDownload: 0 }))
      expect((await guest.ask('ticket', { paths: ['/a.txt'] })).code).toBe(5605)
      const shown = await guest.ask('preview', { path: '/a.txt' })
      expect(shown.data).toMatchObject({ name: 'a.txt', view: 'text' })
      expect((await site.ask({ path: String(shown.data['url']) })).text).toBe('alpha')
    })

    it('show small pictures of what they share, and of nothing else', async () => {
      mei.put('plans/photo.png', pngOf(30, 20))
      mei.put('plans/photo.heic', HEIC)
      mei.put('secret.png', pngOf(30, 20))
      const link = await mei.link({ shareServerPath: '/plans', shareAllowDownload: 0 })
      const { token, ask } = await visit(site, link)
      const thumbnail = (file: string) =>
        site.ask({ path: `/api/share/visit/thumbnail?path=${encodeURIComponent(file)}`, token })
      const shown = await thumbnail('/photo.png')
      expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/webp'])
      for (const file of ['/secret.png', '/../secret.png']) expect([5100, 5104]).toContain((await thumbnail(file)).code)
      expect((await thumbnail('/a.txt')).code).toBe(5119)
      const preview = await ask('preview', { path: '/photo.heic' })
      const picture = await site.ask({ path: String(preview.data['url']) })
      expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/webp'])
      await mei.own('cancel', { shareUrlList: [link] }, 'PATCH')
      expect((await thumbnail('/photo.png')).code).toBe(1009)
    })

    it('keep guests out before their time, when used up, and when the owner lost the right (T30)', async () => {
      const later = await mei.link({ shareServerPath: '/plans', notBefore: inSeconds() + HOUR_S, shareExpireTime: 0 })
      expect((await verify(site, { url: later })).code).toBe(1041)
      expect((await mei.look(`detail?url=${later}`)).data).toMatchObject({ shareStatus: 1, blockedBy: 'not-before' })
      const once = await mei.link({ shareServerPath: '/plans', downloadLimit: 1 })
      const [first, second] = [await visit(site, once), await visit(site, once)]
      const [one, other] = [await first.ticket(['/a.txt']), await second.ticket(['/a.txt'])]
      const answers = await Promise.all([site.ask({ path: one }), site.ask({ path: other })])
      expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 400])
      expect((await verify(site, { url: once })).code).toBe(1041)
      expect((await mei.look(`detail?url=${once}`)).data).toMatchObject({ blockedBy: 'count', downloadCount: 1 })
      const shared = await mei.link({ shareServerPath: '/plans' })
      const guest = await visit(site, shared)
      const allow = (permission: number) =>
        site.withDatabase(({ db }) =>
          db.updateTable('users').set({ permission }).where('account', '=', 'mei').execute(),
        )
      await allow(8191 - 4)
      expect((await guest.ask('list', { folder: '/' })).code).toBe(1041)
      expect((await verify(site, { url: shared })).code).toBe(1041)
      await expect
        .poll(async () => (await mei.look(`detail?url=${shared}`)).data, { timeout: 3_000 })
        .toMatchObject({ shareStatus: 1, blockedBy: 'owner' })
      await allow(8191)
      expect(await guest.list('/deep')).toEqual(['/deep/c.txt'])
    })

    it('answer a prober with 429 after 30 ids that no link has (T32)', async () => {
      const probe = async (at: number) => (await verify(site, { url: at.toString(16).padStart(32, '0') })).status
      const answers: number[] = []
      for (let at = 0; at < 40; at++) answers.push(await probe(at))
      expect(answers.filter((status) => status === 400).length).toBeLessThanOrEqual(30)
      expect(answers.at(-1)).toBe(429)
    })
  })
}
