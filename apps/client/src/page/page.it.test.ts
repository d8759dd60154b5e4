import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import { clientAddress, type LocalClientAction, type LocalClientView, type LocalItemView } from '@godwit/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ClientSite } from '../testing/client-site.ts'
import { handlerAmong } from '../testing/xdg.ts'

const LARGE = 24 * MiB
const SOON = { timeout: 30_000, interval: 100 }
/** A folder of a server is looked at every 10 s. */
const LOOKED = { timeout: 60_000 }

const runFile = async (...[file, words, options]: Parameters<typeof spawn>): Promise<{ exitCode: number | null }> => {
  const child = spawn(file, words, { ...options, stdio: 'ignore' })
  await once(child, 'close')
  return { exitCode: child.exitCode }
}

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
  /** The newest: what failed before is listed above it. */
  const item = async (): Promise<LocalItemView | undefined> =>
    (await view()).items.toSorted((one, other) => other.id - one.id)[0]
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

  it('asks once about everything that exists already, and does what was answered, up and down', async () => {
    const album = join(folder, 'album')
    const write = (content: string): void => {
      for (const at of ['one/a.txt', 'one/b.txt', 'two/c.txt', 'two/d.txt', 'e.txt']) {
        mkdirSync(join(album, at, '..'), { recursive: true })
        writeFileSync(join(album, at), `${content} ${at}`)
      }
    }
    const hand = async (...words: readonly string[]): Promise<number> => {
      const before = (await item())?.id
      expect(await site.client(...words, '--later').exitCode()).toBe(0)
      await expect.poll(async () => (await item())?.id, SOON).not.toBe(before)
      return (await item())?.id ?? 0
    }
    const state = async (): Promise<string | undefined> => (await item())?.state
    const answer = async (id: number): Promise<void> => {
      await expect.poll(item, SOON).toMatchObject({ id, state: 'asking', conflicts: { count: 5 } })
      await act({ action: 'decide', id, choice: 'replace', folder: 'album/one' })
      await act({ action: 'decide', id, choice: 'keep-both', folder: 'album/two' })
      expect((await act({ action: 'decide', id, choice: 'skip' })).code).toBe(200)
      expect(await act({ action: 'decide', id, choice: 'skip' })).toMatchObject({ code: 5647 })
      await expect.poll(item, SOON).toMatchObject({ id, state: 'done', failures: [] })
    }
    const results = {
      ...{ 'one/a.txt': 'new', 'one/b.txt': 'new', 'two/c.txt': 'first', 'two/c (1).txt': 'new', 'e.txt': 'first' },
      ...{ 'two/d (1).txt': 'new' },
    }
    write('first')
    await hand('up', album, '/')
    await expect.poll(state, SOON).toBe('done')
    write('new')
    writeFileSync(join(album, 'one/added.txt'), 'added')
    const up = await hand('up', album, '/', '--ask')
    await expect.poll(item, SOON).toMatchObject({ id: up, state: 'asking', error: '' })
    // What is in nobody's way has gone already.
    const listed = site.client('ls', '/album/one')
    expect(await listed.exitCode()).toBe(0)
    expect(JSON.stringify(listed.events)).toContain('added.txt')
    await answer(up)
    const fetched = join(folder, 'fetched')
    await hand('down', '/album', fetched)
    await expect.poll(state, SOON).toBe('done')
    const content = (root: string, at: string): string =>
      readFileSync(join(root, 'album', at), 'utf8').split(' ')[0] ?? ''
    for (const [at, expected] of Object.entries(results)) expect(content(fetched, at), at).toBe(expected)

    // The other way round: the first version is here, and what the server has now comes.
    mkdirSync(join(folder, 'back'))
    write('first')
    rmSync(join(album, 'one/added.txt'))
    renameSync(album, join(folder, 'back/album'))
    const later = new Date(Date.now() + 60_000)
    for (const at of ['one/a.txt', 'one/b.txt', 'two/c.txt', 'two/d.txt', 'e.txt'])
      utimesSync(join(folder, 'back/album', at), later, later)
    const down = await hand('down', '/album', join(folder, 'back'), '--ask')
    await answer(down)
    const here = { 'one/a.txt': 'new', 'one/b.txt': 'new', 'two/c.txt': 'first', 'e.txt': 'first' }
    for (const [at, expected] of Object.entries(here)) expect(content(join(folder, 'back'), at), at).toBe(expected)
    // The server had a (1) of its own, which came beside it.
    expect(content(join(folder, 'back'), 'two/c (1).txt')).toBe('new')
    expect(content(join(folder, 'back'), 'two/c (2).txt')).toBe('first')
  })

  it('sends what was chosen in a file manager, whatever its name is', async () => {
    const here = join(folder, 'chosen')
    mkdirSync(here)
    const names = ['-rf', '--json', 'a b', 'line\nbreak', `q'"$x`]
    for (const name of names) writeFileSync(join(here, name), name)
    // As GNOME Files runs it: in the folder, with names as words; one of them is no UTF-8, and one is gone.
    expect(await site.client('menu', 'on').exitCode()).toBe(0)
    const script = join(folder, 'share/nautilus/scripts/Send with Godwit')
    const run = 'exec "$0" "$@" "$(printf \'bad\\377\')" gone'
    const { exitCode } = await runFile('/bin/sh', ['-c', run, script, ...names], {
      ...{ cwd: here, env: { ...process.env, ...site.environment } },
    })
    expect(exitCode).toBe(3)
    const chosen = (await view()).sending
    expect(chosen).toMatchObject({
      count: 5,
      names,
      left: [{ fault: 'not-utf8' }, { name: 'gone', fault: 'not-found' }],
    })
    const [{ server, account } = { server: '', account: '' }] = (await view()).accounts
    expect(await act({ action: 'send', server, account, target: '/absent' })).toMatchObject({ code: 5100 })
    expect((await act({ action: 'send', server, account, target: '/' })).data).toMatchObject({ sending: null })
    expect(await act({ action: 'send', server, account, target: '/' })).toMatchObject({ code: 5647 })
    await expect.poll(async () => (await item())?.finishedAt, SOON).toBeGreaterThan(0)
    const listed = site.client('ls', '/')
    expect(await listed.exitCode()).toBe(0)
    for (const name of ['-rf', '--json', 'a b']) expect(JSON.stringify(listed.events)).toContain(JSON.stringify(name))
    // Names that no other system could have are left out by name.
    expect((await item())?.failures.map(({ path }) => path).toSorted()).toEqual(['line\nbreak', `q'"$x`])
    await site.client('send', '--', join(here, 'a b')).exitCode()
    expect((await view()).sending).toMatchObject({ names: ['a b'], left: [] })
    expect((await act({ action: 'send-stop' })).data).toMatchObject({ sending: null })
    expect(await site.client('menu', 'off').exitCode()).toBe(0)
    expect(() => statSync(script)).toThrow('ENOENT')
  })

  it('says that the drive of a watched folder is missing, and writes nothing in its place', async () => {
    const { server = '', account = '' } = (await view()).accounts[0] ?? {}
    const root = join(folder, 'drive')
    const watch = { action: 'watch', direction: 'download', root, server, account, target: '/reels' } as const
    const faults = async () => (await view()).watches.map(({ error }) => error)
    mkdirSync(root)
    mkdirSync(join(folder, 'reels'))
    writeFileSync(join(folder, 'reels/reel.txt'), 'reel')
    expect(await site.client('up', join(folder, 'reels'), '/').exitCode()).toBe(0)
    expect((await act({ action: 'pause-all', pause: 'always' })).status).toBe(200)
    expect((await act(watch)).status).toBe(200)
    await expect.poll(item, LOOKED).toMatchObject({ direction: 'download', state: 'waiting' })
    rmSync(root, { recursive: true })
    expect((await act({ action: 'resume-all' })).status).toBe(200)
    await expect.poll(item, LOOKED).toMatchObject({ state: 'waiting', error: 'folder-missing' })
    await expect.poll(faults, LOOKED).toEqual(['folder-missing'])
    expect(existsSync(root)).toBe(false)
    mkdirSync(root)
    await expect.poll(item, LOOKED).toMatchObject({ state: 'done', error: '' })
    expect(readFileSync(join(root, 'reel.txt'), 'utf8')).toBe('reel')
    await expect.poll(faults, LOOKED).toEqual([''])
    expect((await act({ action: 'unwatch', root })).status).toBe(200)

    const scans = join(folder, 'scanner')
    mkdirSync(scans)
    expect((await act({ ...watch, direction: 'upload', root: scans })).status).toBe(200)
    rmSync(scans, { recursive: true })
    await expect.poll(faults, LOOKED).toEqual(['folder-missing'])
    expect((await act({ action: 'unwatch', root: scans })).status).toBe(200)
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
