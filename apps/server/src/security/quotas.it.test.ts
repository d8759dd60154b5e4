import fs from 'node:fs'
import path from 'node:path'
import { MiB } from '@godwit/base'
import { mariadbUrl } from '@godwit/testkit/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TUS } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { exchange, type Answer, type Login } from './testing/wire.ts'

const QUOTA = 10 * MiB

/** Bytes of all visible and recycled files of an account on the disk. */
function storedBytes(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath, entry.name)).size, 0)
}

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`quotas and races on ${engine}`, () => {
    let site: Site

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
    })
    afterAll(async () => site[Symbol.asyncDispose]())

    async function begin(account: string): Promise<Login> {
      await site.addUser(account, { quotaBytes: QUOTA })
      return site.signIn(account)
    }

    it('200 uploads at once never keep a byte more than the quota (T45, T47)', async () => {
      const { token } = await begin('many')
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => site.upload(token, `f${index}`, Buffer.alloc(MiB / 2))),
      )
      expect(answers.filter(({ code }) => code === 200)).toHaveLength(20)
      expect(answers.filter(({ code }) => code === 5210)).toHaveLength(180)
      expect(storedBytes(site.home('many'))).toBe(QUOTA)
    })

    it('tus, packs, copies and parts share one quota (T45)', async () => {
      const { token } = await begin('mixed')
      await site.upload(token, 'base', Buffer.alloc(MiB))
      const frame = (name: string): Buffer => {
        const header = Buffer.from(JSON.stringify({ relativePath: name, size: MiB }))
        const length = Buffer.alloc(4)
        length.writeUInt32BE(header.length)
        return Buffer.concat([length, header, Buffer.alloc(MiB)])
      }
      const tus = (name: string): Promise<Answer> => {
        const metadata = `filename ${Buffer.from(name).toString('base64')}`
        const headers = {
          ...TUS,
          'upload-length': MiB,
          'upload-metadata': metadata,
          'content-type': 'application/offset+octet-stream',
        }
        return site.ask({ method: 'POST', path: '/files/uploads', token, headers, body: Buffer.alloc(MiB) })
      }
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          if (index % 4 === 0) return site.upload(token, `part${index}`, Buffer.alloc(MiB))
          if (index % 4 === 1) return tus(`tus${index}`)
          if (index % 4 === 2) return site.call(token, 'copy', { paths: ['/base'], target: '/', conflict: 'keep-both' })
          return site.ask({ method: 'POST', path: '/api/uploads/pack?folder=/', token, body: frame(`pack${index}`) })
        }),
      )
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      expect(storedBytes(site.home('mixed'))).toBeLessThanOrEqual(QUOTA)
      expect(storedBytes(site.home('mixed'))).toBeGreaterThan(QUOTA - 2 * MiB)
    })

    it('parts that lie about their length, or come again and again, add nothing (T45)', async () => {
      const { token } = await begin('liar')
      const json = { folder: '/', filename: 'small', size: 10 }
      const { data } = await site.ask({ method: 'POST', path: '/api/uploads', token, json })
      const at = (offset: number | string) => `/api/uploads/${String(data['uploadId'])}/parts/${offset}`
      for (const [offset, bytes] of [
        [0, MiB],
        [10, 1],
        [2 ** 40, 1],
        [5, 10],
      ] as const) {
        expect(
          (await site.ask({ method: 'PUT', path: at(offset), token, body: Buffer.alloc(bytes) })).code,
          `${offset}+${bytes}`,
        ).not.toBe(200)
      }
      await Promise.all(
        Array.from({ length: 20 }, () =>
          site.ask({ method: 'PUT', path: at(0), token, body: Buffer.alloc(10) }).catch(() => undefined),
        ),
      )
      const done = await site.ask({
        method: 'POST',
        path: `/api/uploads/${String(data['uploadId'])}/complete`,
        token,
        json: {},
      })
      expect(done.code === 200 || done.code === 5206 || done.status === 400).toBe(true)
      const info = await site.ask({ path: '/api/user/info', token })
      expect((info.data['user'] as unknown as { usedBytes: number }).usedBytes).toBeLessThanOrEqual(10)
    })

    it('impossible sizes and offsets are refused by both protocols, and leave nothing (T46)', async () => {
      const { token } = await begin('numbers')
      // That the space of an earlier test is nearly full may be told meanwhile.
      const ofOthers = ['notices', 'outbox']
      const before = await site.databaseHash(ofOthers)
      for (const size of [-1, 1.5, 2 ** 53, 1e30, '10', null, [], {}, true]) {
        const json = { folder: '/', filename: 'x', size }
        expect((await site.ask({ method: 'POST', path: '/api/uploads', token, json })).code, JSON.stringify(size)).toBe(
          400,
        )
      }
      for (const raw of ['NaN', 'Infinity', '-0.5', '1e400', '0x10', '+1']) {
        const body = `{"folder":"/","filename":"x","size":${raw}}`
        const headers = { 'content-type': 'application/json' }
        expect((await site.ask({ method: 'POST', path: '/api/uploads', token, body, headers })).code, raw).toBe(400)
      }
      const name = `filename ${Buffer.from('x').toString('base64')}`
      for (const length of [
        '-1',
        '-0',
        '1e3',
        '9007199254740992',
        '9223372036854775808',
        'NaN',
        'Infinity',
        '0x10',
        '1.5',
        '+1',
        ' ',
        '1,2',
        '1 2',
        '٣',
      ]) {
        const lines = `Upload-Length: ${length}\r\nUpload-Metadata: ${name}\r\nTus-Resumable: 1.0.0\r\nContent-Length: 0`
        const received = await exchange(
          site.url,
          Buffer.from(
            `POST /files/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${lines}\r\nConnection: close\r\n\r\n`,
          ),
        )
        expect(received, length).toMatch(/^HTTP\/1\.1 4\d\d /)
      }
      const twice = `POST /files/uploads HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nUpload-Length: 1\r\nUpload-Length: 2\r\nUpload-Metadata: ${name}\r\nTus-Resumable: 1.0.0\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
      expect(await exchange(site.url, twice)).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(await site.databaseHash(ofOthers)).toBe(before)
      const json = { folder: '/', filename: 'y', size: 10 }
      const { data } = await site.ask({ method: 'POST', path: '/api/uploads', token, json })
      for (const offset of [
        '-1',
        '1e1',
        'NaN',
        '9007199254740993',
        '99999999999999999999',
        '0x0',
        '1.0',
        '%31%00',
        '',
      ]) {
        const answer = await site.ask({
          method: 'PUT',
          path: `/api/uploads/${String(data['uploadId'])}/parts/${offset}`,
          token,
          body: 'x',
        })
        expect([400, 404], offset).toContain(answer.status)
      }
    })

    it('creates never overwrite, however many come at once (T47, T48)', async () => {
      const { token } = await begin('creators')
      const made = await Promise.all(
        Array.from({ length: 100 }, () => site.call(token, 'mkdir', { folder: '/', name: 'one' })),
      )
      expect(made.filter(({ code }) => code === 200)).toHaveLength(1)
      const uploads = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          const json = { folder: '/', filename: 'same', size: 1, resume: false, conflict: 'fail' }
          const created = await site.ask({ method: 'POST', path: '/api/uploads', token, json })
          if (created.code !== 200) return created
          const at = `/api/uploads/${String(created.data['uploadId'])}`
          await site.ask({ method: 'PUT', path: `${at}/parts/0`, token, body: String.fromCodePoint(65 + index) })
          return site.ask({ method: 'POST', path: `${at}/complete`, token, json: {} })
        }),
      )
      expect(uploads.filter(({ code }) => code === 200)).toHaveLength(1)
      expect(uploads.filter(({ status }) => status >= 500)).toEqual([])
      const winner = uploads.findIndex(({ code }) => code === 200)
      expect(fs.readFileSync(path.join(site.home('creators'), 'same'), 'utf8')).toBe(String.fromCodePoint(65 + winner))
    })
  })
}
