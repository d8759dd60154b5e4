import { adminAccessRoutes, encodePassword, PERMISSION, type AccessAnswer } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, PASSWORD, type Site } from '../../security/testing/sites.ts'

const FLAGS = PERMISSION.list | PERMISSION.download | PERMISSION.upload | PERMISSION.mkdir | PERMISSION.delete

describe('why somebody can or cannot do something', () => {
  let site: Site
  let admin = ''
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    site = await openSite()
    admin = (await site.signIn('admin')).token
    await site.addUser('helper', {})
    await administer(site, 'helper', ['users.view'])
    const rules = {
      forbiddenPaths: ['/drafts/*.key', 'secret'],
      allowedPaths: [],
      deniedTypes: ['exe'],
    }
    for (const [account, more] of Object.entries({
      mei: { permission: FLAGS, rules },
      ada: { permission: FLAGS, rules: { ...rules, allowedPaths: ['/open/deep'], uploadNewOnly: true } },
      kim: { permission: FLAGS, rules: { ...rules, allowedPaths: ['/open/deep'] } },
    })) {
      const added = await send('POST', 'users', { account, password: encodePassword(PASSWORD), ...more })
      ids[account] = (added.data['user'] as unknown as { id: string }).id
    }
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  const send = (method: string, path: string, json: object) =>
    site.ask({ method, path: `/api/admin/${path}`, token: admin, json })
  const ask = (
    account: string,
    action: string,
    path: string,
    more: Record<string, string | number> = {},
    token = admin,
  ) => {
    const query = new URLSearchParams({
      action,
      path,
      ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])),
    })
    return site.ask({ path: `/api/admin/users/${ids[account] ?? account}/access?${query.toString()}`, token })
  }
  const why = async (...question: Parameters<typeof ask>): Promise<AccessAnswer> =>
    adminAccessRoutes.ask.reply.parse((await ask(...question)).data)

  it('is the account’s permissions, and the path and type rules that narrow them', async () => {
    expect(await why('mei', 'uploadFile', '/drafts/a.pdf')).toEqual({
      ...{ isAllowed: true, reason: 'granted', from: 'account' },
      ...{ permission: null, level: null, pattern: null, mount: null },
    })
    expect(await why('mei', 'rename', '/drafts/a.pdf')).toMatchObject({
      ...{ isAllowed: false, reason: 'flag', permission: 'rename', from: 'account' },
    })
    for (const action of ['download', 'uploadFile'])
      expect(await why('mei', action, '/drafts/A.KEY')).toMatchObject({
        ...{ isAllowed: false, reason: 'forbidden', pattern: '/drafts/*.key', level: 'account' },
      })
    expect(await why('mei', 'makeFolder', '/a/Secret/b')).toMatchObject({ reason: 'forbidden', pattern: 'secret' })
    expect(await why('mei', 'uploadFile', '/setup.exe')).toMatchObject({ reason: 'type', level: 'account' })
    expect(await why('mei', 'makeFolder', '/setup.exe')).toMatchObject({ isAllowed: true })
    expect(await why('mei', 'delete', '/')).toMatchObject({ isAllowed: false, reason: 'place-itself' })
    expect(await why('ada', 'list', '/elsewhere')).toMatchObject({ reason: 'not-among-allowed' })
    expect(await why('ada', 'delete', '/open/deep/a')).toMatchObject({ reason: 'new-only' })
    expect(await why('ada', 'uploadFile', '/open/a.pdf')).toMatchObject({ reason: 'not-among-allowed' })
    expect(await why('kim', 'delete', '/open')).toMatchObject({ reason: 'way-to-allowed', level: 'account' })
    expect(await why('ada', 'uploadFile', '/open/deep/a.pdf')).toMatchObject({ isAllowed: true })
  })

  it('is what the portal then does', async () => {
    const { token } = await site.signIn('mei')
    for (const [folder, name, isAllowed] of [
      ['/', 'drafts', true],
      ['/drafts', 'a.key', false],
      ['/drafts', 'b', true],
      ['/', 'SECRET', false],
    ] as const) {
      const path = `${folder === '/' ? '' : folder}/${name}`
      expect(await why('mei', 'makeFolder', path)).toMatchObject({ isAllowed })
      const made = await site.ask({ method: 'POST', path: '/api/files/mkdir', token, json: { folder, name } })
      expect([path, made.code === 200]).toEqual([path, isAllowed])
    }
  })

  it('is the membership of a space or a group, and what it permits there', async () => {
    const { data } = await send('POST', 'spaces', { name: 'Lab' })
    const spaceId = data['spaceId'] as unknown as number
    const group = (await send('POST', 'groups', { name: 'Film', spaceId })).data['group'] as unknown as { id: number }
    expect(await why('mei', 'list', '/', { spaceId })).toMatchObject({ reason: 'no-space' })
    expect(await why('mei', 'list', '/', { groupId: group.id })).toMatchObject({ reason: 'no-space' })
    await send('POST', `spaces/${spaceId}/members`, { accounts: ['mei'], permission: PERMISSION.list })
    expect(await why('mei', 'list', '/', { groupId: group.id })).toMatchObject({ reason: 'no-group' })
    expect(await why('mei', 'download', '/a', { spaceId })).toMatchObject({ reason: 'flag', from: 'space' })
    await send('POST', `groups/${group.id}/members`, { accounts: ['mei'], permission: PERMISSION.list })
    expect(await why('mei', 'list', '/', { groupId: group.id })).toMatchObject({ isAllowed: true, from: 'group' })
    expect(await why('mei', 'download', '/a', { groupId: group.id })).toMatchObject({
      ...{ reason: 'flag', permission: 'download', from: 'group' },
    })
    expect((await ask('mei', 'list', '/', { groupId: 999 })).code).toBe(6040)
  })

  it('is the quota, the client that must be used, the edition, a pause, and the state of the account', async () => {
    const change = async (fields: object) => {
      const { revision } = (await site.ask({ path: `/api/admin/users/${ids['mei']}`, token: admin })).data[
        'user'
      ] as unknown as {
        revision: number
      }
      expect((await send('PATCH', `users/${ids['mei']}`, { revision, ...fields })).code).toBe(200)
    }
    const upload = () => why('mei', 'uploadFile', '/a.pdf')
    await change({ transfer: { ways: 'client' } })
    await expect.poll(async () => (await upload()).reason).toBe('client-only')
    expect(await why('mei', 'delete', '/a.pdf')).toMatchObject({ isAllowed: true })
    await change({ transfer: { ways: null } })
    await expect.poll(async () => (await upload()).reason).toBe('granted')
    const { token } = await site.signIn('mei')
    expect((await site.upload(token, 'kept.txt', Buffer.from('xx'))).code).toBe(200)
    await change({ ownQuotaBytes: 1 })
    expect(await upload()).toMatchObject({ isAllowed: false, reason: 'quota' })
    expect(await why('mei', 'download', '/kept.txt')).toMatchObject({ isAllowed: true })
    await change({ ownQuotaBytes: null })
    expect((await send('POST', 'server/pause', { reason: '' })).code).toBe(200)
    await expect.poll(async () => (await upload()).reason).toBe('paused')
    expect((await send('POST', 'server/resume', {})).code).toBe(200)
    await expect.poll(async () => (await upload()).reason).toBe('granted')
    expect((await why('mei', 'view', '/a.pdf')).reason).toBe('granted')
    expect(await site.cli('settings set edition free')).toBe(0)
    await expect.poll(async () => (await why('mei', 'view', '/a.pdf')).reason).toBe('edition')
    expect((await upload()).reason).toBe('granted')
    expect(await site.cli('settings reset edition')).toBe(0)
    await send('POST', 'users/lock', { ids: [ids['mei'] ?? ''] })
    expect(await upload()).toMatchObject({ isAllowed: false, reason: 'locked' })
    expect((await ask('nobody', 'list', '/')).code).toBe(5402)
  })

  it('is reported to whoever sees users, for paths that can be', async () => {
    const { token } = await site.signIn('helper')
    expect(await ask('mei', 'list', '/', {}, token)).toMatchObject({ code: 200 })
    expect(await ask('mei', 'list', '/', {}, (await site.signIn('ada')).token)).toMatchObject({ code: 1008 })
    expect((await ask('ada', 'list', '/a/../b')).code).not.toBe(200)
    expect((await ask('ada', 'makeFolder', '/open/deep/a:b')).code).not.toBe(200)
    expect((await ask('ada', 'fly', '/')).code).not.toBe(200)
  })
})
