import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import { encodePassword, type TransferView } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientProgram } from '../testing/client-program.ts'
import { Queue, type QueueItem } from '../queue/queue.ts'

const LONG = { timeout: 60_000 }
const LARGE = 24 * MiB

describe('a page and the client of its account', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-hand-over-'))
  const large = createHash('shake256', { outputLength: LARGE }).update('large').digest()
  const chosen = join(folder, 'chosen')
  const tools = join(folder, 'tools')
  let godwit: Godwit
  let session = ''
  let daemon: ClientProgram

  const client = (...words: readonly string[]): ClientProgram =>
    new ClientProgram(words, {
      GODWIT_CLIENT_HOME: join(folder, 'home'),
      DISPLAY: ':none',
      WAYLAND_DISPLAY: '',
      PATH: `${tools}:${process.env['PATH']}`,
    })
  const ask = async (path: string, json?: object): Promise<Record<string, never>> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${session}` }
    const init = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }
    return (await (await fetch(new URL(path, godwit.url), { headers, ...init })).json()) as Record<string, never>
  }
  const data = async (path: string, json?: object): Promise<unknown> => (await ask(path, json))['data']
  const upload = (paths: readonly string[]): Promise<unknown> => data('/api/user/client/upload', { folder: '/', paths })
  const transfers = async (): Promise<readonly TransferView[]> =>
    ((await data('/api/transfers')) as { readonly items: readonly TransferView[] }).items
  /** What `godwit-client queue` lists, the newest first, without the start of a program for each look. */
  const queue = (): readonly QueueItem[] => {
    using items = new Queue(join(folder, 'home'), () => 0)
    return items.list().toSorted((one, other) => other.id - one.id)
  }
  const retry = async (): Promise<number> => {
    const [{ id } = { id: 0 }] = queue()
    expect(await client('queue', 'retry', String(id)).exitCode()).toBe(0)
    return id
  }
  const switchSync = async (value: 0 | 1): Promise<void> => {
    const change = { key: 'transSyncSwitch', from: 1 - value, value }
    const { status } = await fetch(new URL('/api/admin/settings', godwit.url), {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${session}` },
      body: JSON.stringify({ changes: [change] }),
    })
    expect(status).toBe(200)
  }
  const startDaemon = async (...words: readonly string[]): Promise<void> => {
    daemon = client('run', ...words)
    const state = async (): Promise<unknown> => data('/api/user/client')
    await expect.poll(state, LONG).toMatchObject({ client: { state: 'connected', canAsk: true } })
  }

  beforeAll(async () => {
    godwit = await launchGodwit({ data: join(folder, 'data') })
    const password = encodePassword(godwit.administrator.password)
    const { account } = godwit.administrator
    session = ((await data('/api/user/login', { account, password })) as { readonly token: string }).token
    for (const name of ['share/film', 'private', 'tools']) mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, 'share/film/large.bin'), large)
    writeFileSync(join(folder, 'share/film/note.txt'), 'a note')
    writeFileSync(join(folder, 'private/key'), 'secret')
    // As zenity answers: with what the person chose, or by its exit code.
    writeFileSync(join(tools, 'zenity'), `#!/bin/sh\n[ -f "${chosen}" ] && cat "${chosen}"\n`)
    chmodSync(join(tools, 'zenity'), 0o755)
    const login = client('login', godwit.url)
    await login.until(() => login.events.length > 0)
    await ask('/api/user/device-login/decide', { userCode: login.events[0]?.['userCode'], isAllowed: true, password })
    if ((await login.exitCode()) !== 0) throw new Error('the client was not signed in')
  })
  afterAll(async () => {
    await daemon.kill()
    await godwit.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('find no client before one is there, and no transfer that the account may not make', async () => {
    expect((await ask('/api/user/client/upload', { folder: '/', paths: [] }))['code']).toBe(5917)
    await startDaemon('--rate', '40M')
    expect((await ask('/api/user/client/upload', { folder: '/absent', paths: [] }))['code']).toBe(5100)
    expect((await ask('/api/user/client/download', { paths: ['/absent'] }))['code']).toBe(5100)
  })

  it('send by a path only what somebody at the computer allowed', async () => {
    expect(await upload([join(folder, 'private/key')])).toEqual({ outcome: 'not-allowed' })
    expect(await client('folders', 'allow', join(folder, 'share')).exitCode()).toBe(0)
    expect(await upload([join(folder, 'private/key')])).toEqual({ outcome: 'not-allowed' })
    expect(await upload([join(folder, 'share/absent')])).toEqual({ outcome: 'not-found' })
    expect(queue()).toEqual([])
  })

  it('send over a kill, a stop and a restart of the client: one transfer, every byte in place', async () => {
    expect(await upload([join(folder, 'share/film')])).toEqual({ outcome: 'queued' })
    const at = async (share: number): Promise<void> => {
      const done = async (): Promise<number> => (await transfers())[0]?.bytesDone ?? 0
      await expect.poll(done, LONG).toBeGreaterThan(LARGE * share)
    }
    await at(0.1)
    await daemon.kill()
    await startDaemon('--rate', '40M')
    await at(0.4)
    await daemon.end()
    await startDaemon('--rate', '400M')
    await expect.poll(async () => (await transfers()).map(({ state }) => state), LONG).toEqual(['completed'])
    const [moved] = await transfers()
    expect(moved?.bytesMoved).toBeLessThan(LARGE * 1.7)
    await expect.poll(() => queue(), LONG).toMatchObject([{ state: 'done', failures: [] }])
  })

  it('fetch into the download folder of that computer', async () => {
    expect(await client('folders', 'downloads', join(folder, 'down')).exitCode()).toBe(0)
    expect(await data('/api/user/client/download', { paths: ['/film'] })).toEqual({ outcome: 'queued' })
    await expect.poll(() => queue()[0], LONG).toMatchObject({ direction: 'download', state: 'done' })
    expect(readFileSync(join(folder, 'down/film/large.bin')).equals(large)).toBe(true)
    expect(readFileSync(join(folder, 'down/film/note.txt'), 'utf8')).toBe('a note')
  })

  it('send what the person chose in the dialog of the client', async () => {
    expect(await upload([])).toEqual({ outcome: 'asking' })
    // A path may be typed as well.
    writeFileSync(chosen, `${folder}/private/./key\n`)
    await expect
      .poll(async () => (await upload([]), queue()[0]), LONG)
      .toMatchObject({ direction: 'upload', paths: [join(folder, 'private/key')] })
    rmSync(chosen)
    await expect.poll(() => queue().every(({ state }) => state === 'done'), LONG).toBe(true)
  })

  it('stop it from the page, for good: not even a new start begins it again', async () => {
    await daemon.end()
    await startDaemon('--rate', '1M')
    rmSync(join(folder, 'down'), { recursive: true })
    await data('/api/user/client/download', { paths: ['/film/large.bin'] })
    const running = async (): Promise<TransferView | undefined> =>
      (await transfers()).find(({ state }) => state === 'running' || state === 'interrupted')
    await expect.poll(running, LONG).toBeDefined()
    const { transferId = '' } = (await running()) ?? {}
    await daemon.kill()
    await data(`/api/transfers/${transferId}/cancel`, {})
    await startDaemon()
    await expect.poll(() => queue()[0], LONG).toMatchObject({ state: 'cancelled', transferId })
    expect(existsSync(join(folder, 'down/large.bin'))).toBe(false)
    // Asked for again, it is a new transfer.
    const id = await retry()
    await expect.poll(() => queue()[0], LONG).toMatchObject({ id, state: 'done' })
    expect(readFileSync(join(folder, 'down/large.bin')).equals(large)).toBe(true)
  })

  it('repeat what failed, that alone', async () => {
    const file = join(folder, 'share/locked')
    expect(await client('up', join(folder, 'share/film/note.txt'), file, '/again', '--later').exitCode()).toBe(0)
    await expect.poll(() => queue()[0], LONG).toMatchObject({ state: 'failed' })
    await ask('/api/files/mkdir', { folder: '/', name: 'again' })
    const id = await retry()
    await expect.poll(() => queue()[0], LONG).toMatchObject({ state: 'partial', failures: [{ path: 'locked' }] })
    writeFileSync(file, 'now it is there')
    await retry()
    await expect.poll(() => queue()[0], LONG).toMatchObject({ state: 'done', failures: [] })
    expect(await client('queue', 'forget', String(id)).exitCode()).toBe(0)
    expect(await client('queue', 'forget', String(id)).exitCode()).toBe(1)
  })

  it('keep a folder in sync as long as the site wants it: what is new there arrives by itself', async () => {
    const scans = join(folder, 'share/scans')
    const sync = (path: string): Promise<Record<string, never>> =>
      ask('/api/user/client/sync', { folder: '/scans', path })
    const isThere = async (path: string): Promise<boolean> => {
      const { data: page } = await ask('/api/files/list', { folder: path.slice(0, path.lastIndexOf('/')) })
      const { items = [] } = (page ?? {}) as { readonly items?: ReadonlyArray<{ readonly name: string }> }
      return items.some(({ name }) => path.endsWith(`/${name}`))
    }
    mkdirSync(scans)
    await ask('/api/files/mkdir', { folder: '/', name: 'scans' })
    expect((await sync(scans))['code']).toBe(6238)
    await switchSync(1)
    expect((await sync(join(folder, 'private')))['data']).toEqual({ outcome: 'not-allowed' })
    expect((await sync(scans))['data']).toEqual({ outcome: 'queued' })
    mkdirSync(join(scans, 'today'))
    writeFileSync(join(scans, 'today/one.txt'), 'one')
    await expect.poll(() => isThere('/scans/today/one.txt'), LONG).toBe(true)

    await switchSync(0)
    writeFileSync(join(scans, 'two.txt'), 'two')
    await expect.poll(() => queue()[0]?.state, LONG).toBe('failed')
    expect(queue()[0]?.error).toBe('SYNC_OFF')
    expect(await isThere('/scans/two.txt')).toBe(false)
    await switchSync(1)
    await retry()
    await expect.poll(() => isThere('/scans/two.txt'), LONG).toBe(true)
    expect(await client('watch', 'stop', scans).exitCode()).toBe(0)
  })

  it('follow a folder of the server: what is new or changed there comes, and what somebody changed here stays', async () => {
    const here = join(folder, 'down/dailies')
    const there = join(folder, 'data/files/users', godwit.administrator.account, 'dailies')
    const text = (name: string): string | undefined => {
      const path = join(here, name)
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    }
    mkdirSync(here, { recursive: true })
    mkdirSync(join(there, 'today'), { recursive: true })
    writeFileSync(join(there, 'today/one.txt'), 'one')
    writeFileSync(join(there, 'today/two.txt'), 'two')
    writeFileSync(join(here, 'own.txt'), 'own')
    const order = { folder: '/dailies', direction: 'download' }
    expect(await data('/api/user/client/sync', { ...order, path: join(folder, 'share') })).toEqual({
      outcome: 'not-allowed',
    })
    expect(await data('/api/user/client/sync', { ...order, path: here })).toEqual({ outcome: 'queued' })
    await expect.poll(() => [text('today/one.txt'), text('today/two.txt')], LONG).toEqual(['one', 'two'])

    // Changed on the server alone: it replaces what came from there. Changed on both sides: the person decides.
    writeFileSync(join(here, 'today/two.txt'), 'mine')
    writeFileSync(join(there, 'today/two.txt'), 'two again')
    writeFileSync(join(there, 'today/one.txt'), 'one again')
    await expect.poll(() => text('today/one.txt'), LONG).toBe('one again')
    await expect.poll(() => queue()[0]?.state, LONG).toBe('asking')
    expect([text('today/two.txt'), text('own.txt')]).toEqual(['mine', 'own'])
    expect(await client('queue', 'keep-both', String(queue()[0]?.id)).exitCode()).toBe(0)
    await expect.poll(() => text('today/two (1).txt'), LONG).toBe('two again')
    expect(text('today/two.txt')).toBe('mine')
    // It is still another one than that of the server, and nobody is asked again.
    await expect.poll(() => queue()[0]?.state, LONG).toBe('done')
    writeFileSync(join(there, 'today/late.txt'), 'late')
    await expect.poll(() => text('today/late.txt'), LONG).toBe('late')
    await expect.poll(() => queue()[0]?.state, LONG).toBe('done')
    expect(text('today/two.txt')).toBe('mine')

    await switchSync(0)
    writeFileSync(join(there, 'three.txt'), 'three')
    await expect.poll(() => queue()[0], LONG).toMatchObject({ state: 'failed', error: 'SYNC_OFF' })
    expect(text('three.txt')).toBeUndefined()
    expect(await client('watch', 'stop', here).exitCode()).toBe(0)
    // From the command line nobody asks the site: it is a download of one's own.
    expect(await client('watch', 'down', '/dailies', here).exitCode()).toBe(0)
    await expect.poll(() => text('three.txt'), LONG).toBe('three')
    expect(await client('watch', 'stop', here).exitCode()).toBe(0)
  })
}, 600_000)
