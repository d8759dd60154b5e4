import {
  adminDesignImageRoutes,
  adminLogRoutes,
  adminSettingRoutes,
  encodePassword,
  type ConsoleSetting,
  type ConsoleSettingChange,
  type SettingValue,
} from '@godwit/contract'
import { MiB } from '@godwit/base'
import { mariadbUrl } from '@godwit/testkit/engines'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { icoOf, pngOf } from '../../testing/images.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Answer } from '../../security/testing/wire.ts'

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]
const DESIGN = '/api/admin/design/settings'

for (const { name, url } of DATABASES) {
  describe(`settings in the console on ${name}`, () => {
    let site: Site
    const tokens = new Map<string, string>()

    beforeAll(async () => {
      const databaseUrl = await url()
      site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
      for (const account of ['settler', 'designer']) await site.addUser(account)
      await administer(site, 'settler', ['settings.view', 'settings.edit'])
      await administer(site, 'designer', ['design.edit'])
      for (const account of ['admin', 'settler', 'designer']) tokens.set(account, (await site.signIn(account)).token)
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    const asked = (path: string, who = 'admin') => site.ask({ path, token: tokens.get(who) ?? '' })
    const settings = async (path = '/api/admin/settings', who = 'admin'): Promise<readonly ConsoleSetting[]> =>
      adminSettingRoutes.list.reply.parse((await asked(path, who)).data).settings
    const valueOf = async (key: string, path?: string): Promise<SettingValue | undefined> =>
      (await settings(path)).find((setting) => setting.key === key)?.value
    const change = (changes: readonly ConsoleSettingChange[], path = '/api/admin/settings', who = 'admin') =>
      site.ask({ method: 'PATCH', path, token: tokens.get(who) ?? '', json: { changes } })

    it('are the fields of the registry, with both languages, and none of another right', async () => {
      const all = await settings('/api/admin/settings', 'settler')
      const fields = new Map(all.map((setting) => [setting.key, setting]))
      expect(fields.get('transferType')).toMatchObject({
        ...{ tab: 'transfer', kind: 'choice', value: 0, byDefault: 0, isSet: false },
        label: { 'zh-CN': '传输方式', 'en-US': 'Ways of transfer' },
        choices: [{ value: 0 }, { value: 1 }, { value: 2, label: { 'en-US': 'Browser only' } }],
      })
      expect(fields.get('links.filesMax')).toMatchObject({ tab: 'link', kind: 'number', min: 1, max: 100_000 })
      expect(fields.get('contactEmail')).toMatchObject({ kind: 'text', format: 'email' })
      for (const key of ['primaryColor', 'userPwdSwitch', 'edition']) expect(fields.has(key)).toBe(false)
      expect((await asked(DESIGN, 'settler')).code).toBe(1008)
      const foreign = await change([{ key: 'userPwdSwitch', from: 1, value: 0 }], '/api/admin/settings', 'settler')
      expect(foreign).toMatchObject({ code: 400, data: { field: 'userPwdSwitch' } })
      expect((await settings(DESIGN, 'designer')).map(({ tab }) => tab)).not.toContain('basic')
    })

    it('take effect on this server with the answer, and go back to their default', async () => {
      const title = async () => (await site.ask({ path: '/api/website/info' })).data['urlName']
      expect(await title()).toBe('')
      expect((await change([{ key: 'urlName', from: '', value: 'Harbor' }], DESIGN, 'designer')).code).toBe(200)
      expect(await title()).toBe('Harbor')
      expect((await settings(DESIGN)).find(({ key }) => key === 'urlName')).toMatchObject({
        isSet: true,
        byDefault: '',
      })
      await change([{ key: 'urlName', from: 'Harbor', value: null }], DESIGN)
      expect(await title()).toBe('')
      expect((await settings(DESIGN)).find(({ key }) => key === 'urlName')).toMatchObject({ isSet: false })
    })

    it('change together or not at all, whatever one of them demands of another', async () => {
      const refused = await change([
        { key: 'contactPhone', from: '', value: '400' },
        { key: 'tcpEnable', from: 0, value: 1 },
      ])
      expect(refused).toMatchObject({ code: 4032, data: { field: 'tcpDelay' } })
      const wrong = await change([
        { key: 'contactPhone', from: '', value: '400' },
        { key: 'contactEmail', from: '', value: 'nobody' },
      ])
      expect(wrong).toMatchObject({ code: 400, data: { field: 'contactEmail', rule: 'must be an e-mail address' } })
      expect(await valueOf('contactPhone')).toBe('')
      const together = await change([
        { key: 'tcpEnable', from: 0, value: 1 },
        { key: 'tcpDelay', from: 0, value: 80 },
      ])
      expect(together.code).toBe(200)
      expect(await valueOf('tcpDelay')).toBe(80)
    })

    it('say where the log goes and how long it is kept only for those who may export all of it', async () => {
      const days = (value: number, who = 'admin') =>
        change([{ key: 'log.operationDays', from: 0, value }], '/api/admin/settings', who)
      const sending = [
        { key: 'syslog.host', from: '', value: '10.0.0.1' },
        { key: 'syslog.transport', from: 0, value: 2 },
      ]
      const exporting = (rights: readonly string[], scope: string) =>
        site.withDatabase(({ db }) =>
          db
            .updateTable('roles')
            .set({ rights: JSON.stringify(['settings.view', 'settings.edit', ...rights]), audit_scope: scope })
            .where('name', '=', 'role of settler')
            .execute(),
        )
      const refused = { code: 1008, data: { reason: 'log.export' } }
      for (const [rights, scope] of [
        [[], 'all'],
        [['log.view', 'log.export'], 'own'],
      ] as const) {
        await exporting(rights, scope)
        const reads = async () => (await asked('/api/admin/log/operations', 'settler')).code
        await expect.poll(reads, { timeout: 10_000 }).toBe(rights.length === 0 ? 1008 : 200)
        await expect.poll(async () => (await days(30, 'settler')).code, { timeout: 10_000 }).toBe(1008)
        expect(await change(sending, '/api/admin/settings', 'settler')).toMatchObject(refused)
      }
      expect([await valueOf('syslog.host'), await valueOf('log.operationDays')]).toEqual(['', 0])
      await exporting(['log.view', 'log.export'], 'all')
      await expect.poll(async () => (await days(30, 'settler')).code, { timeout: 10_000 }).toBe(200)
      await change([{ key: 'log.operationDays', from: 30, value: null }])
      await exporting([], 'own')
      // Nobody has the log forgotten before others had time to read it.
      for (const few of [1, 29])
        expect(await days(few)).toMatchObject({ code: 400, data: { field: 'log.operationDays' } })
    })

    it('show a second administrator what changed meanwhile, and who did it', async () => {
      await change([{ key: 'links.filesMax', from: 10_000, value: 500 }], '/api/admin/settings', 'settler')
      const late = await change([
        { key: 'links.filesMax', from: 10_000, value: 700 },
        { key: 'links.passwordMax', from: 6, value: 8 },
      ])
      expect(late).toMatchObject({ code: 6060, data: { changed: { 'links.filesMax': 500 }, by: ['settler'] } })
      expect(await valueOf('links.passwordMax')).toBe(6)
      // What nobody else touched is no conflict.
      expect((await change([{ key: 'links.passwordMax', from: 6, value: 8 }])).code).toBe(200)
    })

    it('keep who changed them, in their history and in the operation log', async () => {
      const { rows, total } = adminSettingRoutes.history.reply.parse(
        (await asked('/api/admin/settings/history?text=links.')).data,
      )
      expect(total).toBe(2)
      expect(rows).toMatchObject([
        { key: 'links.passwordMax', by: 'admin', before: null, after: 8, door: 'http' },
        {
          key: 'links.filesMax',
          by: 'settler',
          before: null,
          after: 500,
          label: { 'en-US': 'Files in one share link' },
          kind: 'number',
          choices: [],
        },
      ])
      const log = adminLogRoutes.operations.reply.parse((await asked('/api/admin/log/operations?text=links.')).data)
      expect(log.rows).toMatchObject([
        { operation: 'setting.edit', target: 'links.passwordMax', before: { value: 6 }, after: { value: 8 } },
        { operation: 'setting.edit', target: 'links.filesMax', actor: 'settler', result: 'ok' },
      ])
    })

    const SECURITY = '/api/admin/security/settings'
    const secure = (key: string, from: SettingValue, value: SettingValue | null) =>
      change([{ key, from, value }], SECURITY)

    it('refuse address lists that are none, or that would shut out whoever saves them', async () => {
      const field = 'security.allowedAddresses'
      expect(await secure(field, '', '10.80.90.[1-300]')).toMatchObject({ code: 4028, data: { field } })
      expect(await secure(field, '', '10.80.90.[1-100]')).toMatchObject({ code: 6061, data: { field } })
      expect(await secure('security.deniedAddresses', '', '127.0.0.0/8; ::1')).toMatchObject({ code: 6061 })
      expect((await secure(field, '', '10.80.90.[1-100]; 127.0.0.1; ::1')).code).toBe(200)
      expect((await secure(field, '10.80.90.[1-100]; 127.0.0.1; ::1', null)).code).toBe(200)
    })

    it('keep denied addresses out of every door but the facts that draw the sign-in page', async () => {
      await site.cli('settings set security.deniedAddresses 127.0.0.1;::1')
      await expect.poll(async () => (await asked('/api/admin/settings')).code, { timeout: 10_000 }).toBe(5012)
      expect((await site.ask({ method: 'POST', path: '/api/user/login', json: {} })).code).toBe(5012)
      expect((await site.ask({ path: '/api/website/info' })).code).toBe(200)
      await site.cli('settings reset security.deniedAddresses')
      await expect.poll(async () => (await asked('/api/admin/settings')).code, { timeout: 10_000 }).toBe(200)
    })

    const IMAGES = '/api/admin/design/images'
    const imagesOf = ({ data }: Answer) => adminDesignImageRoutes.list.reply.parse(data).images
    const put = (images: Readonly<Record<string, Buffer | null>>, who = 'designer') => {
      const files = Object.entries(images).map(([asset, file]) => [asset, file?.toString('base64') ?? null])
      const json = { images: Object.fromEntries(files) as object }
      return site.ask({ method: 'PUT', path: IMAGES, token: tokens.get(who) ?? '', json })
    }

    it('have images that are made anew, shown at once, and given back', async () => {
      expect((await put({ logo: pngOf(10, 10) }, 'settler')).code).toBe(1008)
      const photo = await sharp(pngOf(70, 160))
        .jpeg()
        .withExif({ IFD0: { Copyright: 'Planted' } })
        .toBuffer()
      const page = Buffer.from('<script>alert(1)</script>')
      const first = await put({ logo: Buffer.concat([pngOf(160, 70), page]), background: photo, icon: icoOf([16, 64]) })
      const { logo, background } = imagesOf(first)
      expect(first.code).toBe(200)
      const shown = await site.ask({ path: logo })
      expect(shown.headers['content-type']).toBe('image/png')
      expect(shown.headers['cache-control']).toContain('immutable')
      expect(await sharp(shown.body).metadata()).toMatchObject({ width: 160, height: 70 })
      expect(shown.body.includes('script')).toBe(false)
      expect((await site.ask({ path: background })).body.includes('Planted')).toBe(false)
      const second = imagesOf(await put({ logo: pngOf(100, 40), icon: null }))
      expect(second).toMatchObject({ icon: '', background })
      expect(second.logo).not.toBe(logo)
      const told = (await site.ask({ path: '/api/website/info' })).data
      expect(told).toMatchObject({ logo: second.logo, is_icon_change: 0, is_bg_change: 1 })
      const { rows } = adminLogRoutes.operations.reply.parse(
        (await asked('/api/admin/log/operations?operation=design.edit')).data,
      )
      expect(rows[0]).toMatchObject({ actor: 'designer', target: 'icon', after: { isOwn: false } })
    })

    it('refuse images that break a rule, with its reason at its place, and then take none of a save', async () => {
      const before = (await asked(IMAGES)).data
      const flood = pngOf(10, 10)
      flood.writeUInt32BE(60_000, 16)
      flood.writeUInt32BE(60_000, 20)
      const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
      const cut = pngOf(1_900, 1_000).subarray(0, 60)
      for (const [file, reason] of [
        [flood, 'dimensions'],
        [pngOf(1_921, 10), 'dimensions'],
        [svg, 'type'],
        [icoOf([16]), 'type'],
        [cut, 'broken'],
        [Buffer.concat([pngOf(10, 10), Buffer.alloc(4 * MiB)]), 'size'],
      ] as const) {
        const refused = await put({ logo: pngOf(20, 20), background: file })
        expect(refused).toMatchObject({ code: 6053, data: { field: 'background', reason } })
      }
      expect((await asked(IMAGES)).data).toEqual(before)
      expect((await put({ logo: null, background: null })).code).toBe(200)
    })

    it('deny types of files to everybody, and refuse lists that would match nothing', async () => {
      const field = 'security.deniedTypes'
      expect(await secure(field, '', 'exe; *.tmp*')).toMatchObject({ code: 400, data: { field } })
      expect((await secure(field, '', 'exe; tar.gz')).code).toBe(200)
      const put = (name: string) => site.upload(tokens.get('admin') ?? '', name, Buffer.from('x'))
      await expect.poll(async () => (await put('Setup.EXE')).code, { timeout: 10_000 }).toBe(5120)
      expect((await put('a.tar.gz')).code).toBe(5120)
      expect((await put('a.gz')).code).toBe(200)
      expect((await secure(field, 'exe; tar.gz', null)).code).toBe(200)
    })

    it('lock after as many wrong passwords as they say, and refuse weak ones by their list', async () => {
      expect((await secure('security.lockAttempts', 5, 2)).code).toBe(400)
      expect((await secure('security.lockAttempts', 5, 3)).code).toBe(200)
      await site.addUser('guessed')
      const guess = () =>
        site.ask({
          method: 'POST',
          path: '/api/user/login',
          json: { account: 'guessed', password: encodePassword('Wrong-pass-1') },
        })
      const answers = [await guess(), await guess(), await guess(), await guess()]
      expect(answers.map(({ code }) => code).indexOf(1050)).toBe(3)
      expect(answers[0]?.data).toMatchObject({ maxLockTimes: 3 })
      expect((await secure('security.weakPasswords', '', 'Summer-2026; Password-1')).code).toBe(200)
      const add = (account: string, password: string) =>
        site.ask({
          method: 'POST',
          path: '/api/admin/users',
          token: tokens.get('admin') ?? '',
          json: { account, password: encodePassword(password) },
        })
      expect((await add('weak', 'summer-2026')).code).toBe(5001)
      expect((await add('strong', 'Summer-2027')).code).toBe(200)
    })
  })
}
