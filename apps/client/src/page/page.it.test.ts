import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientAddress, type LocalClientView } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ClientSite } from '../testing/client-site.ts'
import { handlerAmong } from '../testing/xdg.ts'
import { clientPage, SOON } from './testing/client-page.ts'

describe('the page of the client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-page-'))
  let site: ClientSite
  const { call, view, act, openPage, current } = clientPage()

  beforeAll(async () => {
    site = await ClientSite.open(folder)
    await openPage(site)
  })
  afterAll(async () => {
    await site.client('stop').exitCode()
    await site[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers nobody without its token: no other user, no other site, no name that points here', async () => {
    const { origin, token } = current()
    const key = (JSON.parse(readFileSync(join(folder, 'home/page.json'), 'utf8')) as { readonly key: string }).key
    expect(statSync(join(folder, 'home/page.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'home/open.html')).mode & 0o777).toBe(0o600)
    for (const authorization of ['', 'x', '0'.repeat(64), key])
      expect(await call('GET', '/api/state', { authorization })).toMatchObject({ status: 401, code: 5646 })
    const body = { server: '' }
    expect(await call('POST', '/api/link', { authorization: token, body })).toMatchObject({ code: 5646 })
    const foreign = { server: 'javascript:alert(1)' }
    expect(await call('POST', '/api/link', { authorization: key, body: foreign })).toMatchObject({ code: 400 })

    // A link opens one page.
    const link = ((await call('POST', '/api/link', { authorization: key, body })).data as { readonly link: string })
      .link
    expect(await call('POST', '/api/open', { authorization: link })).toMatchObject({ code: 200 })
    expect(await call('POST', '/api/open', { authorization: link })).toMatchObject({ code: 5646 })

    // DNS rebinding, and a page of another site, even with the token.
    const { port } = new URL(origin)
    for (const headers of [
      { host: `evil.example:${port}` },
      { host: `localhost:${port}` },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://127.0.0.1:${Number(port) + 1}` },
    ]) {
      expect(await call('GET', '/api/state', { headers })).toMatchObject({ code: 5005 })
      expect(await call('POST', '/api/act', { headers, body: { action: 'resume-all' } })).toMatchObject({ code: 5005 })
    }
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    expect(await call('POST', '/api/open', { headers: crossSite, authorization: link })).toMatchObject({ code: 5005 })
    const form = { 'content-type': 'text/plain' }
    expect(await call('POST', '/api/act', { headers: form })).toMatchObject({ code: 5007 })
    expect(await act({ action: 'rate', rateMbps: -1 })).toMatchObject({ code: 400 })
    const long = { action: 'allow', folder: `/${'x'.repeat(70_000)}` } as const
    expect(await act(long)).toMatchObject({ code: 5008 })
    expect(await call('GET', '/assets/../../../package.json')).toMatchObject({ status: 404 })

    const page = await fetch(origin)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('access-control-allow-origin')).toBeNull()
    expect(await page.text()).toContain('<div id="root">')
  })

  it('watches folders, and keeps settings', async () => {
    const { accounts } = await view()
    const { server = '', account = '' } = accounts[0] ?? {}
    const root = join(folder, 'scans')
    const watch = { action: 'watch', direction: 'download', root, server, account, target: '/' } as const
    expect(await act(watch)).toMatchObject({ code: 5100 })
    mkdirSync(root)
    expect(await act({ ...watch, target: '/nowhere' })).toMatchObject({ code: 5100 })
    expect(await act({ ...watch, account: 'nobody' })).toMatchObject({ code: 5649 })
    expect(await act(watch)).toMatchObject({
      data: { watches: [{ direction: 'download', root, target: '/', error: '' }] },
    })
    const inside = join(root, 'inside')
    mkdirSync(inside)
    expect(await act({ ...watch, direction: 'upload', root: inside })).toMatchObject({ code: 5650 })
    expect(await act({ action: 'unwatch', root })).toMatchObject({ data: { watches: [] } })
    expect(await act({ action: 'unwatch', root })).toMatchObject({ code: 5100 })
    expect(await act({ action: 'allow', folder: root })).toMatchObject({ data: { allowed: [root] } })
    expect(await act({ action: 'forbid', folder: root })).toMatchObject({ data: { allowed: [] } })
    expect(await act({ action: 'downloads', folder: 'relative' })).toMatchObject({ code: 5100 })
    expect(await act({ action: 'downloads', folder: root })).toMatchObject({ data: { downloads: root } })
    expect(await act({ action: 'exclude', patterns: '[z-a]' })).toMatchObject({ code: 400 })
    expect(await act({ action: 'exclude', patterns: ' *.tmp;;~* ' })).toMatchObject({ data: { exclude: '*.tmp; ~*' } })
    expect(await act({ action: 'exclude', patterns: '' })).toMatchObject({ data: { exclude: '' } })
    expect(await act({ action: 'autostart', isOn: true })).toMatchObject({ data: { autostart: true } })
    expect(readFileSync(join(folder, 'config/autostart/godwit-client.desktop'), 'utf8')).toMatch(/^Exec=.* run$/m)
    expect(await act({ action: 'autostart', isOn: false })).toMatchObject({ data: { autostart: false } })
    // Either way the desktop knows who opens addresses of pages.
    expect(handlerAmong(join(folder, 'nothing'))).toBe('')
    expect(handlerAmong(join(folder, 'share'))).toBe('godwit-client.desktop')
  })

  it('is opened by the address of a page: at once where somebody is signed in, else with a question', async () => {
    const opened = async (server: string): Promise<unknown> => {
      const program = site.client('open', '--', clientAddress(server))
      expect(await program.exitCode()).toBe(0)
      const { hash } = new URL(String(program.events.find(({ event }) => event === 'page')?.['url']))
      const { data } = await call('POST', '/api/open', { authorization: hash.slice(1) })
      return (data as { readonly server: string }).server
    }
    expect(await opened(site.url)).toBe('')

    // A stranger is named to the person, and hears nothing.
    let calls = 0
    const stranger = createServer((_request, response) => {
      calls += 1
      response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void stranger.close())
    await once(stranger, 'listening')
    const strange = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`
    expect(await opened(strange)).toBe(strange)
    expect(calls).toBe(0)
    expect((await view()).signIn).toBeNull()
    // It does once the person has said so; this one is no such server.
    expect(await act({ action: 'sign-in', server: strange })).toMatchObject({ code: 5648 })
    expect(calls).toBeGreaterThan(0)

    // Whatever else such an address says is no word for this program.
    for (const words of [
      ['--', '--token-file=/etc/passwd'],
      ['--', 'run'],
      ['--', `${clientAddress(site.url)}&token=1`],
      ['--', clientAddress('file:///etc/passwd')],
      ['--', clientAddress(site.url), '--token-file', '/etc/passwd'],
    ])
      expect(await site.client('open', ...words).exitCode()).toBe(2)
  })

  it('signs in by a code that the person confirms in a browser', async () => {
    // The administrator has another name for the same server.
    const server = site.url.replace('127.0.0.1', 'localhost')
    expect(await act({ action: 'sign-in', server: `${server}/path` })).toMatchObject({ code: 400 })
    const { data } = await act({ action: 'sign-in', server })
    const { signIn } = data as LocalClientView
    expect(signIn).toMatchObject({ server, state: 'waiting' })
    expect(new URL(signIn?.url ?? '').origin).toBe(server)
    expect((await act({ action: 'sign-in-stop' })).data).toMatchObject({ signIn: null })

    expect((await act({ action: 'sign-in', server })).data).toMatchObject({ signIn: { state: 'waiting' } })
    await site.confirm((await view()).signIn?.userCode ?? '', false)
    await expect.poll(async () => (await view()).signIn?.state, SOON).toBe('denied')

    expect((await act({ action: 'sign-in', server })).data).toMatchObject({ signIn: { state: 'waiting' } })
    await site.confirm((await view()).signIn?.userCode ?? '', true)
    await expect.poll(async () => (await view()).signIn, SOON).toBeNull()
    expect((await view()).accounts[0]).toMatchObject({ server })
    await expect.poll(async () => (await view()).accounts[0]?.isConnected, SOON).toBe(true)
  })

  it('starts one client when two addresses come at once', async () => {
    expect(await site.client('stop').exitCode()).toBe(0)
    const both = [site.client('open'), site.client('open', '--', clientAddress(site.url))]
    expect(await Promise.all(both.map((program) => program.exitCode()))).toEqual([0, 0])
  })
})
