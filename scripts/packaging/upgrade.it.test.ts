import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MiB } from '@godwit/base'
import { type ClientView, encodePassword, ERRORS } from '@godwit/contract'
import { adminDevices } from '@godwit/contract/table/admin-devices'
import { adminSettings } from '@godwit/contract/table/admin-settings'
import { adminSpaces } from '@godwit/contract/table/admin-spaces'
import { clients } from '@godwit/contract/table/clients'
import { deviceLogins } from '@godwit/contract/table/device-logins'
import { type Godwit as Account, signIn } from '@godwit/sdk'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runTool } from './run-tool.ts'
import { makeKey } from './release.ts'
import { LightPackages } from './testing/light-packages.ts'

/** A daemon waits 6 to 9 s before it connects again, and a slow machine takes its time to start one. */
const SOON = { timeout: 60_000, interval: 200 }
const FIXTURE = join(import.meta.dirname, 'testing/upgrade-until.ts')
const ALTERED = 'godwit-client.tgz of the server is not the one that was signed'
/** At 16 Mbit/s half a minute: longer than an upgrade takes on a busy machine. */
const LARGE = 64 * MiB

describe('an installed client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-upgrade-'))
  const [keyFile, strangersFile] = [join(folder, 'key.pem'), join(folder, 'stranger.pem')]
  const tree = join(folder, 'installed/godwit-client')
  const packages = join(folder, 'data/clients')
  const environment = {
    ...process.env,
    ...{ GODWIT_CLIENT_HOME: join(folder, 'home'), XDG_CONFIG_HOME: join(folder, 'config') },
    ...{ XDG_DATA_HOME: join(folder, 'share'), DISPLAY: '', WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: '' },
  }
  let makers: LightPackages
  let server: Godwit
  let account: Account

  const client = (...words: readonly string[]) => runTool(join(tree, 'godwit-client'), words, environment)
  const current = (): string => readFileSync(join(tree, 'current'), 'utf8').trim()
  const view = async (): Promise<ClientView> => (await account.api.call(clients.mine, {})).client
  const update = () => account.api.call(clients.upgrade, { body: {} })
  const failure = (): unknown => {
    const file = join(folder, 'home/upgrades.json')
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)['failed'] : undefined
  }
  const release = (version: string, more: { readonly isBroken?: boolean; readonly keyFile?: string } = {}) =>
    makers.make({ out: packages, version, keyFile, ...more })
  const set = async (...changes: Array<{ key: string; from: string | number; value: string | number }>) => {
    await account.api.call(adminSettings.edit, { body: { changes } })
  }
  /** What the person and the administrator see of an upgrade that did not come about. */
  const seen = async () => {
    const [device] = (await account.api.call(adminDevices.list, { query: {} })).rows
    return [(await view()).upgradeFailure, device?.upgradeFailure, device?.version]
  }
  const items = async (): Promise<ReadonlyArray<Record<string, unknown>>> =>
    (await client('queue', '--json'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const limitDownloads = async (downloadMbps: number): Promise<void> => {
    const [space] = (await account.api.call(adminSpaces.list, {})).spaces
    if (space === undefined) throw new Error('a site without a space')
    const speed = { uploadMbps: 0, downloadMbps, periods: [] }
    await account.api.call(adminSpaces.edit, {
      params: { spaceId: space.id },
      body: { revision: space.revision, speed },
    })
  }

  beforeAll(async () => {
    makers = await LightPackages.open([await makeKey(keyFile)])
    await makeKey(strangersFile)
    const first = await makers.make({ out: join(folder, 'first'), version: '1.0.0', keyFile })
    mkdirSync(join(folder, 'installed'))
    await runTool('tar', ['-xzf', first, '-C', join(folder, 'installed')])
    server = await launchGodwit({ data: join(folder, 'data') })
    account = await signIn({ server: server.url, ...server.administrator })
    const login = spawn(join(tree, 'godwit-client'), ['login', server.url, '--json'], {
      ...{ env: environment, stdio: ['ignore', 'pipe', 'inherit'] },
    })
    const [line] = (await once(login.stdout, 'data')) as [Buffer]
    const { userCode } = JSON.parse(line.toString()) as { readonly userCode: string }
    const password = encodePassword(server.administrator.password)
    await account.api.call(deviceLogins.decide, { body: { userCode, isAllowed: true, password } })
    await once(login, 'close')
    await client('start')
  }, 180_000)
  afterAll(async () => {
    await client('stop').catch(() => undefined)
    await server.stop()
    await makers[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  it('stays what it is for an unsigned, foreign, older, altered or truncated package', async () => {
    await expect.poll(view, SOON).toMatchObject({ state: 'connected', version: '1.0.0' })
    await expect(update()).rejects.toMatchObject({ code: 6207 })
    await release('1.1.0', { keyFile: strangersFile })
    await expect(update()).rejects.toMatchObject({ code: 6207 })
    // Such a refusal is no version to become: what is asked for is what runs.
    expect(await seen()).toEqual([null, null, '1.0.0'])
    await release('1.0.0')
    await expect(update()).rejects.toMatchObject({ code: 6208 })

    const file = await release('1.1.0')
    const bytes = readFileSync(file)
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    writeFileSync(file, bytes)
    await update()
    await expect.poll(failure, SOON).toMatchObject({ version: '1.1.0', reason: 'altered', detail: ALTERED })
    const altered = { version: '1.1.0', code: ERRORS.CLIENT_UPGRADE_ALTERED.wire }
    await expect.poll(seen, SOON).toEqual([altered, altered, '1.0.0'])
    truncateSync(file, bytes.length - 1)
    await update()
    await expect.poll(failure, SOON).toMatchObject({
      reason: 'altered',
      detail: `the server has ${bytes.length - 1} bytes, and ${bytes.length} were signed`,
    })
    expect(current()).toBe('1.0.0')
    expect(await view()).toMatchObject({ state: 'connected', version: '1.0.0' })
  }, 120_000)

  it('has its page with it', async () => {
    const { url } = JSON.parse(await client('open', '--json')) as { readonly url: string }
    expect(await (await fetch(url)).text()).toContain('<title>Godwit')
  })

  it('upgrades when its page asks, and its transfer goes on at the byte where it stood', async () => {
    await release('1.1.0')
    const large = createHash('shake256', { outputLength: LARGE }).update('large').digest()
    await account.upload(new Blob([large]), '/large.bin')
    mkdirSync(join(folder, 'downloads'))
    await limitDownloads(16)
    await client('down', '/large.bin', join(folder, 'downloads'), '--later')
    const done = async (): Promise<number> => Number((await items())[0]?.['bytesDone'] ?? 0)
    await expect.poll(done, SOON).toBeGreaterThan(2 * MiB)
    await update()
    await expect.poll(current, SOON).toBe('1.1.0')
    await expect.poll(view, SOON).toMatchObject({ state: 'connected', version: '1.1.0' })
    expect(await client('--version')).toBe('godwit-client 1.1.0\n')
    await expect.poll(failure, SOON).toBeUndefined()
    expect(await seen()).toEqual([null, null, '1.1.0'])
    const before = await done()
    expect(before).toBeGreaterThan(2 * MiB)
    expect(before).toBeLessThan(LARGE)
    await limitDownloads(0)
    await expect.poll(async () => (await items())[0], SOON).toMatchObject({ state: 'done' })
    expect(readFileSync(join(folder, 'downloads/large.bin')).equals(large)).toBe(true)
  }, 180_000)

  it('goes back to what ran when the new one does not start, and is not made to try again by itself', async () => {
    await release('1.2.0', { isBroken: true })
    await set({ key: 'autoUpdateTerms', from: 0, value: 1 }, { key: 'autoUpdateSwitch', from: 0, value: 1 })
    await set({ key: 'clientUpgradeVersion', from: '1.0.0', value: '1.2.0' })
    await expect.poll(failure, SOON).toMatchObject({ version: '1.2.0', reason: 'rolled-back' })
    await expect.poll(view, SOON).toMatchObject({ state: 'update-available', version: '1.1.0' })
    const rolledBack = { version: '1.2.0', code: ERRORS.CLIENT_UPGRADE_ROLLED_BACK.wire }
    await expect.poll(seen, SOON).toEqual([rolledBack, rolledBack, '1.1.0'])
    expect(current()).toBe('1.1.0')
    expect(existsSync(join(tree, 'trial'))).toBe(false)
  }, 120_000)

  it('upgrades by itself where the site wants that', async () => {
    await release('1.3.0')
    await set({ key: 'clientUpgradeVersion', from: '1.2.0', value: '1.3.0' })
    await expect.poll(view, SOON).toMatchObject({ state: 'connected', version: '1.3.0' })
    // What was replaced last stays, and what came before it goes.
    await expect.poll(() => readdirSync(join(tree, 'versions')), SOON).toEqual(['1.1.0', '1.3.0'])
    expect(readFileSync(join(folder, 'home/daemon.log'), 'utf8').match(/1\.2\.0 takes over/g)).toHaveLength(1)
    await set({ key: 'autoUpdateSwitch', from: 1, value: 0 })
  }, 120_000)

  it('upgrades by its command', async () => {
    await release('1.4.0')
    expect(await client('upgrade')).toContain('1.4.0 runs in the background')
    await expect.poll(view, SOON).toMatchObject({ state: 'connected', version: '1.4.0' })
    await client('stop')
  }, 120_000)

  it.each(['released', 'fetched', 'unpacked', 'tested', 'on-trial', 'confirmed'])(
    'that is killed when the new version is %s starts, and upgrades the next time',
    async (step) => {
      await release('2.0.0')
      const copy = join(folder, step, 'godwit-client')
      cpSync(tree, copy, { recursive: true })
      const program = join(copy, 'godwit-client')
      const upgrade = async (last: string): Promise<string | null> => {
        const child = spawn(process.execPath, [FIXTURE, copy, last], { stdio: 'inherit', env: environment })
        const [, signal] = (await once(child, 'close')) as [number | null, string | null]
        return signal
      }
      expect(await upgrade(step)).toBe('SIGKILL')
      const isOver = step === 'confirmed'
      expect(await runTool(program, ['--version'], environment)).toBe(`godwit-client ${isOver ? '2.0.0' : '1.4.0'}\n`)
      if (!isOver) expect(await upgrade('')).toBeNull()
      expect(await runTool(program, ['--version'], environment)).toBe('godwit-client 2.0.0\n')
      await runTool(program, ['stop'], environment)
      await expect.poll(view, SOON).toMatchObject({ state: 'none' })
    },
    60_000,
  )
})
