import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodePassword } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, PASSWORD, type Site } from './testing/sites.ts'
import { BUSY_MS } from '../testing/busy-machine.ts'
import { signedInSocket } from './testing/sockets.ts'
import type { Login } from './testing/wire.ts'

/** How long the rights of a session may live on for a request, and for what already runs; with room for a busy machine. */
const REQUEST_MS = 1_000
const RUNNING_MS = 5_000

/** Everything an account may hold open at the moment it loses its rights. */
interface Held {
  readonly login: Login
  readonly ticket: string
  readonly uploadId: string
  readonly grant: string
  readonly socketClosed: Promise<number>
  readonly uploadEnded: Promise<string>
  readonly downloadEnded: Promise<string>
}

describe('rights that end', () => {
  let site: Site

  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(async () => site[Symbol.asyncDispose]())

  async function holdEverything(account: string): Promise<Held> {
    const login = await site.signIn(account)
    const home = site.home(account)
    fs.mkdirSync(home, { recursive: true })
    fs.writeFileSync(path.join(home, 'big.bin'), '')
    fs.truncateSync(path.join(home, 'big.bin'), 2 ** 32)
    const ticket = String((await site.call(login.token, 'ticket', { paths: ['/big.bin'] })).data['ticket'])
    const json = { folder: '/', filename: 'slow.bin', size: 64 * 2 ** 20 }
    const created = await site.ask({ method: 'POST', path: '/api/uploads', token: login.token, json })
    const { uploadId, grant } = created.data as unknown as { readonly uploadId: string; readonly grant: string }
    const socket = await signedInSocket(site.url, login.token)
    return {
      login,
      ticket,
      uploadId,
      grant,
      socketClosed: socket.closed,
      uploadEnded: endlessUpload(uploadId, grant),
      downloadEnded: slowDownload(ticket),
    }
  }

  /** Sends a kilobyte every 100 ms, as long as it is let. */
  function endlessUpload(uploadId: string, token: string): Promise<string> {
    const { hostname, port } = new URL(site.url)
    return new Promise((resolve) => {
      const headers = { authorization: `Bearer ${token}`, 'content-length': 16 * 2 ** 20 }
      const request = http.request({ hostname, port, path: `/api/uploads/${uploadId}/parts/0`, method: 'PUT', headers })
      const timer = setInterval(() => request.write(Buffer.alloc(1024)), 100)
      const done = (how: string): void => {
        clearInterval(timer)
        request.destroy()
        resolve(how)
      }
      request.once('response', (response) => done(`answered ${response.statusCode}`))
      request.once('error', (error) => done(error.message))
      request.write(Buffer.alloc(1024))
    })
  }

  /** Reads 64 KiB every 20 ms. */
  function slowDownload(ticket: string): Promise<string> {
    const { hostname, port } = new URL(site.url)
    return new Promise((resolve) => {
      const request = http.get({ hostname, port, path: `/api/files/content?ticket=${ticket}` }, (response) => {
        response.on('data', () => {
          response.pause()
          setTimeout(() => response.resume(), 20)
        })
        response.once('error', (error) => resolve(error.message))
        response.once('close', () => resolve('closed'))
      })
      request.once('error', (error) => resolve(error.message))
    })
  }

  const changePassword = (held: Held) =>
    site.ask({
      method: 'PUT',
      path: '/api/user/password/update',
      token: held.login.token,
      json: { oldPassword: encodePassword(PASSWORD), newPassword: encodePassword('Moonlight-77') },
    })

  const WAYS: Readonly<Record<string, (account: string, held: Held) => Promise<unknown>>> = {
    'logout everywhere': (_account, { login }) =>
      site.ask({ method: 'POST', path: '/api/user/logout/all', token: login.token }),
    'a password change': (_account, held) => changePassword(held),
    'a lock by the command in another process': (account) => site.cli(`user lock --account ${account}`),
    'a removal by the command in another process': (account) => site.cli(`user remove --account ${account}`),
    'a removal with all files in the console': async (account) => {
      const { token } = await site.signIn('admin')
      const json = { filter: { text: account }, files: 'delete' }
      return site.ask({ method: 'POST', path: '/api/admin/users/remove', token, json })
    },
  }

  it.each(Object.keys(WAYS))(
    '%s: requests within 1 s, sockets, uploads and downloads within 5 s (T18)',
    async (way) => {
      const account = `user${Object.keys(WAYS).indexOf(way)}`
      await site.addUser(account)
      const held = await holdEverything(account)
      await sleep(300)
      const elsewhere = await site.signIn(account)
      await WAYS[way]?.(account, held)
      await sleep(REQUEST_MS)
      const { login, ticket, grant, uploadId } = held
      expect((await site.call(login.token, 'list', { folder: '/' })).code).toBe(1009)
      expect((await site.call(elsewhere.token, 'list', { folder: '/' })).code).toBe(1009)
      expect(
        (await site.ask({ path: `/api/files/content?ticket=${ticket}`, headers: { range: 'bytes=0-1' } })).code,
      ).toBe(5112)
      expect((await site.ask({ method: 'PUT', path: '/api/user/auth', token: login.refresh })).code).toBe(1009)
      expect((await site.ask({ path: `/api/uploads/${uploadId}`, token: grant })).code).toBe(1009)
      const ended = Promise.all([held.socketClosed, held.uploadEnded, held.downloadEnded])
      const result = await Promise.race([ended, sleep(RUNNING_MS + BUSY_MS, 'still running')])
      expect(result).not.toBe('still running')
    },
  )

  it('logout: its requests, socket, tickets and downloads end; an upload goes on by its own grant (T18)', async () => {
    await site.addUser('leaver')
    const held = await holdEverything('leaver')
    await site.ask({ method: 'POST', path: '/api/user/logout', token: held.login.token })
    expect((await site.call(held.login.token, 'list', { folder: '/' })).code).toBe(1009)
    expect((await site.ask({ path: `/api/files/content?ticket=${held.ticket}` })).code).toBe(5112)
    expect(await held.socketClosed).toBe(4401)
    await held.downloadEnded
    expect((await site.ask({ path: `/api/uploads/${held.uploadId}`, token: held.grant })).code).toBe(200)
    await site.cli('user lock --account leaver')
    await held.uploadEnded
  })

  it('less permission counts at once, for tickets made before as well (T18, T30)', async () => {
    await site.addUser('demoted')
    const { token } = await site.signIn('demoted')
    await site.upload(token, 'f', Buffer.from('content'))
    const ticket = String((await site.call(token, 'ticket', { paths: ['/f'] })).data['ticket'])
    await site.withDatabase(({ db }) =>
      db.updateTable('users').set({ permission: 2 }).where('account', '=', 'demoted').execute(),
    )
    await sleep(REQUEST_MS)
    expect((await site.call(token, 'mkdir', { folder: '/', name: 'x' })).code).toBe(1008)
    expect((await site.ask({ path: `/api/files/content?ticket=${ticket}` })).code).toBe(1008)
    expect((await site.call(token, 'list', { folder: '/' })).code).toBe(200)
  })

  it('recovery of the administrator ends every session and old password (T18)', async () => {
    const { token } = await site.signIn('admin')
    const file = path.join(site.data, 'new-password')
    fs.writeFileSync(file, 'Moonlight-77')
    expect(await site.cli(`admin recover --password-file ${file}`)).toBe(0)
    await sleep(REQUEST_MS)
    expect((await site.ask({ path: '/api/user/info', token })).code).toBe(1009)
    await expect(site.signIn('admin')).rejects.toThrow('1005')
    await site.signIn('admin', 'Moonlight-77')
  })
})
