import fs from 'node:fs'
import path from 'node:path'
import { adminRemovedUserRoutes, adminUserRoutes, PERMISSION } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'

const PATIENCE = { timeout: 30_000, interval: 50 }

describe('users who are removed with their files', () => {
  let site: Site
  let admin = ''
  let helper = ''

  beforeAll(async () => {
    site = await openSite()
    admin = (await site.signIn('admin')).token
    await site.addUser('helper', { permission: PERMISSION.list })
    await administer(site, 'helper', ['users.view', 'users.remove'])
    helper = (await site.signIn('helper')).token
    await site.cli('settings set versions.keep 3')
    await site.upload(admin, 'probe', Buffer.from('probe'))
    // A running server follows the command after a while.
    const limit = async () => (await site.call(admin, 'versions', { path: '/probe' })).data['limit']
    while ((await limit()) !== 3);
  })
  afterAll(async () => {
    await site[Symbol.asyncDispose]()
    fs.rmSync(otherStorage(), { recursive: true, force: true })
  })

  const otherStorage = () => `${site.data}-other`

  const send = (where: string, json: object, token = admin) =>
    site.ask({ method: 'POST', path: `/api/admin/${where}`, token, json })
  const idOf = async (account: string) => {
    const { data } = await site.ask({ path: `/api/admin/users?text=${account}`, token: admin })
    return adminUserRoutes.list.reply.parse(data).rows.find((row) => row.account === account)?.id ?? ''
  }
  const removed = async (account: string) => {
    const { data } = await site.ask({ path: `/api/admin/removed-users?text=${account}`, token: admin })
    return adminRemovedUserRoutes.list.reply.parse(data).rows[0]
  }
  const settled = async (account: string, state: string) => {
    await expect.poll(async () => (await removed(account))?.state, PATIENCE).toBe(state)
    return removed(account)
  }
  /** An account with files, an earlier version, something in the bin, a link and an unfinished upload. */
  const someone = async (account: string) => {
    await site.addUser(account)
    const { token } = await site.signIn(account)
    await site.upload(token, 'report', Buffer.alloc(1_000, 1))
    await site.upload(token, 'report', Buffer.alloc(2_000, 2))
    await site.upload(token, 'gone', Buffer.alloc(500, 3))
    await site.call(token, 'remove', { paths: ['/gone'] })
    await site.ask({
      method: 'POST',
      path: '/api/uploads',
      token,
      json: { folder: '/', filename: 'half', size: 9_000, conflict: 'fail', resume: false },
    })
    return { token, id: await idOf(account) }
  }
  const usedBy = (account: string) =>
    site.withDatabase(({ db }) =>
      db
        .selectFrom('quotas')
        .innerJoin('users', 'users.id', 'quotas.user_id')
        .select(['used_bytes', 'reserved_bytes'])
        .where('account', '=', account)
        .executeTakeFirst(),
    )

  it('keep them in the storage, where an administrator finds them and decides later', async () => {
    const { id, token } = await someone('kept')
    const home = site.home('kept')
    expect((await send('users/remove', { ids: [id] })).data).toEqual({ changed: 1, failed: [] })
    expect(await settled('kept', 'kept')).toMatchObject({
      files: 'keep',
      removedBy: 'admin',
      places: [{ folder: 'users/kept' }],
      bytes: 3_500,
    })
    expect((await site.ask({ path: '/api/user/info', token })).code).toBe(1009)
    expect(fs.readdirSync(home)).toEqual(['report'])

    expect((await send('removed-users/settle', { ids: [id], files: 'delete' })).data).toEqual({
      changed: 1,
      failed: [],
    })
    expect(await settled('kept', 'done')).toMatchObject({ files: 'delete', places: [], folders: [] })
    expect(fs.existsSync(home)).toBe(false)
    const left = await site.withDatabase(({ db }) =>
      Promise.all([
        db.selectFrom('file_versions').select('id').where('user_id', '=', id).execute(),
        db.selectFrom('recycle_items').select('id').where('owner_id', '=', id).execute(),
        db.selectFrom('uploads').select('id').where('user_id', '=', id).where('state', '=', 'open').execute(),
        db.selectFrom('quotas').select('user_id').where('user_id', '=', id).execute(),
      ]),
    )
    expect(left).toEqual([[], [], [], []])
    const again = await send('removed-users/settle', { ids: [id, 'nobody'], files: 'delete' })
    expect(again.data).toMatchObject({ changed: 0, failed: [{ account: 'kept' }, { id: 'nobody' }] })
  })

  it('become a folder of the new owner, in the quota, with versions, and open in the page at once', async () => {
    const { id } = await someone('giver')
    await site.addUser('heir')
    const { token } = await site.signIn('heir')
    await site.upload(token, 'own', Buffer.alloc(100, 1))
    fs.mkdirSync(path.join(site.home('heir'), 'giver'))
    expect((await send('users/remove', { ids: [id], files: 'hand-over', to: 'heir' })).data['changed']).toBe(1)
    expect(await settled('giver', 'done')).toMatchObject({ to: 'heir', folders: ['/giver (1)'], places: [] })
    const { data } = await site.call(token, 'list', { folder: '/giver (1)' })
    expect(data['items']).toMatchObject([{ name: 'report' }])
    const versions = await site.call(token, 'versions', { path: '/giver (1)/report' })
    expect(versions.data['items']).toHaveLength(1)
    expect(await usedBy('heir')).toMatchObject({ used_bytes: 3_100, reserved_bytes: 0 })
    expect(fs.existsSync(site.home('giver'))).toBe(false)
    expect(await site.cli('verify')).toBe(0)
  })

  it('lose nothing that another program named as no key can', async () => {
    const odd = 'C:\\notes.txt'
    const withOdd = async (account: string) => {
      await site.addUser(account)
      const { token } = await site.signIn(account)
      await site.call(token, 'list', { folder: '/' })
      fs.mkdirSync(site.home(account), { recursive: true })
      fs.writeFileSync(path.join(site.home(account), odd), account)
      return { token, id: await idOf(account) }
    }
    const handOver = async (account: string, id: string, to: string) => {
      expect((await send('users/remove', { ids: [id], files: 'hand-over', to })).data['changed']).toBe(1)
      return settled(account, 'done')
    }
    await site.addUser('near')
    await site.signIn('near')
    await handOver('odd', (await withOdd('odd')).id, 'near')
    expect(fs.readFileSync(path.join(site.home('near'), 'odd', odd), 'utf8')).toBe('odd')
    // Copies to another storage are made by key.
    const other = otherStorage()
    expect(await site.cli(`storage add --name Other --kind local --folder ${other}`)).toBe(0)
    await site.addUser('far')
    const place = { owner_id: await idOf('far'), space_id: 1, group_id: 0, storage_id: 2 }
    await site.withDatabase(({ db }) => db.insertInto('places').values(place).execute())
    const split = await withOdd('split')
    await site.upload(split.token, 'report', Buffer.alloc(1_000, 1))
    expect(await handOver('split', split.id, 'far')).toMatchObject({ folders: ['/split'] })
    expect(fs.statSync(path.join(other, 'users/far/split/report')).size).toBe(1_000)
    expect(fs.readFileSync(path.join(site.home('split'), odd), 'utf8')).toBe('split')
  })

  it('stay when they do not fit; those are named, and the others go', async () => {
    const [large, small] = [await someone('large'), await someone('small')]
    await site.addUser('narrow', { quotaBytes: 4_000 })
    const json = { ids: [large.id, small.id], files: 'hand-over', to: 'narrow' }
    const { data } = await send('users/remove', json)
    expect(data).toMatchObject({ changed: 1, failed: [{ account: 'small', code: 5210 }] })
    expect((await settled('large', 'done'))?.folders).toEqual(['/large'])
    expect(await idOf('small')).toBe(small.id)
  })

  it('are not handed over by somebody who may not read files, to nobody, or to whoever goes as well', async () => {
    await site.addUser('plain')
    const id = await idOf('plain')
    const over = { ids: [id], files: 'hand-over' }
    expect((await send('users/remove', { ...over, to: 'admin' }, helper)).code).toBe(1008)
    expect((await send('users/remove', { ...over, to: 'nobody' })).code).toBe(5402)
    expect((await send('users/remove', over)).code).toBe(5402)
    const own = await send('users/remove', { ...over, to: 'plain' })
    expect(own.data).toMatchObject({ changed: 0, failed: [{ account: 'plain' }] })
    const above = await send('users/remove', { ids: [await idOf('admin'), await idOf('helper')] }, helper)
    expect(above.data).toMatchObject({ changed: 0, failed: [{ code: 1008 }, { code: 1008 }] })
    expect((await send('users/remove', { filter: { text: 'plain' }, except: [id] })).data['changed']).toBe(0)
    expect((await send('users/remove', { filter: { text: 'plain' } }, helper)).data['changed']).toBe(1)
  })

  it('go by the command as well', async () => {
    await someone('byhand')
    expect(await site.cli('user remove --account byhand --files hand-over')).toBe(2)
    expect(await site.cli('user remove --account byhand --to heir')).toBe(2)
    expect(await site.cli('user remove --account byhand --files hand-over --to nobody')).toBe(4)
    expect(await site.cli('user remove --account byhand --files hand-over --to narrow')).toBe(5)
    expect(await site.cli('user remove --account byhand --files hand-over --to heir')).toBe(0)
    expect(await settled('byhand', 'done')).toMatchObject({ removedBy: '', folders: ['/byhand'] })
  })
})
