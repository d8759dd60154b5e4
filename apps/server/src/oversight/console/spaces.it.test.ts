import fs from 'node:fs'
import path from 'node:path'
import { errorByWire, PERMISSION, wirePermission } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

for (const { name, url } of DATABASES) {
  describe(`spaces in the console on ${name}`, () => {
    let site: Site
    let admin = ''
    let folder = ''

    beforeAll(async () => {
      const databaseUrl = await url()
      site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
      folder = `${site.data}-space`
      admin = (await site.signIn('admin')).token
      await site.addUser('mei')
    })
    afterAll(async () => {
      fs.rmSync(folder, { recursive: true, force: true })
      await site[Symbol.asyncDispose]()
    })

    const send = async (method: string, below: string, json?: object) => {
      const asked = { method, path: `/api/admin/${below}`, token: admin, ...(json === undefined ? {} : { json }) }
      const { code, data } = await site.ask(asked)
      return { code, name: errorByWire(code ?? 0), data: data as Readonly<Record<string, unknown>> }
    }
    const spaceOf = async (id: unknown) => {
      const { data } = await send('GET', 'spaces')
      return (data['spaces'] as ReadonlyArray<{ id: number; revision: number }>).find((space) => space.id === id)
    }

    it('is made and changed with the size above which it leaves files out, or not at all', async () => {
      const before = await send('GET', 'spaces')
      const logged = () =>
        site.withDatabase(({ db }) =>
          db.selectFrom('operation_log').select('result').where('target_kind', '=', 'space').execute(),
        )
      const body =
        name === 'sqlite'
          ? `BEGIN SELECT RAISE(ABORT, 'full'); END`
          : `FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'full'`
      const trigger = `CREATE TRIGGER disk_full BEFORE INSERT ON setting_values ${body}`
      await site.withDatabase(({ db }) => sql.raw(trigger).execute(db))
      try {
        const made = await send('POST', 'spaces', {
          name: 'Half',
          storageIds: [1],
          defaultStorageId: 1,
          skipAboveMb: 9,
        })
        const edited = await send('PATCH', 'spaces/1', { revision: 1, skipAboveMb: 9 })
        expect([made.name, edited.name]).toEqual(['INTERNAL', 'INTERNAL'])
      } finally {
        await site.withDatabase(({ db }) => sql.raw('DROP TRIGGER disk_full').execute(db))
      }
      expect(await send('GET', 'spaces')).toEqual(before)
      expect((await logged()).filter(({ result }) => result === 'ok')).toEqual([])
    })

    it('gives a space its storages, members and rules; the portal follows at once', async () => {
      const storage = await send('POST', 'storages', { name: 'Lab disk', kind: 'local', settings: { folder } })
      const { id: storageId } = storage.data['storage'] as { readonly id: number }
      const wrong = { name: 'Laboratory', storageIds: [storageId] }
      expect(await send('POST', 'spaces', wrong)).toMatchObject({ name: 'SPACE_NEEDS_STORAGE' })
      expect(await send('POST', 'spaces', { ...wrong, defaultStorageId: 99 })).toMatchObject({
        name: 'STORAGE_NOT_FOUND',
      })
      const wanted = { ...wrong, defaultStorageId: storageId, skipAboveMb: 500 }
      const { data } = await send('POST', 'spaces', wanted)
      const { spaceId } = data
      expect(await spaceOf(spaceId)).toMatchObject({
        ...{ name: 'Laboratory', skipAboveMb: 500, groups: 0, members: 0, revision: 1 },
        storages: [{ id: storageId, isDefault: true }],
      })
      expect(await send('POST', 'spaces', { name: 'LABORATORY' })).toMatchObject({ name: 'SPACE_NAME_DUPLICATE' })

      const { token } = await site.signIn('mei')
      await send('POST', `spaces/${String(spaceId)}/members`, { accounts: ['mei'] })
      const info = await site.ask({ path: `/api/user/info?spaceId=${String(spaceId)}`, token })
      expect(info.data['user']).toMatchObject({
        spaceInfo: [{ id: 1 }, { id: spaceId, spaceName: 'Laboratory' }],
        ...{ transIgnoreSizeSwitch: 1, transIgnoreSize: 500 },
      })
      const made = { folder: '/', name: 'results', spaceId }
      await site.ask({ method: 'POST', path: '/api/files/mkdir', token, json: made })
      expect(fs.existsSync(path.join(folder, `spaces/${String(spaceId)}`))).toBe(true)

      const rename = { revision: 1, name: 'Lab', skipAboveMb: null, storages: { storageIds: [1], defaultStorageId: 1 } }
      expect(await send('PATCH', `spaces/${String(spaceId)}`, rename)).toMatchObject({ code: 200 })
      expect(await spaceOf(spaceId)).toMatchObject({
        name: 'Lab',
        skipAboveMb: null,
        storages: [{ id: 1 }],
        revision: 2,
      })
      const late = await send('PATCH', `spaces/${String(spaceId)}`, { revision: 1, name: 'Mine' })
      expect(late).toMatchObject({
        name: 'EDIT_CONFLICT',
        data: { revision: 2, changed: { name: 'Lab' }, by: ['admin'] },
      })
      // What is there stays where it is.
      expect(await send('POST', 'storages/remove', { storageId })).toMatchObject({ name: 'STORAGE_IN_USE' })

      await send('POST', 'groups', { name: 'Chemists', spaceId })
      const used = await send('POST', 'spaces/remove', { spaceId })
      expect(used).toMatchObject({ name: 'SPACE_HAS_GROUPS', data: { groups: ['Chemists'] } })
      const { data: groups } = await send('GET', 'groups')
      const [{ id: groupId = 0 } = {}] = groups['rows'] as ReadonlyArray<{ readonly id?: number }>
      await send('POST', 'groups/remove', { groupId })
      expect(await send('POST', 'spaces/remove', { spaceId })).toMatchObject({ code: 200 })
      expect((await site.ask({ path: `/api/user/info?spaceId=${String(spaceId)}`, token })).code).toBe(4084)
      expect(await send('POST', 'storages/remove', { storageId })).toMatchObject({ code: 200 })

      // Its number is never given again, so nobody comes upon what was in it; its name is free.
      const next = await send('POST', 'spaces', { name: 'Lab' })
      expect(next.data['spaceId']).toBeGreaterThan(Number(spaceId))
    })

    it('is narrowed by address, for members and at once', async () => {
      const { data } = await send('POST', 'spaces', { name: 'Vault', deniedAddresses: '10.0.0.0/8' })
      const { spaceId } = data
      await send('POST', `spaces/${String(spaceId)}/members`, { accounts: ['mei'] })
      const { token } = await site.signIn('mei')
      const enter = () => site.ask({ path: `/api/user/info?spaceId=${String(spaceId)}`, token })
      expect((await enter()).code).toBe(200)
      const change = async (lists: object) => {
        const { revision } = (await spaceOf(spaceId)) ?? { revision: 0 }
        return send('PATCH', `spaces/${String(spaceId)}`, { revision, ...lists })
      }
      const wrong = await change({ allowedAddresses: '10.0.0.0/8;10.0.0' })
      expect(wrong).toMatchObject({ name: 'PARAMETER_INVALID', data: { field: 'allowedAddresses', entry: '10.0.0' } })
      for (const lists of [
        { deniedAddresses: '127.0.0.[1-9];::1' },
        { deniedAddresses: '', allowedAddresses: '10.0.0.0/8' },
      ]) {
        expect(await change(lists)).toMatchObject({ code: 200 })
        await expect.poll(async () => (await enter()).code).toBe(4084)
        expect((await site.ask({ path: '/api/user/info?spaceId=1', token })).code).toBe(200)
      }
      expect(await spaceOf(spaceId)).toMatchObject({ allowedAddresses: '10.0.0.0/8', deniedAddresses: '' })
      expect(await change({ allowedAddresses: '127.0.0.1;::1' })).toMatchObject({ code: 200 })
      await expect.poll(async () => (await enter()).code).toBe(200)
    })

    it('limits how fast its transfers are, and says what is in it', async () => {
      const { data } = await send('POST', 'spaces', { name: 'Slow', speed: { uploadMbps: 8, downloadMbps: 0 } })
      expect(await spaceOf(data['spaceId'])).toMatchObject({ speed: { uploadMbps: 8, downloadMbps: 0, periods: [] } })
      const period = { days: [1], start: '18:00', end: '08:00', uploadMbps: 1, downloadMbps: 1 }
      const late = { revision: 1, speed: { uploadMbps: 8, downloadMbps: 0, periods: [period] } }
      expect(await send('PATCH', `spaces/${String(data['spaceId'])}`, late)).toMatchObject({
        name: 'TIME_RANGE_INVALID',
      })
      const weigh = (revision: number, weight: unknown) =>
        send('PATCH', `spaces/${String(data['spaceId'])}`, { revision, weight })
      expect(await weigh(1, 40)).toMatchObject({ code: 200 })
      expect(await spaceOf(data['spaceId'])).toMatchObject({ weight: 40, speed: { uploadMbps: 8 }, revision: 2 })
      expect(await weigh(2, 0)).toMatchObject({ name: 'PARAMETER_INVALID', data: { field: 'weight' } })
      expect(await weigh(1, 50)).toMatchObject({ name: 'EDIT_CONFLICT', data: { changed: { weight: 40 } } })
      expect(await weigh(2, null)).toMatchObject({ code: 200 })
      expect(await spaceOf(data['spaceId'])).toMatchObject({ weight: null })
      const heavy = await send('POST', 'spaces', { name: 'Heavy', weight: 100 })
      expect(await spaceOf(heavy.data['spaceId'])).toMatchObject({ weight: 100 })
      const { data: counted } = await send('GET', 'spaces/usage')
      expect(counted['usage']).toContainEqual({ spaceId: data['spaceId'], files: 0, bytes: 0, groupBytes: 0 })
    })

    it('gives a member permissions and ways of transfer of its own', async () => {
      const { data } = await send('POST', 'spaces', { name: 'Archive' })
      const { spaceId } = data
      const members = `spaces/${String(spaceId)}/members`
      const set = (change: object) => send('POST', members, { accounts: ['mei'], ...change })
      await set({ permission: PERMISSION.list | PERMISSION.download })
      const { token } = await site.signIn('mei')
      const mkdir = (name: string, inSpace: unknown) =>
        site.ask({ method: 'POST', path: '/api/files/mkdir', token, json: { folder: '/', name, spaceId: inSpace } })
      expect((await mkdir('first', spaceId)).code).toBe(1008)
      expect((await mkdir('elsewhere', 1)).code).toBe(200)
      const info = await site.ask({ path: `/api/user/info?spaceId=${String(spaceId)}`, token })
      expect(info.data['user']).toMatchObject({
        permission: wirePermission(PERMISSION.list | PERMISSION.download),
        transferType: 0,
      })
      expect(await set({ permission: null })).toMatchObject({ code: 200 })
      expect((await mkdir('second', spaceId)).code).toBe(200)

      const transfer = {
        ways: 'client',
        ignorePatterns: '*.tmp',
        ignoreAboveMb: 0,
        skipSameName: true,
        lockFilters: null,
        sync: 'off',
      }
      expect(await set({ transfer })).toMatchObject({ code: 200 })
      const { data: listed } = await send('GET', members)
      expect(listed['rows']).toMatchObject([{ account: 'mei', permission: null, transfer }])
      const client = await site.ask({ path: `/api/user/info?spaceId=${String(spaceId)}`, token })
      expect(client.data['user']).toMatchObject({ transferType: 1, transIgnoreReg: '*.tmp', transSkipSameName: 1 })
      const upload = (inSpace: unknown) =>
        site.ask({
          ...{ method: 'POST', path: '/api/uploads', token },
          json: { folder: '/', filename: 'a.txt', size: 1, spaceId: inSpace },
        })
      expect(errorByWire((await upload(spaceId)).code ?? 0)).toBe('WEB_TRANSFER_NOT_ALLOWED')
      expect((await upload(1)).code).toBe(200)
      const ticket = { method: 'POST', path: '/api/files/download', token }
      const refused = await site.ask({ ...ticket, json: { paths: ['/second'], spaceId } })
      expect(errorByWire(refused.code ?? 0)).toBe('WEB_TRANSFER_NOT_ALLOWED')
      const content = await site.ask({ path: `/api/files/content?path=/second&spaceId=${String(spaceId)}`, token })
      expect(errorByWire(content.code ?? 0)).toBe('WEB_TRANSFER_NOT_ALLOWED')
      const broken = await set({ transfer: { ...transfer, ignorePatterns: '[z-a]' } })
      expect(broken).toMatchObject({ name: 'PARAMETER_INVALID' })
    })

    it('lets its administrator grant no more than they have in it', async () => {
      const { data } = await send('POST', 'spaces', { name: 'Guests' })
      const members = `spaces/${String(data['spaceId'])}/members`
      await site.addUser('lin')
      await site.addUser('bao', { permission: PERMISSION.list })
      await send('POST', members, { accounts: ['lin'], isAdmin: true, permission: PERMISSION.list })
      const { token } = await site.signIn('lin')
      const grant = (permission: number) =>
        site.ask({ method: 'POST', path: `/api/admin/${members}`, token, json: { accounts: ['bao'], permission } })
      expect((await grant(PERMISSION.list | PERMISSION.upload)).code).toBe(1008)
      expect((await grant(PERMISSION.list)).code).toBe(200)
    })

    it('lets its administrator raise nobody by taking a limit away, themselves included', async () => {
      const { data } = await send('POST', 'spaces', { name: 'Closed' })
      const members = `spaces/${String(data['spaceId'])}/members`
      for (const account of ['wei', 'fan']) {
        await site.addUser(account)
        const limited = { accounts: [account], permission: PERMISSION.list, isAdmin: account === 'wei' }
        expect(await send('POST', members, limited)).toMatchObject({ code: 200 })
      }
      const { token } = await site.signIn('wei')
      const asWei = (below: string, json: object) =>
        site.ask({ method: 'POST', path: `/api/admin/${members}${below}`, token, json })
      for (const account of ['wei', 'fan']) {
        const lifted = await asWei('', { accounts: [account], permission: null })
        expect(lifted, account).toMatchObject({ code: 1008, data: { reason: 'beyond-own-permission' } })
      }
      expect((await asWei('', { accounts: ['fan'], isAdmin: false })).code).toBe(200)
      // Nor by letting somebody go and come in again.
      expect((await asWei('/remove', { accounts: ['fan'] })).code).toBe(200)
      expect((await asWei('', { accounts: ['fan'] })).code).toBe(1008)
      expect((await asWei('', { accounts: ['fan'], permission: PERMISSION.list })).code).toBe(200)
      const { data: listed } = await send('GET', members)
      expect(listed['rows']).toMatchObject([
        { account: 'fan', permission: wirePermission(PERMISSION.list) },
        { account: 'wei', permission: wirePermission(PERMISSION.list) },
      ])
      expect(await send('POST', members, { accounts: ['fan'], permission: null })).toMatchObject({ code: 200 })
    })

    it('keeps the first space, with at least one storage', async () => {
      expect(await send('POST', 'spaces/remove', { spaceId: 1 })).toMatchObject({ name: 'SPACE_DEFAULT_UNDELETABLE' })
      const storages = { storageIds: [], defaultStorageId: null }
      expect(await send('PATCH', 'spaces/1', { revision: 1, storages })).toMatchObject({ name: 'SPACE_NEEDS_STORAGE' })
      expect(await send('PATCH', 'spaces/1', { revision: 1, name: 'Other' })).toMatchObject({
        name: 'PARAMETER_INVALID',
      })
      expect(await send('PATCH', 'spaces/1', { revision: 1, skipAboveMb: 9 })).toMatchObject({ code: 200 })
      expect(await spaceOf(1)).toMatchObject({ skipAboveMb: 9, revision: 2 })
      expect(await send('PATCH', 'spaces/77', { revision: 1 })).toMatchObject({ name: 'SPACE_NOT_FOUND' })
    })
  })
}
