import fs from 'node:fs'
import path from 'node:path'
import { errorByWire } from '@godwit/contract'
import { mariadbUrl } from '@godwit/testkit/engines'
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
