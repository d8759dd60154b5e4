import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { freePort, launchGodwit } from '@godwit/testkit'
import type { TlsSubject } from '../loads/tls.ts'
import { call, inParallel, json } from '../wire.ts'
import type { Rival } from './rival.types.ts'

const PARTS_AT_ONCE = 4
const FILES_PER_PACK = 500

export interface GodwitRival extends Rival {
  readonly url: string
  readonly authorization: Readonly<Record<string, string>>
}

type Post = <T>(route: string, value: unknown) => Promise<T>
/** This product with a certificate that signs itself. */
export async function godwitTls(data: string): Promise<TlsSubject & AsyncDisposable> {
  const port = await freePort()
  const env = { GODWIT_LOG_LEVEL: 'error', GODWIT_TLS_PORT: String(port), GODWIT_TLS_SELF_SIGNED: 'on' }
  const server = await launchGodwit({ data, env })
  const folder = path.join(data, 'files/users', server.administrator.account)
  fs.mkdirSync(folder, { recursive: true })
  const url = `https://127.0.0.1:${port}`
  return {
    ...{ name: 'godwit', pid: server.pid, folder, headers: await signIn(server) },
    at: (name) => ({ download: `${url}/api/files/content?path=/${name}`, upload: `${url}/dav/personal/${name}` }),
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

type Server = Awaited<ReturnType<typeof launchGodwit>>

/** This product, with every acknowledged byte durable. */
export async function godwit(data: string): Promise<GodwitRival> {
  const server = await launchGodwit({ data, env: { GODWIT_LOG_LEVEL: 'error' } })
  const authorization = await signIn(server)
  const folder = path.join(data, 'files/users', server.administrator.account)
  fs.mkdirSync(folder, { recursive: true })
  const agent = new http.Agent({ keepAlive: true })
  const post: Post = async <T>(route: string, value: unknown): Promise<T> => {
    const { body, headers } = json(value)
    const answer = await call({
      method: 'POST',
      url: server.url + route,
      body,
      headers: { ...headers, ...authorization },
      agent,
    })
    return (JSON.parse(answer.body.toString()) as { data: T }).data
  }
  return {
    name: 'godwit',
    pid: server.pid,
    folder,
    url: server.url,
    authorization,
    async upload(name, size) {
      const upload = await post<{ uploadId: string; partSize: number }>('/api/uploads', {
        folder: '/',
        filename: name,
        size,
      })
      const { uploadId, partSize } = upload
      await inParallel(Math.ceil(size / partSize), PARTS_AT_ONCE, async (index) => {
        const offset = index * partSize
        const url = `${server.url}/api/uploads/${uploadId}/parts/${offset}`
        await call({ method: 'PUT', url, headers: authorization, size: Math.min(partSize, size - offset), agent })
      })
      await post(`/api/uploads/${uploadId}/complete`, {})
    },
    async uploadMany(target, count, size) {
      await post('/api/files/mkdir', { folder: '/', name: target })
      const content = Buffer.alloc(size, 5)
      await inParallel(Math.ceil(count / FILES_PER_PACK), 2, async (pack) => {
        const first = pack * FILES_PER_PACK
        const frames = Array.from({ length: Math.min(FILES_PER_PACK, count - first) }, (_, index) =>
          packFrame(`f${first + index}.bin`, content),
        )
        const url = `${server.url}/api/uploads/pack?folder=/${target}`
        const headers = { ...authorization, 'content-type': 'application/octet-stream' }
        const answer = await call({ method: 'POST', url, headers, body: Buffer.concat(frames), agent })
        const { results } = (
          JSON.parse(answer.body.toString()) as { data: { results: ReadonlyArray<{ code: number }> } }
        ).data
        if (results.some(({ code }) => code !== 200)) throw new Error('a file of the pack was refused')
      })
    },
    download: (name) =>
      Promise.resolve({
        url: `${server.url}/api/files/content?path=/${encodeURIComponent(name)}`,
        headers: authorization,
      }),
    list: (name) => listWhole(post, `/${name}`),
    async [Symbol.asyncDispose]() {
      agent.destroy()
      await server.stop()
    },
  }
}

async function signIn({ url, administrator }: Server): Promise<Readonly<Record<string, string>>> {
  const { account, password } = administrator
  const credentials = json({ account, password: Buffer.from(password).toString('base64') })
  const signedIn = await call({ method: 'POST', url: `${url}/api/user/login`, ...credentials })
  const { token } = (JSON.parse(signedIn.body.toString()) as { data: { token: string } }).data
  return { authorization: `Bearer ${token}` }
}

/** A file as a pack carries it. */
function packFrame(relativePath: string, content: Buffer): Buffer {
  const header = Buffer.from(JSON.stringify({ relativePath, size: content.length }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(header.length)
  return Buffer.concat([length, header, content])
}

async function listWhole(post: Post, folder: string) {
  const begun = performance.now()
  let firstMs = 0
  let entries = 0
  let cursor: string | null = null
  do {
    const limit: number = cursor === null ? 500 : 20_000
    const page: { names: string[]; next: string | null } = await post('/api/files/columns', { folder, cursor, limit })
    if (entries === 0) firstMs = performance.now() - begun
    entries += page.names.length
    cursor = page.next
  } while (cursor !== null)
  return { firstMs, wholeMs: performance.now() - begun, entries }
}
