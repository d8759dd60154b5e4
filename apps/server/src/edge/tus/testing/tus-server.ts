import path from 'node:path'
import { encodePassword } from '@godwit/contract'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { afterAll, beforeAll, expect } from 'vitest'

export const CHUNK = { 'content-type': 'application/offset+octet-stream' }
export type Sent = Readonly<Record<string, string>>

/** The value of `Upload-Metadata` that says this. */
export function metadata(entries: Sent): string {
  return Object.entries(entries)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

/** One server for a whole file of cases, with a session of its administrator and the requests of tus 1.0. */
export function tusServer() {
  let server: Godwit
  let token: string

  beforeAll(async () => {
    server = await launchGodwit({ flags: ['--upload-max-bytes', '50000000'] })
    const { account, password } = server.administrator
    const answer = await fetch(`${server.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ account, password: encodePassword(password) }),
    })
    token = ((await answer.json()) as { data: { token: string } }).data.token
  })
  afterAll(async () => server.stop())

  const send = (method: string, where: string, headers: Sent = {}, body?: Uint8Array<ArrayBuffer>) =>
    fetch(new URL(where, server.url), {
      method,
      headers: { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers },
      ...(body === undefined ? {} : { body }),
    })
  let names = 0
  const newName = () => `file-${names++}.bin`
  const create = async (size: number, more: Sent = {}) => {
    const upload = { 'upload-length': String(size), 'upload-metadata': metadata({ filename: newName() }) }
    const answer = await send('POST', '/files/uploads', { ...upload, ...more })
    expect(answer.status).toBe(201)
    return answer.headers.get('location') ?? ''
  }
  const onDisk = (name: string) => path.join(server.data, 'files/users/admin', name)
  const offsetAt = async (where: string) => (await send('HEAD', where)).headers.get('upload-offset')

  return {
    get url(): string {
      return server.url
    },
    get token(): string {
      return token
    },
    /** Folder of its data. */
    get data(): string {
      return server.data
    },
    ...{ send, newName, create, onDisk, offsetAt },
  }
}
