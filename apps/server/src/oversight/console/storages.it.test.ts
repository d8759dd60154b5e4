import fs from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { errorByWire, STORAGE_PROBE_STEPS } from '@godwit/contract'
import { openBucket } from '@godwit/storage/testing'
import { mariadbUrl, s3Access } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '../../security/testing/administrators.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'
import type { Answer } from '../../security/testing/wire.ts'
import { BUSY_MS } from '../../testing/busy-machine.ts'

interface Reply {
  readonly code: number | undefined
  /** Of the error. */
  readonly name: string | undefined
  readonly data: Record<string, unknown>
  readonly text: string
}

async function named(answer: Promise<Answer>): Promise<Reply> {
  const { code, data, text } = await answer
  return { code, name: errorByWire(code ?? 0), data, text }
}

const stepsOf = ({ data }: Reply) => (data['steps'] as ReadonlyArray<{ step: string }>).map(({ step }) => step)

const storageOf = (data: unknown) =>
  (data as { readonly storage: { readonly id: number; readonly revision: number } }).storage

const DATABASES = [
  { name: 'sqlite', url: () => Promise.resolve(undefined) },
  { name: 'mysql', url: mariadbUrl },
]

for (const { name, url } of DATABASES) {
  describe(`storages in the console on ${name}`, () => {
    let site: Site
    let admin = ''
    let deputy = ''
    const folder = (below: string) => path.join(`${site.data}-storages`, below)

    beforeAll(async () => {
      const databaseUrl = await url()
      site = await openSite(databaseUrl === undefined ? {} : { databaseUrl })
      admin = (await site.signIn('admin')).token
      await site.addUser('deputy')
      await administer(site, 'deputy', ['storages.view', 'storages.edit', 'storages.test'])
      deputy = (await site.signIn('deputy')).token
      fs.mkdirSync(folder(''))
    })
    afterAll(async () => {
      fs.rmSync(folder(''), { recursive: true, force: true })
      await site[Symbol.asyncDispose]()
    })

    const send = (method: string, below: string, json?: object, token = admin) =>
      named(site.ask({ method, path: `/api/admin/storages${below}`, token, ...(json === undefined ? {} : { json }) }))

    it('adds, edits and removes a folder, and refuses what is in use naming who uses it', async () => {
      const local = { name: 'Archive', kind: 'local', settings: { folder: folder('archive') } }
      expect(await send('POST', '', local, deputy)).toMatchObject({ name: 'SUPER_ADMIN_ONLY' })
      expect(await send('POST', '/try', local.settings, deputy)).toMatchObject({ name: 'PARAMETER_INVALID' })
      const added = await send('POST', '', local)
      const { id, revision } = storageOf(added.data)
      expect(added.data).toMatchObject({
        storage: { name: 'Archive', hasSecret: false, spaceIds: [], settings: local.settings, revision: 1, error: '' },
      })
      // The proof leaves nothing behind.
      expect(fs.readdirSync(folder('archive'))).toEqual(['.godwit'])
      const proof = await send('POST', `/${id}/test`, {}, deputy)
      expect(stepsOf(proof)).toEqual([...STORAGE_PROBE_STEPS])

      const inside = { ...local, name: 'Inside', settings: { folder: folder('archive/below') } }
      expect(await send('POST', '', inside)).toMatchObject({ name: 'STORAGE_PATH_INVALID' })
      expect(await send('POST', '', { ...local, name: 'ARCHIVE' })).toMatchObject({ name: 'STORAGE_NAME_DUPLICATE' })

      const renamed = await send('PATCH', `/${id}`, { revision, name: 'Old files', isDefault: true }, deputy)
      expect(renamed.data).toMatchObject({ storage: { name: 'Old files', defaultOf: [1], revision: 2 } })
      const late = await send('PATCH', `/${id}`, { revision, name: 'Mine' })
      expect(late).toMatchObject({ name: 'EDIT_CONFLICT', data: { revision: 2, by: ['deputy'] } })
      expect(late.data['changed']).toMatchObject({ name: 'Old files' })

      await site.addUser('keeper')
      const { token } = await site.signIn('keeper')
      await site.ask({ method: 'POST', path: '/api/files/list', token, json: { folder: '/' } })
      expect(fs.existsSync(folder('archive/users'))).toBe(true)
      const asDefault = await send('POST', '/remove', { storageId: id })
      expect(asDefault).toMatchObject({ name: 'STORAGE_DEFAULT_UNDELETABLE', data: { spaces: ['Default'] } })
      await send('PATCH', '/1', { revision: 1, isDefault: true })
      const kept = await send('POST', '/remove', { storageId: id })
      const keepers = [{ kind: 'account', name: 'keeper' }]
      expect(kept).toMatchObject({ name: 'STORAGE_IN_USE', data: { places: 1, keepers } })

      const other = await send('POST', '', { ...local, name: 'Free', settings: { folder: folder('free') } })
      expect(await send('POST', '/remove', { storageId: storageOf(other.data).id }, deputy)).toMatchObject({
        code: 200,
      })
      const log = await named(site.ask({ path: '/api/admin/log/operations?size=50', token: admin }))
      const operations = (log.data['rows'] as Array<{ operation: string; result: string }>)
        .map(({ operation, result }) => `${operation} ${result}`)
        .filter((line) => line.startsWith('storage.'))
      expect(operations).toEqual(
        expect.arrayContaining([
          'storage.add ok',
          'storage.edit ok',
          'storage.remove ok',
          'storage.remove STORAGE_IN_USE',
        ]),
      )
    })

    it('keeps the files where they are when a folder with files is pointed elsewhere', async () => {
      const added = await send('POST', '', { name: 'Second', kind: 'local', settings: { folder: folder('second') } })
      const { id, revision } = storageOf(added.data)
      const moved = await send('PATCH', `/${id}`, { revision, settings: { folder: folder('third') } })
      expect(moved.data).toMatchObject({ storage: { settings: { folder: folder('third') }, revision: 2 } })
      await site.ask({ method: 'POST', path: '/api/files/list', token: deputy, json: { folder: '/' } })
      const used = await send('PATCH', '/1', { revision: 2, settings: { folder: folder('fourth') } })
      expect(used.name).toMatch(/STORAGE_NOT_OURS|STORAGE_CONNECTION_FAILED/)
    })
  })
}

