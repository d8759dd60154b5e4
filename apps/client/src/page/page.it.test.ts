import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import type { LocalClientAction, LocalClientView, LocalItemView } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientSite } from '../testing/client-site.ts'

const LARGE = 24 * MiB
const SOON = { timeout: 30_000, interval: 100 }

describe('the page of the client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-page-'))
  const bytes = createHash('shake256', { outputLength: LARGE }).update('page').digest()
  let site: ClientSite
  let origin = ''
  let token = ''

  interface Call {
    readonly authorization?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: object
  }
  const call = async (
    method: 'GET' | 'POST',
    path: string,
    { authorization = token, headers = {}, body }: Call = {},
  ): Promise<{ readonly status: number; readonly code: number; readonly data: unknown }> => {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
    // fetch lets nobody choose the host.
    const sent = request(new URL(path, origin), {
      method,
      headers: { authorization: `Bearer ${authorization}`, ...headers },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    const text = body === undefined ? '' : JSON.stringify(body)
    if (text !== '')
      sent.setHeader('content-type', 'application/json').setHeader('content-length', Buffer.byteLength(text))
    sent.end(text)
    const answer = await promise
    const { code, data } = JSON.parse(answer.text) as { readonly code: number; readonly data: unknown }
    return { status: answer.status, code, data }
  }
  const view = async (): Promise<LocalClientView> => (await call('GET', '/api/state')).data as LocalClientView
  const act = (body: LocalClientAction): ReturnType<typeof call> => call('POST', '/api/act', { body })
  const item = async (): Promise<LocalItemView | undefined> => (await view()).items[0]
  const openPage = async (): Promise<void> => {
    const opened = site.client('open')
    expect(await opened.exitCode()).toBe(0)
    const url = new URL(String(opened.events.find(({ event }) => event === 'page')?.['url']))
    ;({ origin } = url)
    const { data } = await call('POST', '/api/open', { authorization: url.hash.slice(1) })
    ;({ token } = data as { readonly token: string })
  }
  const upload = async (name: string): Promise<number> => {
    writeFileSync(join(folder, name), bytes)
    expect(await site.client('up', join(folder, name), '/', '--later').exitCode()).toBe(0)
    await expect.poll(async () => (await item())?.name, SOON).toBe(name)
    return (await item())?.id ?? 0
  }

  beforeAll(async () => {
    site = await ClientSite.open(folder)
    await openPage()
  })
  afterAll(async () => {
    await site.client('stop').exitCode()
    await site[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers nobody without its token: no other user, no other site, no name that points here', async () => {
    const key = (JSON.parse(readFileSync(join(folder, 'home/page.json'), 'utf8')) as { readonly key: string }).key
    expect(statSync(join(folder, 'home/page.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'home/open.html')).mode & 0o777).toBe(0o600)
    for (const authorization of ['', 'x', '0'.repeat(64), key])
      expect(await call('GET', '/api/state', { authorization })).toMatchObject({ status: 401, code: 5646 })
    expect(await call('POST', '/api/link', { authorization: token })).toMatchObject({ code: 5646 })

    // A link opens one page.
    const link = ((await call('POST', '/api/link', { authorization: key })).data as { readonly link: string }).link
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

  it('pauses, resumes and cancels one transfer, and holds the bandwidth at once', async () => {
    await act({ action: 'rate', rateMbps: 8 })
    const id = await upload('one.bin')
    await expect.poll(async () => (await item())?.bytesPerSecond, SOON).toBeGreaterThan(0)
    expect(await item()).toMatchObject({ state: 'running', path: 'udp', direction: 'upload', target: '/' })
    await expect.poll(async () => (await item())?.bottleneck, SOON).toBe('policy limit')

    expect((await act({ action: 'pause', id })).data).toMatchObject({ items: [{ id, state: 'paused' }] })
    expect(await act({ action: 'retry', id })).toMatchObject({ code: 5647 })
    expect((await act({ action: 'resume', id })).code).toBe(200)
    await expect.poll(async () => (await item())?.path, SOON).toBe('udp')

    // 24 MiB at 8 Mbit/s are 25 s: it is over long before, because the limit is gone at once.
    await act({ action: 'rate', rateMbps: 0 })
    await expect.poll(item, { timeout: 15_000 }).toMatchObject({ state: 'done', bytes: LARGE })
    expect((await view()).overall).not.toBe('error')
    expect(await act({ action: 'pause', id })).toMatchObject({ code: 5647 })

    await act({ action: 'rate', rateMbps: 2 })
    const other = await upload('other.bin')
    await expect.poll(async () => (await item())?.path, SOON).toBe('udp')
    expect((await act({ action: 'cancel', id: other })).code).toBe(200)
    await expect.poll(async () => (await item())?.state, SOON).toBe('cancelled')
    expect((await act({ action: 'forget', id: other })).code).toBe(200)
    await act({ action: 'rate', rateMbps: 0 })
  }, 120_000)

  it('lets everything rest, over a restart of the client, and keeps the history', async () => {
    await act({ action: 'rate', rateMbps: 8 })
    await upload('two.bin')
    await expect.poll(async () => (await item())?.path, SOON).toBe('udp')
    expect((await act({ action: 'pause-all', pause: 'hour' })).code).toBe(200)
    await expect.poll(item, SOON).toMatchObject({ state: 'waiting', path: '' })
    const until = (await view()).pausedUntil
    expect(until - Date.now() / 1000).toBeGreaterThan(3_500)

    expect(await site.client('stop').exitCode()).toBe(0)
    await openPage()
    const again = await view()
    expect(again.pausedUntil).toBe(until)
    expect(again.items.map(({ name, state }) => [name, state])).toEqual([
      ['two.bin', 'waiting'],
      ['one.bin', 'done'],
    ])
    await act({ action: 'rate', rateMbps: 0 })
    expect(await act({ action: 'resume-all' })).toMatchObject({ data: { pausedUntil: 0 } })
    await expect.poll(item, SOON).toMatchObject({ state: 'done' })
  }, 120_000)

  it('limits downloads as well', async () => {
    // So that it still runs when the server has taken the limit of the client, a second later.
    await site.limitDownloads(24)
    await act({ action: 'rate', rateMbps: 4 })
    expect(await site.client('down', '/one.bin', join(folder, 'down'), '--later').exitCode()).toBe(0)
    await expect.poll(item, SOON).toMatchObject({ direction: 'download', state: 'running', path: 'udp' })
    await expect.poll(async () => (await item())?.bytesPerSecond, SOON).toBeLessThan(0.6e6)
    await act({ action: 'rate', rateMbps: 0 })
    await site.limitDownloads(0)
    await expect.poll(item, { timeout: 20_000 }).toMatchObject({ state: 'done' })
    expect(readFileSync(join(folder, 'down/one.bin')).equals(bytes)).toBe(true)
  }, 120_000)

  it('watches folders, and keeps settings', async () => {
    const { accounts } = await view()
    const { server = '', account = '' } = accounts[0] ?? {}
    const root = join(folder, 'scans')
    const watch = { action: 'watch', root, server, account, target: '/' } as const
    expect(await act(watch)).toMatchObject({ code: 5100 })
    mkdirSync(root)
    expect(await act({ ...watch, target: '/nowhere' })).toMatchObject({ code: 5100 })
    expect(await act({ ...watch, account: 'nobody' })).toMatchObject({ code: 5649 })
    expect(await act(watch)).toMatchObject({ data: { watches: [{ root, target: '/' }] } })
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
    expect(readFileSync(join(folder, 'config/autostart/godwit-client.desktop'), 'utf8')).toContain('"run"')
    expect(await act({ action: 'autostart', isOn: false })).toMatchObject({ data: { autostart: false } })
  })
})
