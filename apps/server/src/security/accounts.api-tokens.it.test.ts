import { setTimeout as sleep } from 'node:timers/promises'
import { allRoutes, encodePassword, PERMISSION } from '@godwit/contract'
import { connectScriptedClient } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccounts, password, type Accounts } from './testing/accounts.ts'
import { doors } from './testing/doors.ts'
import { signedInSocket } from './testing/sockets.ts'
import type { Answer, Login } from './testing/wire.ts'

const SEEN_MS = 1_100

describe('an API token', () => {
  let at: Accounts
  let mei: Login
  beforeAll(async () => {
    at = await openAccounts()
    mei = await at.site.signIn('mei')
    await at.site.upload(mei.token, 'kept.txt', Buffer.from('kept'))
  })
  afterAll(async () => at[Symbol.asyncDispose]())

  const READ = PERMISSION.list | PERMISSION.download
  const create = async (permission: number, login = mei, proof = password) =>
    at.post(login, 'api-tokens', { name: 'backup', permission, days: 30, password: proof })
  const tokenOf = async (permission: number) => String((await create(permission)).data['token'])
  const list = (token: string) => at.site.call(token, 'list', { folder: '/' })

  it('is shown once, named, and stored as a hash', async () => {
    const created = await create(READ)
    const token = String(created.data['token'])
    expect(token).toMatch(/^gwt_[\w-]{43}$/)
    expect(created.data['apiToken']).toMatchObject({ name: 'backup', permission: READ | 1 | 8, lastUsedAt: null })
    expect((await at.get(mei, 'api-tokens')).text).not.toContain(token)
    const rows = await at.site.withDatabase(({ db }) => db.selectFrom('api_tokens').selectAll().execute())
    expect(JSON.stringify(rows)).not.toContain(token)
    await list(token)
    const [listed] = (await at.get(mei, 'api-tokens')).data['tokens'] as unknown as Array<{ lastUsedAt: number | null }>
    expect(listed?.lastUsedAt).not.toBeNull()
  })

  it('asks for the password, and grants no more than the account has', async () => {
    expect((await create(READ, mei, encodePassword('wrong'))).code).toBe(1023)
    await at.site.addUser('reader', { permission: READ })
    const reader = await at.site.signIn('reader')
    expect((await create(READ | PERMISSION.delete, reader)).code).toBe(1008)
    expect((await create(PERMISSION.cwd | PERMISSION.append, reader)).code).toBe(1008)
  })

  it('may what its bits say and nothing else, by HTTP and on the socket (T27)', async () => {
    const token = await tokenOf(READ)
    expect((await list(token)).code).toBe(200)
    expect((await at.site.ask({ path: '/api/files/content?path=/kept.txt', token })).text).toBe('kept')
    expect((await at.site.call(token, 'mkdir', { folder: '/', name: 'x' })).code).toBe(1008)
    expect((await at.site.call(token, 'remove', { paths: ['/kept.txt'] })).code).toBe(1008)
    expect((await at.site.upload(token, 'x', Buffer.from('x'))).code).toBe(1008)
    const socket = await signedInSocket(at.site.url, token)
    const call = async (operation: string, input: object) => (await socket.ask({ type: 'call', operation, input })).code
    expect(await call('list', { folder: '/' })).toBe(200)
    expect(await call('mkdir', { folder: '/', name: 'x' })).toBe(1008)
    const ticket = String((await at.site.call(token, 'ticket', { paths: ['/kept.txt'] })).data['ticket'])
    expect((await at.site.ask({ path: `/api/files/content?ticket=${ticket}` })).text).toBe('kept')
    socket.socket.terminate()
  })

  it('with the bits for it uploads, copies and deletes like its account', async () => {
    const token = await tokenOf(8191)
    const bytes = Buffer.from('by a program')
    expect((await at.site.upload(token, 'made.txt', bytes)).code).toBe(200)
    await at.site.call(token, 'mkdir', { folder: '/', name: 'copies' })
    const { job } = await at.site.runJob(token, 'copy', { paths: ['/made.txt'], target: '/copies' })
    expect(job).toMatchObject({ state: 'completed', failures: [] })
    expect((await at.site.ask({ path: '/api/files/content?path=/copies/made.txt', token })).text).toBe('by a program')
    const removed = await at.site.runJob(token, 'remove', { paths: ['/copies'] })
    expect(removed.job).toMatchObject({ state: 'completed' })
  })

  it('gives the credential of an upload no more than it has, and no longer (T18, T27)', async () => {
    const token = await tokenOf(PERMISSION.list | PERMISSION.upload)
    const begin = async (filename: string) => {
      const json = { folder: '/', filename, size: 6, conflict: 'fail', resume: false }
      const { data } = await at.site.ask({ method: 'POST', path: '/api/uploads', token, json })
      return { path: `/api/uploads/${String(data['uploadId'])}`, grant: String(data['grant']) }
    }
    const send = ({ path, grant }: { path: string; grant: string }) =>
      at.site.ask({ method: 'PUT', path: `${path}/parts/0`, token: grant, body: Buffer.from('theirs') })
    const complete = ({ path, grant }: { path: string; grant: string }, conflict: string) =>
      at.site.ask({ method: 'POST', path: `${path}/complete`, token: grant, json: { conflict } })

    const first = await begin('owned.txt')
    await at.site.upload(mei.token, 'owned.txt', Buffer.from('mine'))
    expect((await send(first)).code).toBe(200)
    expect((await complete(first, 'replace')).code).toBe(1008)
    expect((await at.site.ask({ path: '/api/files/content?path=/owned.txt', token: mei.token })).text).toBe('mine')
    expect((await complete(first, 'keep-both')).code).toBe(200)

    const second = await begin('late.txt')
    const tokens = (await at.get(mei, 'api-tokens')).data['tokens'] as unknown as Array<{ id: string }>
    expect((await at.post(mei, 'api-tokens/remove', { tokenId: tokens[0]?.id })).code).toBe(200)
    expect((await send(second)).code).toBe(1009)
  })

  it('manages nothing of the account: every such door says 1008 (T12, T27)', async () => {
    const token = await tokenOf(8191)
    // Its first use is written down.
    await list(token)
    // The notice of the new token comes in the background.
    const announced = ['notices', 'outbox']
    const before = await at.site.databaseHash(announced)
    const accountDoors = new Set(
      allRoutes()
        .filter(({ spec }) => spec.access === 'session' || typeof spec.access === 'object')
        .map(({ feature, name }) => `${feature}.${name}`),
    )
    const wrong: string[] = []
    for (const { name, question } of doors()) {
      if (!accountDoors.has(name)) continue
      const { code } = await at.site.ask({ ...question, token })
      if (code !== 1008) wrong.push(`${name}: ${code}`)
    }
    expect(wrong).toEqual([])
    expect(accountDoors.size).toBeGreaterThan(20)
    for (const name of [
      'auth.changePassword',
      'auth.updateInfo',
      'security.createApiToken',
      'mail.ownUpdate',
      'notices.list',
    ]) {
      expect(accountDoors).toContain(name)
    }
    const client = await connectScriptedClient({ url: at.site.url, token })
    expect(client.hello.code).toBe(5651)
    expect((await at.site.ask({ method: 'PUT', path: '/api/user/auth', token })).code).toBe(1009)
    expect(await at.site.databaseHash(announced)).toBe(before)
  })

  it('of an administrator is no administrator', async () => {
    const admin = await at.site.signIn('admin')
    const proof = encodePassword(at.site.godwit.administrator.password)
    const token = String((await create(8191, admin, proof)).data['token'])
    const { user } = (await at.site.ask({ path: '/api/user/info', token })).data as unknown as { readonly user: object }
    expect(user).toMatchObject({ account: 'admin', isAdmin: false })
    for (const { spec } of allRoutes().filter(({ spec: { access } }) => typeof access === 'object')) {
      expect((await at.site.ask({ method: spec.method, path: spec.path, token, json: {} })).code).toBe(1008)
    }
  })

  const ENDS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    'it is revoked': (tokenId) => at.post(mei, 'api-tokens/remove', { tokenId }),
    'it expires': (id) =>
      at.site.withDatabase(({ db }) =>
        db.updateTable('api_tokens').set({ expires_at: 1 }).where('id', '=', id).execute(),
      ),
    'the account is locked': () => at.site.cli('user lock --account mei'),
  }

  it.each(Object.keys(ENDS))('ends at once when %s, with its sockets and tickets (T18)', async (way) => {
    const created = await create(READ)
    const token = String(created.data['token'])
    const { id } = created.data['apiToken'] as unknown as { readonly id: string }
    const socket = await signedInSocket(at.site.url, token)
    const ticket = String((await at.site.call(token, 'ticket', { paths: ['/kept.txt'] })).data['ticket'])
    await ENDS[way]?.(id)
    expect((await list(token)).code).toBe(1009)
    expect((await at.site.ask({ path: `/api/files/content?ticket=${ticket}` })).code).toBe(5112)
    expect(await socket.closed).toBe(4401)
    await at.site.cli('user unlock --account mei')
    await sleep(SEEN_MS)
    mei = await at.site.signIn('mei')
  })

  it('ends with the password it was made under, whoever changes that (T18)', async () => {
    const token = await tokenOf(READ)
    const newPassword = encodePassword('Moonlight-77')
    await at.site.ask({
      method: 'PUT',
      path: '/api/user/password/update',
      token: mei.token,
      json: { oldPassword: password, newPassword },
    })
    expect((await list(token)).code).toBe(1009)
    mei = await at.site.signIn('mei', 'Moonlight-77')
    const second = String((await create(READ, mei, newPassword)).data['token'])
    expect((await list(second)).code).toBe(200)
  })

  it('with a longer life than its file: less permission of the account counts at once (T30)', async () => {
    const proof = encodePassword('Moonlight-77')
    const token = String((await create(READ, mei, proof)).data['token'])
    await at.site.withDatabase(({ db }) =>
      db.updateTable('users').set({ permission: PERMISSION.list }).where('account', '=', 'mei').execute(),
    )
    expect((await list(token)).code).toBe(200)
    expect((await at.site.ask({ path: '/api/files/content?path=/kept.txt', token })).code).toBe(1008)
  })

  it('is one of twenty at most, and nobody else’s to revoke', async () => {
    const tom = await at.site.signIn('tom')
    const created: Answer[] = []
    for (let made = 0; made < 21; made++) created.push(await create(READ, tom))
    expect(created.filter(({ code }) => code === 200)).toHaveLength(20)
    expect(created.filter(({ code }) => code === 5447)).toHaveLength(1)
    const [one] = (await at.get(tom, 'api-tokens')).data['tokens'] as unknown as Array<{ id: string }>
    expect((await at.post(mei, 'api-tokens/remove', { tokenId: one?.id })).code).toBe(5448)
  })
})
