import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { encodePassword } from '@godwit/contract/passwords'
import { FULL_PERMISSION } from '@godwit/contract/permissions'
import { type Godwit, launch, run } from '@godwit/testkit'

const CLIENT = resolve(import.meta.dirname, '../../apps/client/bin/godwit-client.ts')

async function post(godwit: Godwit, path: string, body: object, token = ''): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
  const response = await fetch(new URL(path, godwit.url), { method: 'POST', headers, body: JSON.stringify(body) })
  return ((await response.json()) as { readonly data: Record<string, string> }).data
}

/** For a program of the administrator. */
export async function apiToken(godwit: Godwit): Promise<string> {
  const { account, password: text } = godwit.administrator
  const password = encodePassword(text)
  const { token = '' } = await post(godwit, '/api/user/login', { account, password })
  const wanted = { name: 'client', permission: FULL_PERMISSION, days: 1, password }
  return (await post(godwit, '/api/user/api-tokens', wanted, token))['token'] ?? ''
}

export interface UploadOptions {
  /** Where the client keeps what it knows. */
  readonly home: string
  /** Left out: the client has signed in. */
  readonly token?: string
  /** Such as `1M`. */
  readonly rate: string
}

/** Runs `godwit-client up FILE /`. Resolves when it is connected; `ended` resolves with its exit code. */
export async function startUpload({ url }: Godwit, file: string, { home, token, rate }: UploadOptions) {
  const signedIn = token === undefined ? {} : { GODWIT_SERVER: url, GODWIT_TOKEN: token }
  const words = ['up', file, '/', '--rate', rate, '--json'] as const
  return launch([process.execPath, CLIENT, ...words], {
    env: { GODWIT_CLIENT_HOME: home, ...signedIn },
    isReady: (output) => output.includes('"event":"path"'),
  })
}

/** A dialog of the desktop in which `chosen` is always chosen. @param tools a folder that programs are looked for in */
export async function installDialog(tools: string, chosen: string): Promise<void> {
  await mkdir(tools, { recursive: true })
  await writeFile(join(tools, 'zenity'), `#!/bin/sh\necho "${chosen}"\n`, { mode: 0o755 })
}

/**
 * Signs a client in and runs it as the background of a desktop whose dialog always chooses `chosen`.
 * @returns the folder of its downloads, and its end
 */
export async function startDesktop(godwit: Godwit, home: string, chosen: string) {
  const tools = join(home, 'tools')
  await installDialog(tools, chosen)
  const { address, ended } = await startLogin(godwit, home)
  const { account, password: text } = godwit.administrator
  const password = encodePassword(text)
  const { token = '' } = await post(godwit, '/api/user/login', { account, password })
  const userCode = new URL(address).searchParams.get('device') ?? ''
  await post(godwit, '/api/user/device-login/decide', { userCode, isAllowed: true, password }, token)
  await ended
  const env = {
    GODWIT_CLIENT_HOME: home,
    // A display that nothing is drawn on: the dialog is the script.
    ...{ DISPLAY: ':none', WAYLAND_DISPLAY: '', PATH: `${tools}:${process.env['PATH']}` },
  }
  const downloads = join(home, 'downloads')
  await run([process.execPath, CLIENT, 'folders', 'downloads', downloads], { env })
  const isReady = (output: string): boolean => output.includes('"event":"connected"')
  return { downloads, program: await launch([process.execPath, CLIENT, 'run', '--json'], { env, isReady }) }
}

/** Runs `godwit-client login`. Resolves with the address that a person is to open. */
export async function startLogin({ url }: Godwit, home: string) {
  let address = ''
  const program = await launch([process.execPath, CLIENT, 'login', url, '--json'], {
    env: { GODWIT_CLIENT_HOME: home },
    isReady(output) {
      address = /"url":"([^"]+)"/.exec(output)?.[1] ?? ''
      return address !== ''
    },
  })
  return { address, ended: program.ended }
}

/** Runs a command of the client to its end. @returns what it reported last */
export async function runClient(home: string, ...words: readonly string[]): Promise<Record<string, unknown>> {
  let said = ''
  const program = await launch([process.execPath, CLIENT, '--json', ...words], {
    env: headless(home),
    isReady(output) {
      said = output
      return output.includes('\n')
    },
  })
  await program.ended
  return JSON.parse(said.trim().split('\n').at(-1) ?? '{}') as Record<string, unknown>
}

/** Signs a client in, hands it uploads if there are any, and runs it in the background of a computer without a desktop. */
export async function startUploads(godwit: Godwit, home: string, files: readonly string[]) {
  await mkdir(home, { recursive: true })
  const tokenFile = join(home, 'token')
  await writeFile(tokenFile, await apiToken(godwit))
  await runClient(home, 'login', godwit.url, '--token-file', tokenFile)
  // Slow enough to be looked at.
  await writeFile(join(home, 'preferences.json'), JSON.stringify({ rateMbps: 2 }))
  if (files.length > 0) await runClient(home, 'up', ...files, '/', '--later')
  return launch([process.execPath, CLIENT, 'run', '--json'], {
    env: headless(home),
    isReady: (output) => output.includes('"event":"running"'),
  })
}

/** Nothing of the person who runs the tests changes, and no browser opens. */
function headless(home: string): Record<string, string> {
  const folders = { XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'share') }
  return { GODWIT_CLIENT_HOME: home, ...folders, DISPLAY: '', WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: '' }
}
