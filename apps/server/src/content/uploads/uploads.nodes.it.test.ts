import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { ERRORS } from '@godwit/contract'
import type { TemporaryBucket } from '@godwit/storage/testing'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from '../../start-app.ts'
import { loadConfig } from '../../kernel/config/index.ts'
import { connectDatabase, type Database } from '../../kernel/db/index.ts'
import { createLog } from '../../kernel/log.ts'
import { TUS } from '../../security/testing/doors.ts'
import { keepFilesInBucket } from '../../testing/bucket-storages.ts'
import { ask, signIn, type Answer, type Question } from '../../security/testing/wire.ts'
import { rootOfBytes } from '../tree-hashes/index.ts'

const PASSWORD = 'Sunrise-42x'
/** The least that S3 takes as a part. */
const PART = 5 * MiB
const NODES = ['first', 'second'] as const

function contentOf(name: string, size: number): Buffer {
  return createHash('shake256', { outputLength: size }).update(name).digest()
}

describe('two servers on one MariaDB and one S3 bucket', () => {
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-nodes-'))
  let bucket: TemporaryBucket
  let database: Database
  let apps: readonly App[]
  let token: string

  beforeAll(async () => {
    const url = await mariadbUrl()
    database = connectDatabase(url)
    const [first = '', second = ''] = NODES.map((node) => path.join(data, node))
    bucket = await keepFilesInBucket({ GODWIT_DATA: first, GODWIT_DATABASE_URL: url })
    // Every node opens the sealed secrets of the one database.
    fs.cpSync(path.join(first, 'keys'), path.join(second, 'keys'), { recursive: true })
    const start = (node: string) => {
      const environment = {
        ...{ GODWIT_DATA: path.join(data, node), GODWIT_DATABASE_URL: url, GODWIT_PORT: '0' },
        ...{ GODWIT_UPLOAD_PART_BYTES: String(PART), GODWIT_ADMIN_ACCOUNT: 'admin', GODWIT_ADMIN_PASSWORD: PASSWORD },
      }
      const { config } = loadConfig({ environment, flags: {}, readSecret: () => '' })
      return startApp({ config, log: createLog('silent'), web: undefined, documentation: undefined })
    }
    // One after the other: both would make the first administrator.
    apps = [await start('first'), await start('second')]
    token = (await signIn(apps[0]?.url ?? '', 'admin', PASSWORD)).token
  })
  afterAll(async () => {
    for (const app of apps) await app.stop()
    await database.close()
    await bucket.store[Symbol.asyncDispose]()
    fs.rmSync(data, { recursive: true })
  })

  const send = (node: number, question: Question): Promise<Answer> =>
    ask(apps[node % NODES.length]?.url ?? '', { token, ...question })
  const create = async (filename: string, size: number) => {
    const json = { folder: '/', filename, size, resume: false, conflict: 'fail' }
    return String((await send(0, { method: 'POST', path: '/api/uploads', json })).data['uploadId'])
  }
  const put = (node: number, id: string, at: number, body: Buffer) =>
    send(node, { method: 'PUT', path: `/api/uploads/${id}/parts/${at}`, body })
  const complete = (node: number, id: string) =>
    send(node, { method: 'POST', path: `/api/uploads/${id}/complete`, json: {} })
  const read = async (node: number, name: string) =>
    (await send(node, { path: `/api/files/content?path=/${name}` })).body
  const usage = async () => {
    const row = await database.db.selectFrom('quotas').selectAll().executeTakeFirst()
    return [Number(row?.used_bytes ?? 0), Number(row?.reserved_bytes ?? 0)]
  }
  const usedBy = async (work: () => Promise<void>) => {
    const [before = 0] = await usage()
    await work()
    const [after = 0, reserved] = await usage()
    return [after - before, reserved]
  }

  it('complete an upload whose parts go to both at once', async () => {
    const size = 5 * PART + 77
    const content = contentOf('parts', size)
    const booked = await usedBy(async () => {
      const id = await create('parts', size)
      const starts = Array.from({ length: 6 }, (_, index) => index * PART)
      const answers = await Promise.all(starts.map((at, index) => put(index, id, at, content.subarray(at, at + PART))))
      expect(answers.map(({ code }) => code)).toEqual(starts.map(() => 200))
      const status = await send(0, { path: `/api/uploads/${id}` })
      expect(status.data['ranges']).toEqual([[0, size]])
      const done = await complete(1, id)
      expect([done.code, done.data['hash']]).toEqual([200, rootOfBytes(content)])
      expect((await complete(0, id)).data).toEqual(done.data)
    })
    expect(booked).toEqual([size, 0])
    expect((await read(0, 'parts')).equals(content)).toBe(true)
  })

  it('complete an upload once, however many ask both', async () => {
    const content = contentOf('once', PART + 1)
    const booked = await usedBy(async () => {
      const id = await create('once', content.length)
      await put(0, id, 0, content.subarray(0, PART))
      await put(1, id, PART, content.subarray(PART))
      const answers = await Promise.all([0, 1, 0, 1].map((node) => complete(node, id)))
      for (const answer of answers) expect(answer.data).toEqual(answers[0]?.data)
      expect(answers[0]?.code).toBe(200)
    })
    expect(booked).toEqual([content.length, 0])
  })

  it('take one part that is sent to both: one of them, or the same twice', async () => {
    const content = contentOf('twice', 2 * PART)
    const id = await create('twice', content.length)
    const answers = await Promise.all([0, 1, 0, 1].map((node) => put(node, id, 0, content.subarray(0, PART))))
    const codes = answers.map(({ code }) => code)
    expect(codes).toContain(200)
    for (const code of codes) expect([200, ERRORS.UPLOAD_BUSY.wire]).toContain(code)
    expect((await put(1, id, PART, content.subarray(PART))).code).toBe(200)
    expect((await complete(0, id)).data['hash']).toBe(rootOfBytes(content))
    expect((await read(1, 'twice')).equals(content)).toBe(true)
  })

  it('name the same gaps, and refuse the parts of an upload that the other one gave up', async () => {
    const content = contentOf('given up', 2 * PART)
    const booked = await usedBy(async () => {
      const id = await create('given-up', content.length)
      await put(0, id, PART, content.subarray(PART))
      const refused = await complete(1, id)
      expect(refused.code).toBe(ERRORS.UPLOAD_INCOMPLETE.wire)
      expect((await send(1, { method: 'DELETE', path: `/api/uploads/${id}` })).code).toBe(200)
      expect((await put(0, id, 0, content.subarray(0, PART))).code).toBe(ERRORS.UPLOAD_NOT_FOUND.wire)
    })
    expect(booked).toEqual([0, 0])
  })

  it('go on where the other one stopped, by tus', async () => {
    const size = PART + 700_001
    const content = contentOf('tus', size)
    const headers = {
      ...TUS,
      'upload-length': String(size),
      'upload-metadata': `filename ${Buffer.from('tus').toString('base64')}`,
    }
    const { headers: made } = await send(0, { method: 'POST', path: '/files/uploads', headers })
    const location = String(made.location)
    let node = 0
    for (let at = 0; at < size; at += 1_500_000) {
      node++
      const body = content.subarray(at, at + 1_500_000)
      const head = await send(node, { method: 'HEAD', path: location, headers: TUS })
      expect(head.headers['upload-offset']).toBe(String(at))
      const chunk = { ...TUS, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) }
      const answer = await send(node, { method: 'PATCH', path: location, headers: chunk, body })
      expect([answer.status, answer.headers['upload-offset']]).toEqual([204, String(at + body.length)])
    }
    expect((await read(1, 'tus')).equals(content)).toBe(true)
  })

  it('leave no lease behind', async () => {
    expect(await database.db.selectFrom('intake_leases').selectAll().execute()).toEqual([])
  })
})
