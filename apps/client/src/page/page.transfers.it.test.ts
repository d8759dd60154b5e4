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
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientSite } from '../testing/client-site.ts'
import { clientPage, SOON } from './testing/client-page.ts'

const LARGE = 24 * MiB
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
  const { view, act, item, openPage } = clientPage()
  const upload = async (name: string): Promise<number> => {
    writeFileSync(join(folder, name), bytes)
    expect(await site.client('up', join(folder, name), '/', '--later').exitCode()).toBe(0)
    await expect.poll(async () => (await item())?.name, SOON).toBe(name)
    return (await item())?.id ?? 0
  }

  beforeAll(async () => {
    site = await ClientSite.open(folder)
    await openPage(site)
  })
  afterAll(async () => {
    await site.client('stop').exitCode()
    await site[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
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
    await openPage(site)
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
})
