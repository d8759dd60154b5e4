import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { MiB } from '@godwit/base'
import { encodePassword, FULL_PERMISSION, type TransferView } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientProgram } from './testing/client-program.ts'

const GODWIT = resolve(import.meta.dirname, '../../server/bin/godwit.js')
/** Slow enough for a few kills. */
const RATE = ['--rate', '80M']
/** Progress comes every 200 ms: what moved since is not known of a killed program. */
const UNSEEN_BYTES = 4 * MiB
const LARGE = 32 * MiB

describe('the desktop client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-client-'))
  const files = new Map<string, Buffer>([
    ['large.bin', createHash('shake256', { outputLength: LARGE }).update('large').digest()],
    ...Array.from({ length: 50 }, (_, at) => [`small/${at}.txt`, Buffer.from(`file ${at}`)] as const),
    ['empty', Buffer.alloc(0)],
  ])
  const total = [...files.values()].reduce((sum, { length }) => sum + length, 0)
  let godwit: Godwit
  let environment: Readonly<Record<string, string>> = {}

  beforeAll(async () => {
    for (const [name, bytes] of files) {
      mkdirSync(join(folder, 'photos/small'), { recursive: true })
      writeFileSync(join(folder, 'photos', name), bytes)
    }
    godwit = await launchGodwit({ data: join(folder, 'data') })
    await operator('settings', 'set', 'transferType', '0')
    writeFileSync(join(folder, 'token'), await newToken(godwit))
    environment = { GODWIT_CLIENT_HOME: join(folder, 'home') }
  })
  afterAll(async () => {
    await godwit.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const operator = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, [GODWIT, ...words], {
      env: { ...process.env, GODWIT_DATA: join(folder, 'data') },
    })
  const client = (...words: readonly string[]): ClientProgram => new ClientProgram(words, environment)
  const restartServer = async (): Promise<void> => {
    await godwit.end('SIGKILL')
    godwit = await launchGodwit({ data: godwit.data, port: Number(new URL(godwit.url).port) })
  }
  const listed = async (): Promise<readonly TransferView[]> => {
    const program = client('status')
    await program.exitCode()
    return program.events as unknown as readonly TransferView[]
  }

  it('signs in with an API token that counts', async () => {
    writeFileSync(join(folder, 'wrong'), `gwt_${'x'.repeat(43)}`)
    expect(await client('login', godwit.url, '--token-file', join(folder, 'wrong')).exitCode()).toBe(1)
    expect(await client('ls').exitCode()).toBe(2)
    expect(await client('login', godwit.url, '--token-file', join(folder, 'token')).exitCode()).toBe(0)
    expect(await client('ls').exitCode()).toBe(0)
  })

  it('sends a folder over kills of both sides, and little of it twice', async () => {
    const words = ['up', join(folder, 'photos'), '/', ...RATE]
    let program = client(...words)
    let moved = 0
    let kills = 0
    for (const side of ['client', 'server', 'client'] as const) {
      const before = program.progress('bytesDone')
      await program.until(() => program.progress('bytesDone') > before + 2 * MiB)
      if (!program.isRunning) break
      kills++
      if (side === 'server') await restartServer()
      else {
        await program.kill()
        moved += program.movedBytes
        program = client(...words)
      }
    }
    expect(await program.exitCode()).toBe(0)
    moved += program.movedBytes
    expect(moved - total).toBeLessThan(kills * (16 * MiB + UNSEEN_BYTES))
    // One transfer, however often it was interrupted.
    const [transfer, ...more] = await listed()
    expect(more).toEqual([])
    expect(transfer).toMatchObject({ direction: 'upload', state: 'completed', name: 'photos', failures: 0 })
  })

  it('fetches it again over a kill, byte by byte the same, by TCP too', async () => {
    for (const [target, more] of [
      ['by-udp', RATE],
      ['by-tcp', ['--no-udp']],
    ] as const) {
      const words = ['down', '/photos', join(folder, target), ...more]
      let program = client(...words)
      await program.until(() => program.progress('bytesDone') > 2 * MiB)
      await program.kill()
      program = client(...words)
      expect(await program.exitCode()).toBe(0)
      for (const [name, bytes] of files)
        expect(readFileSync(join(folder, target, 'photos', name)).equals(bytes), name).toBe(true)
    }
  })

  it('is stopped from elsewhere', async () => {
    const program = client('up', join(folder, 'photos/large.bin'), '/', '--rate', '1M')
    await program.until(() => program.events.some(({ event }) => event === 'path'))
    let running: TransferView | undefined
    while (running === undefined) running = (await listed()).find(({ state }) => state === 'running')
    expect(running.name).toBe('large.bin')
    expect(await client('cancel', running.transferId).exitCode()).toBe(0)
    expect(await program.exitCode()).toBe(1)
  })

  it('names what it cannot read', async () => {
    const program = client('up', join(folder, 'nothing'), '/')
    expect(await program.exitCode()).toBe(3)
    expect(program.events).toContainEqual(expect.objectContaining({ event: 'file-failed', path: 'nothing' }))
  })
})

async function newToken({ url, administrator }: Godwit): Promise<string> {
  const ask = async (path: string, token: string, body: object): Promise<Record<string, string>> => {
    const headers = {
      'content-type': 'application/json',
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) })
    return ((await response.json()) as { readonly data: Record<string, string> }).data
  }
  const password = encodePassword(administrator.password)
  const { token = '' } = await ask('/api/user/login', '', { account: administrator.account, password })
  const wanted = { name: 'client', permission: FULL_PERMISSION, days: 1, password }
  return (await ask('/api/user/api-tokens', token, wanted))['token'] ?? ''
}
