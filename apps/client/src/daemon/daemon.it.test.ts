import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePassword } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClientProgram } from '../testing/client-program.ts'

/** The daemon waits 6 to 9 s before it connects again. */
const AGAIN = { timeout: 40_000 }

describe('godwit-client run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-daemon-'))
  let godwit: Godwit
  let session = ''
  let password = ''

  const client = (...words: readonly string[]) => new ClientProgram(words, { GODWIT_CLIENT_HOME: join(folder, 'home') })
  const ask = async (method: 'GET' | 'POST', path: string, json?: object): Promise<Record<string, unknown>> => {
    const headers = {
      'content-type': 'application/json',
      ...(session === '' ? {} : { authorization: `Bearer ${session}` }),
    }
    const body = json === undefined ? {} : { body: JSON.stringify(json) }
    const response = await fetch(new URL(path, godwit.url), { method, headers, ...body })
    return (await response.json()) as Record<string, unknown>
  }
  const signIn = async (): Promise<void> => {
    session = ''
    const { data } = await ask('POST', '/api/user/login', { account: godwit.administrator.account, password })
    session = (data as { readonly token: string }).token
  }
  const state = async (): Promise<unknown> => (await ask('GET', '/api/user/client'))['data']

  beforeAll(async () => {
    godwit = await launchGodwit({ data: join(folder, 'data') })
    password = encodePassword(godwit.administrator.password)
    await signIn()
    const login = client('login', godwit.url)
    await login.until(() => login.events.length > 0)
    const userCode = login.events[0]?.['userCode']
    await ask('POST', '/api/user/device-login/decide', { userCode, isAllowed: true, password })
    if ((await login.exitCode()) !== 0) throw new Error('the client was not signed in')
  })
  afterAll(async () => {
    await client('stop').exitCode()
    await godwit.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('is seen as connected, alone, answers commands truthfully, and comes back after either side was killed', async () => {
    const first = client('run')
    await expect.poll(state, AGAIN).toMatchObject({ client: { state: 'connected', platform: 'linux' } })
    expect(await client('run').exitCode()).toBe(1)
    expect((await ask('POST', '/api/user/client/space', { spaceId: 1 }))['data']).toEqual({ success: true })
    expect((await ask('POST', '/api/user/client/upgrade', {}))['code']).toBe(6206)

    await godwit.end('SIGKILL')
    godwit = await launchGodwit({ data: godwit.data, port: Number(new URL(godwit.url).port) })
    await expect.poll(state, AGAIN).toMatchObject({ client: { state: 'connected' } })

    await first.kill()
    await expect.poll(state).toMatchObject({ client: { state: 'none' } })
    expect(await client('start').exitCode()).toBe(0)
    await expect.poll(state, AGAIN).toMatchObject({ client: { state: 'connected' } })
    expect(await client('stop').exitCode()).toBe(0)
    await expect.poll(state).toMatchObject({ client: { state: 'none' } })
    expect(await client('stop').exitCode()).toBe(1)
  }, 120_000)

  it('ends within seconds although its server says nothing any more', async () => {
    const program = client('run')
    await expect.poll(state, AGAIN).toMatchObject({ client: { state: 'connected' } })
    process.kill(godwit.pid, 'SIGSTOP')
    try {
      expect(await client('stop').exitCode()).toBe(0)
      expect(await program.exitCode()).toBe(0)
    } finally {
      process.kill(godwit.pid, 'SIGCONT')
    }
    await expect.poll(state, AGAIN).toMatchObject({ client: { state: 'none' } })
  }, 120_000)

  it('ends the connection when the account signs out on this computer', async () => {
    expect(await client('start').exitCode()).toBe(0)
    await expect.poll(state, AGAIN).toMatchObject({ client: { state: 'connected' } })
    expect(await client('logout').exitCode()).toBe(0)
    await expect.poll(state, AGAIN).toMatchObject({ client: { state: 'none' } })
  }, 120_000)
})
