import { resolve } from 'node:path'
import { encodePassword } from '@godwit/contract/passwords'
import { FULL_PERMISSION } from '@godwit/contract/permissions'
import { type Godwit, launch } from '@godwit/testkit'

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
