import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB } from '@godwit/base'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { pngOf } from '@godwit/testkit'
import { s3Access } from '@godwit/testkit/engines'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type App } from '../../start-app.ts'
import { loadConfig } from '../../kernel/config/index.ts'
import { createLog } from '../../kernel/log.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { ask, signIn, type Answer, type Question } from '../../security/testing/wire.ts'
import { TUS } from '../../security/testing/doors.ts'
import { rootOfBytes } from '../tree-hashes/index.ts'

const PASSWORD = 'Sunrise-42x'
/** The least that S3 takes as a part. */
const PART = 5 * MiB

function contentOf(name: string, size: number): Buffer {
  return createHash('shake256', { outputLength: size }).update(name).digest()
}

describe('a site whose only storage is S3', () => {
  let app: App
  let bucket: TemporaryBucket
  let data: string
  let token: string
  let start: () => Promise<App>

  beforeAll(async () => {
    data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-s3-'))
    bucket = await keepFilesInBucket({ GODWIT_DATA: data })
    const environment = {
      ...{ GODWIT_DATA: data, GODWIT_PORT: '0', GODWIT_UPLOAD_PART_BYTES: String(PART) },
      ...{ GODWIT_ADMIN_ACCOUNT: 'admin', GODWIT_ADMIN_PASSWORD: PASSWORD },
    }
    const { config } = loadConfig({ environment, flags: {}, readSecret: () => '' })
    start = () => startApp({ config, log: createLog('silent'), web: undefined, documentation: undefined })
    app = await start()
    token = (await signIn(app.url, 'admin', PASSWORD)).token
  })
  afterAll(async () => {
    await app.stop()
    await bucket.store[Symbol.asyncDispose]()
    fs.rmSync(data, { recursive: true })
  })

  const restart = async () => {
    await app.stop()
    app = await start()
  }
  const send = (question: Question): Promise<Answer> => ask(app.url, { token, ...question })
  const create = (filename: string, size: number, more: object = {}) =>
    send({ method: 'POST', path: '/api/uploads', json: { folder: '/', filename, size, resume: true, ...more } })
  const part = (id: unknown, at: number, body: Buffer) =>
    send({ method: 'PUT', path: `/api/uploads/${String(id)}/parts/${at}`, body })
  const complete = (id: unknown, json: object = {}) =>
    send({ method: 'POST', path: `/api/uploads/${String(id)}/complete`, json })
  const read = async (file: string) =>
    (await send({ path: `/api/files/content?path=${encodeURIComponent(file)}` })).body
  const upload = async (name: string, size: number, more: object = {}) => {
    const { data: made } = await create(name, size, more)
    const content = contentOf(name, size)
    for (let at = 0; at < size; at += PART) await part(made['uploadId'], at, content.subarray(at, at + PART))
    return complete(made['uploadId'])
  }
  const names = async () => {
    const { data: page } = await send({ method: 'POST', path: '/api/files/list', json: { folder: '/' } })
    return (page['items'] as unknown as Array<{ readonly name: string }>).map(({ name }) => name)
  }

  it.each([0, 1, PART - 1, PART, PART + 1, 2 * PART + 77])(
    'takes %i bytes in parts and gives them back',
    async (size) => {
      const answer = await upload(`size-${size}`, size)
      expect([answer.code, answer.data['size']]).toEqual([200, size])
      expect((await read(`/size-${size}`)).equals(contentOf(`size-${size}`, size))).toBe(true)
    },
  )

  it('takes parts in any order and twice, goes on where it was cut, and answers a completion twice', async () => {
    const size = 3 * PART + 5
    const content = contentOf('order', size)
    const { data: made } = await create('order', size)
    for (const at of [2, 0, 2]) {
      expect((await part(made['uploadId'], at * PART, content.subarray(at * PART, (at + 1) * PART))).code).toBe(200)
    }
    expect((await complete(made['uploadId'])).code).toBe(5204)
    const again = await create('order', size)
    expect(again.data).toMatchObject({
      uploadId: made['uploadId'],
      ranges: [
        [0, PART],
        [2 * PART, 3 * PART],
      ],
    })
    for (const at of [1, 3]) await part(made['uploadId'], at * PART, content.subarray(at * PART, (at + 1) * PART))
    const done = await complete(made['uploadId'])
    expect(done.code).toBe(200)
    expect((await complete(made['uploadId'])).data).toEqual(done.data)
    expect((await read('/order')).equals(content)).toBe(true)
  })

  it('refuses, skips, replaces or keeps both where a name is taken', async () => {
    await upload('taken.txt', 10)
    expect((await create('taken.txt', 11, { conflict: 'fail' })).code).toBe(5101)
    expect((await create('taken.txt', 11, { conflict: 'skip' })).data['state']).toBe('skipped')
    expect((await upload('taken.txt', 12, { conflict: 'replace' })).code).toBe(200)
    expect((await read('/taken.txt')).equals(contentOf('taken.txt', 12))).toBe(true)
    const both = await upload('taken.txt', 13, { conflict: 'keep-both' })
    expect([both.code, both.data['name']]).toEqual([200, 'taken (1).txt'])
    expect((await read('/taken (1).txt')).equals(contentOf('taken.txt', 13))).toBe(true)
    expect((await read('/taken.txt')).equals(contentOf('taken.txt', 12))).toBe(true)
  })

  it('checks a declared tree hash, and refuses a SHA-256, for which it would have to read what nobody may see yet', async () => {
    const content = contentOf('declared', 1000)
    const { data: made } = await create('declared', 1000)
    await part(made['uploadId'], 0, content)
    expect((await complete(made['uploadId'], { hash: '0'.repeat(64) })).code).toBe(5205)
    expect(await names()).not.toContain('declared')
    await part(made['uploadId'], 0, content)
    expect((await complete(made['uploadId'], { hash: rootOfBytes(content) })).code).toBe(200)
    const sha256 = createHash('sha256').update(content).digest('hex')
    expect((await create('summed', 1000, { sha256 })).code).toBe(5113)
  })

  it('takes a tus upload in odd chunks, goes on after a restart, and knows its hash', async () => {
    const size = PART + 700_001
    const content = contentOf('tus', size)
    const filename = `filename ${Buffer.from('tus').toString('base64')}`
    const headers = { ...TUS, 'upload-length': String(size), 'upload-metadata': filename }
    const { headers: made, status } = await send({ method: 'POST', path: '/files/uploads', headers })
    expect(status).toBe(201)
    const location = String(made.location)
    for (let at = 0; at < size; at += 2_000_003) {
      const body = content.subarray(at, at + 2_000_003)
      const chunk = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) }
      const answer = await send({ method: 'PATCH', path: location, headers: chunk, body })
      expect([answer.status, answer.headers['upload-offset']]).toEqual([204, String(at + body.length)])
      const head = await send({ method: 'HEAD', path: location, headers: TUS })
      if (at === 2_000_003) await restart()
      if (at + body.length < size) expect(head.headers['upload-offset']).toBe(String(at + body.length))
    }
    expect((await read('/tus')).equals(content)).toBe(true)
    const known = await send({ path: location.replace('/files/uploads', '/api/uploads') })
    expect(known.data['state']).toBe('completed')
  })

  it('takes a pack, copies, moves, deletes and restores', async () => {
    const header = Buffer.from(JSON.stringify({ relativePath: 'pack/deep/f', size: 3 }))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(header.length)
    const body = Buffer.concat([length, header, Buffer.from('abc')])
    expect((await send({ method: 'POST', path: '/api/uploads/pack?folder=%2F', body })).code).toBe(200)
    const call = (operation: string, json: object) => send({ method: 'POST', path: `/api/files/${operation}`, json })
    await call('mkdir', { folder: '/', name: 'target' })
    expect((await call('copy', { paths: ['/pack'], target: '/target' })).code).toBe(200)
    expect((await call('rename', { path: '/', oldName: 'pack', newName: 'renamed' })).code).toBe(200)
    const removed = await call('remove', { paths: ['/target/pack'] })
    expect(removed.code).toBe(200)
    expect((await call('restore', { recycleIds: removed.data['recycleIds'] })).code).toBe(200)
    expect((await read('/renamed/deep/f')).toString()).toBe('abc')
    expect((await read('/target/pack/deep/f')).toString()).toBe('abc')
  })

  it('zips a folder, and lists what came from outside within seconds', async () => {
    const call = (operation: string, json: object) => send({ method: 'POST', path: `/api/files/${operation}`, json })
    await call('mkdir', { folder: '/', name: 'zipped' })
    const { data: made } = await create('inside', 5, { folder: '/zipped' })
    await part(made['uploadId'], 0, Buffer.from('hello'))
    expect((await complete(made['uploadId'])).code).toBe(200)
    const { data: ticket } = await call('ticket', { paths: ['/zipped'] })
    const zip = await ask(app.url, { path: `/api/files/content?ticket=${String(ticket['ticket'])}` })
    expect([zip.status, zip.body.subarray(0, 2).toString(), zip.body.includes('zipped/inside')]).toEqual([
      200,
      'PK',
      true,
    ])
    const count = async () => Number((await call('list', { folder: '/zipped' })).data['total'])
    expect(await count()).toBe(1)
    const files = [{ key: 'users/admin/zipped/from outside', content: Buffer.from('x') }]
    await bucket.store.writeFiles(files, { conflict: 'fail' })
    await expect.poll(count, { timeout: 30_000 }).toBe(2)
  })

  it('leaves nothing in the data folder but the database and the keys, and no secret in the clear', async () => {
    const { secretAccessKey } = await s3Access()
    expect(fs.readdirSync(data).filter((name) => !/^(keys|godwit\.db.*)$/.test(name))).toEqual([])
    const database = Buffer.concat(
      fs
        .readdirSync(data)
        .filter((name) => name.startsWith('godwit.db'))
        .map((name) => fs.readFileSync(path.join(data, name))),
    )
    expect(database.includes(bucket.name)).toBe(true)
    expect(database.includes(secretAccessKey)).toBe(false)
  })

  it('makes small pictures of pictures, and other ones of what replaces them', async () => {
    for (const width of [300, 20]) {
      const picture = pngOf(width, 10)
      const { data: made } = await create('photo.png', picture.length, { conflict: 'replace' })
      await part(made['uploadId'], 0, picture)
      await complete(made['uploadId'])
      const shown = await send({ path: '/api/files/thumbnail?path=%2Fphoto.png' })
      expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/webp'])
      expect((await sharp(shown.body).metadata()).width).toBe(Math.min(256, width))
    }
  })

  it('forgets an upload that is given up', async () => {
    const { data: made } = await create('given up', PART)
    await part(made['uploadId'], 0, contentOf('given up', PART))
    expect((await send({ method: 'DELETE', path: `/api/uploads/${String(made['uploadId'])}` })).code).toBe(200)
    expect(await names()).not.toContain('given up')
  })
})