describe('buckets in the console', () => {
  let site: Site
  let admin = ''
  let bucket: Record<string, unknown> = {}
  let secret = ''
  let close: () => PromiseLike<void>

  beforeAll(async () => {
    const access = await s3Access()
    const opened = await openBucket(access)
    close = () => opened.store[Symbol.asyncDispose]()
    const { endpoint, accessKeyId } = access
    secret = access.secretAccessKey
    bucket = {
      endpoint,
      region: 'us-east-1',
      bucket: opened.name,
      accessKeyId,
      pathStyle: true,
      conditionalWrites: false,
    }
    site = await openSite()
    admin = (await site.signIn('admin')).token
  }, 90_000)
  afterAll(async () => {
    await close()
    await site[Symbol.asyncDispose]()
  })

  const send = (method: string, below: string, json: object) =>
    named(site.ask({ method, path: `/api/admin/storages${below}`, token: admin, json }))
  const tryOut = (settings: object, key = secret) =>
    send('POST', '/try', { kind: 's3-compatible', settings: { ...bucket, ...settings }, secret: key })

  it('proves settings, and says which one is wrong', async () => {
    const proof = await tryOut({ prefix: 'try' })
    expect(stepsOf(proof)).toEqual([...STORAGE_PROBE_STEPS])
    const wrong = { name: 'STORAGE_CREDENTIALS_WRONG', data: { step: 'list' } }
    expect(await tryOut({}, 'another-secret')).toMatchObject(wrong)
    expect(await tryOut({ accessKeyId: 'nobody' })).toMatchObject(wrong)
    expect(await tryOut({ bucket: 'godwit-no-such-bucket' })).toMatchObject({ name: 'STORAGE_BUCKET_NOT_FOUND' })
    expect(await tryOut({ endpoint: 'nonsense' })).toMatchObject({
      name: 'PARAMETER_INVALID',
      data: { field: 'endpoint' },
    })
    expect(await tryOut({ sliceMb: 1 })).toMatchObject({
      name: 'STORAGE_SLICE_SIZE_INVALID',
      data: { min: 5 * 2 ** 20 },
    })
    const page = await listening((_request, reply) => reply.end('<html><body>Welcome</body></html>'))
    expect(await tryOut({ endpoint: page.url })).toMatchObject({ name: 'STORAGE_CONNECTION_FAILED' })
    await page.close()
    expect(await tryOut({ endpoint: page.url })).toMatchObject({ name: 'STORAGE_CONNECTION_FAILED' })
    const elsewhere = await listening((_request, reply) => {
      reply.writeHead(400, { 'content-type': 'application/xml' })
      reply.end("<Error><Code>AuthorizationHeaderMalformed</Code><Message>expecting 'eu-west-1'</Message></Error>")
    })
    expect(await tryOut({ endpoint: elsewhere.url })).toMatchObject({ name: 'STORAGE_ENDPOINT_INVALID' })
    await elsewhere.close()
  })

  it('gives up on a service that never answers', async () => {
    const silent = createTcpServer((socket) => socket.on('error', () => undefined))
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
    const { port } = silent.address() as AddressInfo
    const begun = performance.now()
    const refused = await tryOut({ endpoint: `http://127.0.0.1:${port}` })
    expect(refused).toMatchObject({ name: 'STORAGE_CONNECTION_FAILED', data: { step: 'list' } })
    expect(performance.now() - begun).toBeLessThan(10_000 + BUSY_MS)
    silent.close()
  }, 120_000)

  it('never says a secret again, keeps it when it is left out, and stands apart from other prefixes', async () => {
    const wanted = { name: 'Bucket', kind: 's3-compatible', settings: { ...bucket, prefix: 'a/b' }, secret }
    const added = await send('POST', '', wanted)
    const { id, revision } = storageOf(added.data)
    expect(added.data).toMatchObject({ storage: { hasSecret: true, settings: { prefix: 'a/b' } } })
    for (const prefix of ['', 'a', 'a/b', 'a/b/c'])
      expect(await tryOut({ prefix }), prefix).toMatchObject({ name: 'STORAGE_PATH_INVALID' })
    expect(await tryOut({ prefix: 'a/bc' })).toMatchObject({ code: 200 })
    const edited = await send('PATCH', `/${id}`, { revision, settings: { ...wanted.settings, sliceMb: 8 } })
    expect(edited.data).toMatchObject({ storage: { settings: { sliceMb: 8 }, revision: 2 } })
    const again = await send('POST', '/try', { storageId: id, kind: 's3-compatible', settings: wanted.settings })
    expect(again).toMatchObject({ code: 200 })
    const refused = await send('PATCH', `/${id}`, { revision: 2, secret: 'another-secret' })
    expect(refused).toMatchObject({ name: 'STORAGE_CREDENTIALS_WRONG' })
    const seen = await Promise.all(
      ['storages', `storages/${id}`, 'log/operations?size=50'].map((below) =>
        site.ask({ path: `/api/admin/${below}`, token: admin }),
      ),
    )
    for (const { text } of seen) expect(text).not.toContain(secret)
    expect(seen.at(-1)?.text).toContain('***')
    expect(await send('POST', '/remove', { storageId: id })).toMatchObject({ code: 200 })
  })

  it('takes the restrictions of OSS: the bucket in the host name, no conditional writes', async () => {
    const { pathStyle: _, conditionalWrites: __, ...rest } = bucket
    const oss = (settings: object) => send('POST', '/try', { kind: 'oss', settings: { ...rest, ...settings }, secret })
    expect(await oss({ pathStyle: true })).toMatchObject({ name: 'PARAMETER_INVALID', data: { field: 'pathStyle' } })
    expect(await oss({ endpoint: '' })).toMatchObject({ name: 'PARAMETER_INVALID', data: { field: 'endpoint' } })
  })
})

async function listening(
  answer: NonNullable<Parameters<typeof createServer>[1]>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer(answer as never)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}
