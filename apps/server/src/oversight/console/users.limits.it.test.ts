import { EMAIL_SENDER, encodePassword, ERRORS } from '@godwit/contract'
import { systemClock } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPEED_SETTINGS } from '../../content/account-speeds/index.ts'
import { createSettings } from '../../foundation/settings/index.ts'
import { signedInSocket } from '../../security/testing/sockets.ts'
import { PASSWORD, type Site } from '../../security/testing/sites.ts'
import { DATABASES, openPeopleSite, peopleSteps } from './testing/people-site.ts'

for (const { name, url } of DATABASES) {
  describe(`people in the console on ${name}`, () => {
    let site: Site
    let admin = ''
    let helper = ''
    const { get, send, add, idOf, logOf } = peopleSteps(() => ({ site, admin }))

    beforeAll(async () => {
      ;({ site, admin, helper } = await openPeopleSite(await url()))
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    it('sign in and act from their addresses alone, and nobody shuts themselves out', async () => {
      await add('placed')
      const id = await idOf('placed')
      const { token } = await site.signIn('placed')
      const socket = await signedInSocket(site.url, token)
      const wrong = await send('PATCH', `users/${id}`, { revision: 1, loginAddresses: '10.0.0.1; office' })
      expect(wrong).toMatchObject({ code: 400, data: { field: 'loginAddresses', entry: 'office' } })
      const elsewhere = { revision: 1, loginAddresses: '10.80.90.[1-100]' }
      expect((await send('PATCH', `users/${id}`, elsewhere)).data['user']).toMatchObject({
        loginAddresses: '10.80.90.[1-100]',
      })
      expect(await socket.closed).toBe(4401)
      expect((await site.ask({ path: '/api/user/info', token })).code).toBe(1009)
      const login = { account: 'placed', password: encodePassword(PASSWORD) }
      const signIn = () => site.ask({ method: 'POST', path: '/api/user/login', json: login })
      expect((await signIn()).code).toBe(1091)
      await send('PATCH', `users/${id}`, { revision: 2, loginAddresses: '127.0.0.1; ::1' })
      expect((await signIn()).code).toBe(200)
      const own = await idOf('admin')
      expect((await send('PATCH', `users/${own}`, { revision: 1, loginAddresses: '10.0.0.1' })).code).toBe(1091)
    })

    it('transfer and mail as their form says, by settings of their own that end with it', async () => {
      const transfer = {
        ...{ mailSender: 'system', linkMail: 'program', ways: 'web', ignorePatterns: '*.tmp; cache/**' },
        ...{ ignoreAboveMb: 5, skipSameName: true, lockFilters: null, sync: 'rest' },
      }
      const added = await add('filtered', { transfer })
      expect(added.data['user']).toMatchObject({ transfer })
      const id = await idOf('filtered')
      const { token } = await site.signIn('filtered')
      const info = async () => (await site.ask({ path: '/api/user/info', token })).data['user']
      const held = { emailSenderType: EMAIL_SENDER.system, linkMailMode: 1, transferType: 2, transSkipSameName: 1 }
      const filters = { transIgnoreRegSwitch: 1, transIgnoreReg: '*.tmp; cache/**', transIgnoreSize: 5 }
      expect(await info()).toMatchObject({ ...held, ...filters, transIgnoreSizeSwitch: 1, forbidClientFilterSwitch: 0 })
      expect(await info()).toMatchObject({ transSyncSwitch: 1, transSyncTriggeringCondition: 1 })
      const csv = (await get('users/export?text=filtered')).text
      expect(csv).toContain(',web,*.tmp; cache/**,5,system,program,1,,rest')
      const ticket = { spaceId: 1, groupId: 0, folder: '/', name: 'x', device: 'd' }
      const wanted = await site.ask({ method: 'POST', path: '/api/transfers/upload', token, json: ticket })
      expect(wanted.code).toBe(ERRORS.CLIENT_TRANSFER_NOT_ALLOWED.wire)
      await site.upload(token, 'sent.txt', Buffer.from('x'))
      const link = { shareUrlType: 1, shareServerPath: '/', shareFiles: ['sent.txt'], shareEmail: ['a@example.org'] }
      const mailed = await site.ask({ method: 'POST', path: '/api/share/link/create', token, json: link })
      expect(mailed.code).toBe(ERRORS.SHARE_MAIL_BY_PERSON.wire)
      const wrong = { revision: 1, name: 'Half', transfer: { ignorePatterns: '[z-a]' } }
      expect(await send('PATCH', `users/${id}`, wrong)).toMatchObject({
        ...{ code: 400, data: { field: 'transfer.ignorePatterns', entry: '[z-a]' } },
      })
      const stale = { revision: 7, transfer: {} }
      expect((await send('PATCH', `users/${id}`, stale)).code).toBe(6060)
      expect(await info()).toMatchObject(held)
      const inherited = await send('PATCH', `users/${id}`, { revision: 1, transfer: {} })
      expect(inherited.data['user']).toMatchObject({
        transfer: { mailSender: 'own', ways: null, ignorePatterns: null },
      })
      expect(await info()).toMatchObject({ linkMailMode: 0, transferType: 0, transIgnoreRegSwitch: 0 })
      expect((await logOf(id)).at(-1)?.state_after).toContain('"ways":null')
    })

    it('send and receive no faster than their limit, which may be changed while bytes flow', async () => {
      const periods = [{ days: [1], start: '18:00', end: '08:00', uploadMbps: 1, downloadMbps: 1 }]
      expect((await add('slow', { speed: { periods } })).code).toBe(4030)
      // So slow that the test would wait for an hour, were the limit not lifted meanwhile.
      const slow = { uploadMbps: 0.001, downloadMbps: 0.001, periods: [] }
      expect((await add('slow', { speed: slow })).data['user']).toMatchObject({ speed: slow })
      const id = await idOf('slow')
      const { token } = await site.signIn('slow')
      const content = Buffer.alloc(500_000, 'x')
      let isDone = false
      const done = site.upload(token, 'slow.bin', content).finally(() => (isDone = true))
      const limit = async (revision: number, speed: object) =>
        (await send('PATCH', `users/${id}`, { revision, speed })).code
      await expect.poll(async () => (await site.ask({ path: '/api/uploads', token })).data['items']).toHaveLength(1)
      expect(isDone).toBe(false)
      expect(await limit(1, {})).toBe(200)
      expect((await done).code).toBe(200)
      expect(await limit(2, slow)).toBe(200)
      isDone = false
      const query = new URLSearchParams({ path: '/slow.bin', spaceId: '1', groupId: '0' })
      const read = site.ask({ path: `/api/files/content?${query.toString()}`, token }).finally(() => (isDone = true))
      expect((await site.ask({ path: '/api/user/info', token })).code).toBe(200)
      expect(isDone).toBe(false)
      expect(await limit(3, {})).toBe(200)
      expect((await read).text).toHaveLength(content.length)
    })

    it('have a weight in shared limits, as a setting of their own with its history', async () => {
      const added = await add('weighed', { weight: 30 })
      expect(added.data['user']).toMatchObject({ weight: 30, revision: 1 })
      const id = await idOf('weighed')
      const inForce = (target: { readonly userId: string }) =>
        site.withDatabase(async ({ db }) => {
          const settings = createSettings({ db, clock: systemClock, log: { warn: () => undefined } })
          return (await settings.of(SPEED_SETTINGS, { spaceId: 1, ...target }))['transfer.weight']
        })
      const weigh = (revision: number, weight: unknown, token = admin) =>
        send('PATCH', `users/${id}`, { revision, weight }, token)
      expect(await inForce({ userId: id })).toBe(30)
      for (const wrong of [0, 101, 1.5, '3'] as const) {
        const refused = { code: 400, data: { field: 'weight' } }
        expect(await weigh(1, wrong), String(wrong)).toMatchObject(refused)
        expect(await add('heavy', { weight: wrong }), String(wrong)).toMatchObject(refused)
      }
      expect((await weigh(1, 20, helper)).data['user']).toMatchObject({ weight: 20 })
      // Who saves what another one has changed meanwhile changes nothing.
      expect((await weigh(1, 40)).code).toBe(6060)
      const both = await Promise.all([weigh(2, 50), weigh(2, 60)])
      expect(new Set(both.map(({ code }) => code))).toEqual(new Set([200, 6060]))
      const won = both[0]?.code === 200 ? 50 : 60
      expect(await inForce({ userId: id })).toBe(won)
      expect((await weigh(3, won)).data['user']).toMatchObject({ weight: won })
      expect((await send('PATCH', `users/${id}`, { revision: 4, name: 'Heavy' })).data['user']).toMatchObject({
        weight: won,
      })
      expect((await weigh(5, null)).data['user']).toMatchObject({ weight: null })
      expect(await inForce({ userId: id })).toBe(10)
      // Those who may not change the account change no weight of it.
      const below = { revision: 1, weight: 100 }
      expect((await send('PATCH', `users/${await idOf('admin')}`, below, helper)).code).toBe(1008)
      const { token } = await site.signIn('weighed')
      expect((await weigh(6, 100, token)).code).toBe(1008)
      const states = (await logOf(id)).filter(({ result }) => result === 'ok')
      const stateOf = (text: string): unknown => (JSON.parse(text === '' ? '{}' : text) as { weight?: unknown }).weight
      const steps = [
        [undefined, 30],
        [30, 20],
        [20, won],
        [undefined, undefined],
        [undefined, undefined],
        [won, null],
      ]
      expect(states.map((row) => [stateOf(row.state_before), stateOf(row.state_after)])).toEqual(steps)
      const history = await site.withDatabase(({ db }) =>
        db.selectFrom('setting_history').selectAll().where('scope_id', '=', id).orderBy('id').execute(),
      )
      expect(history.map((row) => [row.name, row.scope, row.door, row.old_value, row.new_value])).toEqual(
        [
          [null, '30'],
          ['30', '20'],
          ['20', String(won)],
          [String(won), null],
        ].map((values) => [...['transfer.weight', 'user', 'http', ...values]]),
      )
      expect(history.map((row) => row.by_id)).toContain(await idOf('helper'))
      const many = await Promise.all(
        [1, 2, 3, 4].map((number) => add(`weighed_${number}`, { weight: number, transfer: { ways: 'web' } })),
      )
      expect(many.map(({ data }) => data['user'])).toMatchObject([1, 2, 3, 4].map((weight) => ({ weight })))
    })

    it('are bound by their rules in the portal, and by their dates everywhere', async () => {
      await add('ruled')
      const id = await idOf('ruled')
      const { token } = await site.signIn('ruled')
      await site.call(token, 'mkdir', { folder: '/', name: 'secret' })
      await site.upload(token, 'kept.txt', Buffer.from('x'))
      const rules = { forbiddenPaths: ['/secret'], uploadNewOnly: true, deniedTypes: ['exe'] }
      expect((await send('PATCH', `users/${id}`, { revision: 1, rules: { forbiddenPaths: ['/'] } })).code).toBe(400)
      const socket = await signedInSocket(site.url, token)
      const edited = await send('PATCH', `users/${id}`, { revision: 1, rules })
      expect(edited.data['user']).toMatchObject({ rules: { ...rules, allowedPaths: [] } })
      const names = async () =>
        (
          (await site.call(token, 'list', { folder: '/' })).data['items'] as unknown as ReadonlyArray<{ name: string }>
        ).map((entry) => entry.name)
      expect(await names()).toEqual(['kept.txt'])
      await expect.poll(() => socket.events).toContainEqual({ type: 'event', event: 'account.changed' })
      expect((await site.call(token, 'remove', { paths: ['/kept.txt'] })).code).toBe(1008)
      expect((await site.upload(token, 'new.exe', Buffer.from('x'))).code).not.toBe(200)
      expect((await site.upload(token, 'new.txt', Buffer.from('x'))).code).toBe(200)

      const now = Date.now()
      const soon = { revision: 2, validFrom: now + 3_600_000, validUntil: now + 7_200_000 }
      expect((await send('PATCH', `users/${id}`, { ...soon, validUntil: now })).code).toBe(4030)
      expect((await send('PATCH', `users/${id}`, soon)).code).toBe(200)
      const code = async () => (await site.ask({ path: '/api/user/info', token })).code
      expect(await code()).toBe(1009)
      const login = { account: 'ruled', password: encodePassword(PASSWORD) }
      const signIn = async () => (await site.ask({ method: 'POST', path: '/api/user/login', json: login })).code
      expect(await signIn()).toBe(5404)
      await send('PATCH', `users/${id}`, { revision: 3, validFrom: null, validUntil: now - 1000 })
      expect(await signIn()).toBe(5409)
      await send('PATCH', `users/${id}`, { revision: 4, validUntil: null })
      expect(await signIn()).toBe(200)
    })
  })
}
