import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { crc32 } from 'node:zlib'
import { Upload, type UploadOptions } from 'tus-js-client'
import { describe, expect, it } from 'vitest'
import { CHUNK, metadata, tusServer, type Sent } from './testing/tus-server.ts'

const run = promisify(execFile)

describe('tus 1.0', () => {
  const server = tusServer()
  const { send, newName, create, onDisk, offsetAt } = server

  describe('what the server says of itself', () => {
    it('names version, extensions, checksums and limit, with no version asked', async () => {
      const answer = await send('OPTIONS', '/files/uploads', { 'tus-resumable': '' })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('tus-version')).toBe('1.0.0')
      expect(answer.headers.get('tus-max-size')).toBe('50000000')
      expect(answer.headers.get('tus-checksum-algorithm')).toBe('sha1,sha256,md5,crc32')
      expect(answer.headers.get('tus-extension')?.split(',')).toEqual(
        expect.arrayContaining(['creation', 'creation-with-upload', 'termination', 'checksum', 'expiration']),
      )
    })

    it('answers 412 to another version or none', async () => {
      for (const version of ['', '0.2.2', '1.0.0, 1.0.0']) {
        const answer = await send('POST', '/files/uploads', { 'tus-resumable': version, 'upload-length': '1' })
        expect(answer.status).toBe(412)
        expect(answer.headers.get('tus-version')).toBe('1.0.0')
      }
    })

    it('reports what it refuses with a code and a text', async () => {
      const where = await create(3)
      await send('DELETE', where)
      const answers = await Promise.all([
        send('POST', '/files/uploads', { 'tus-resumable': '0.2.2', 'upload-length': '1' }),
        send('PUT', '/files/uploads'),
        send('PATCH', where, { 'upload-offset': '0', 'content-type': 'text/plain' }),
        send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }),
        send('DELETE', where),
      ])
      expect(answers.map(({ status }) => status)).toEqual([412, 405, 415, 410, 410])
      const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as Array<{
        code: number
        message: string
      }>
      expect(bodies.map(({ code }) => code)).toEqual([5113, 5006, 5007, 5200, 5200])
      for (const { message } of bodies) expect(message).toMatch(/\w+ \w+/)
    })

    it('answers 405 to methods it does not know', async () => {
      expect((await send('PUT', '/files/uploads')).status).toBe(405)
      expect((await send('GET', await create(5))).status).toBe(405)
    })
  })

  describe('PATCH', () => {
    it('answers 404 without an id and for ids that nobody has', async () => {
      for (const where of ['/files/uploads/', '/files/uploads/dont_exist', `/files/uploads/${'0'.repeat(32)}`]) {
        const answer = await send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }, randomBytes(1))
        expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([404, '1.0.0'])
        expect((await send('HEAD', where)).status).toBe(404)
        expect((await send('DELETE', where)).status).toBe(404)
      }
    })

    it('moves the offset and keeps the expiry until the file is whole', async () => {
      const where = await create(10)
      const first = await send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }, randomBytes(4))
      expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '4'])
      expect(first.headers.has('upload-expires')).toBe(true)
      const last = await send('PATCH', where, { ...CHUNK, 'upload-offset': '4' }, randomBytes(6))
      expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '10'])
      expect(last.headers.has('upload-expires')).toBe(false)
      expect(await offsetAt(where)).toBe('10')
    })

    it('answers 409 to another offset, 415 to another type, 400 to none, and changes nothing', async () => {
      const where = await create(10)
      const patch = (headers: Sent) => send('PATCH', where, headers, randomBytes(3))
      expect((await patch({ ...CHUNK, 'upload-offset': '3' })).status).toBe(409)
      expect((await patch({ 'upload-offset': '0', 'content-type': 'application/octet-stream' })).status).toBe(415)
      expect((await patch(CHUNK)).status).toBe(400)
      expect((await patch({ ...CHUNK, 'upload-offset': '-1' })).status).toBe(400)
      expect(await offsetAt(where)).toBe('0')
    })

    it('answers 413 to more than was announced', async () => {
      const where = await create(10)
      const answer = await send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }, randomBytes(11))
      expect(answer.status).toBe(413)
      expect(await offsetAt(where)).toBe('0')
    })

    it('works through a POST that names the method', async () => {
      const where = await create(4)
      const headers = { ...CHUNK, 'upload-offset': '0', 'x-http-method-override': 'PATCH' }
      expect((await send('POST', where, headers, randomBytes(4))).status).toBe(204)
    })

    it('checks sha1, sha256, md5 and crc32, and answers 460 to other bytes', async () => {
      const body = randomBytes(100_000)
      const sum = Buffer.alloc(4)
      sum.writeUInt32BE(crc32(body))
      const digest = (name: string) => createHash(name).update(body).digest('base64')
      const sums = { sha1: digest('sha1'), sha256: digest('sha256'), md5: digest('md5'), crc32: sum.toString('base64') }
      for (const [algorithm, value] of Object.entries(sums)) {
        const where = await create(body.length)
        const headers = { ...CHUNK, 'upload-offset': '0', 'upload-checksum': `${algorithm} ${value}` }
        const flipped = Buffer.from(body)
        flipped[5] = (flipped[5] ?? 0) ^ 1
        expect((await send('PATCH', where, headers, flipped)).status).toBe(460)
        expect(await offsetAt(where)).toBe('0')
        expect((await send('PATCH', where, headers, body)).status).toBe(204)
      }
      const where = await create(1)
      const unknown = { ...CHUNK, 'upload-offset': '0', 'upload-checksum': 'sha3 AAAA' }
      expect((await send('PATCH', where, unknown, randomBytes(1))).status).toBe(400)
    })

    it('answers 460 when the whole is not what sha256 announced', async () => {
      const header = metadata({ filename: newName(), sha256: '0'.repeat(64) })
      const where = await create(3, { 'upload-metadata': header })
      expect((await send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }, randomBytes(3))).status).toBe(460)
      expect(await offsetAt(where)).toBe('0')
    })
  })

  describe('termination', () => {
    it('answers 204, then 410, and gives the space back', async () => {
      const where = await create(1_000_000)
      await send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }, randomBytes(10))
      expect((await send('DELETE', where)).status).toBe(204)
      expect((await send('HEAD', where)).status).toBe(410)
      expect((await send('PATCH', where, { ...CHUNK, 'upload-offset': '10' }, randomBytes(1))).status).toBe(410)
    })

    it('never removes a file that is complete', async () => {
      const where = await create(0, { 'upload-metadata': metadata({ filename: 'kept.txt' }) })
      expect((await send('DELETE', where)).status).toBe(404)
      expect(fs.existsSync(onDisk('kept.txt'))).toBe(true)
    })
  })

  describe('concatenation', () => {
    it('joins partial uploads in order, and takes no bytes for the final one', async () => {
      const [a, b] = [randomBytes(70_000), randomBytes(1_200_003)]
      const parts = await Promise.all(
        [a, b].map(async (body) => {
          const where = await create(body.length, { 'upload-concat': 'partial' })
          await send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }, body)
          return where
        }),
      )
      expect((await send('HEAD', parts[0] ?? '')).headers.get('upload-concat')).toBe('partial')
      const joined = await send('POST', '/files/uploads', {
        'upload-concat': `final;${parts.join(' ')}`,
        'upload-metadata': metadata({ filename: 'joined.bin' }),
      })
      expect(joined.status).toBe(201)
      expect(fs.readFileSync(onDisk('joined.bin')).equals(Buffer.concat([a, b]))).toBe(true)
      const where = joined.headers.get('location') ?? ''
      const head = await send('HEAD', where)
      expect(head.headers.get('upload-concat')).toBe(`final;${parts.join(' ')}`)
      expect(head.headers.get('upload-length')).toBe(String(a.length + b.length))
      expect((await send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }, randomBytes(1))).status).toBe(403)
    })

    it('refuses to join what is not whole or not there', async () => {
      const where = await create(10, { 'upload-concat': 'partial' })
      for (const concat of [`final;${where}`, 'final;/files/uploads/none', 'final;', 'other']) {
        expect((await send('POST', '/files/uploads', { 'upload-concat': concat })).status).toBe(400)
      }
    })
  })

  describe('tus-js-client, unchanged', () => {
    const upload = async (body: Buffer, options: Partial<UploadOptions> = {}) => {
      const filename = newName()
      const sha256 = createHash('sha256').update(body).digest('hex')
      await new Promise<void>((resolve, reject) => {
        const settings: UploadOptions = {
          endpoint: `${server.url}/files/uploads`,
          headers: { authorization: `Bearer ${server.token}` },
          metadata: { filename, sha256 },
          retryDelays: [],
          onError: reject,
          onSuccess: () => resolve(),
          ...options,
        }
        new Upload(body, settings).start()
      })
      expect(fs.readFileSync(onDisk(filename)).equals(body)).toBe(true)
    }

    it('uploads at once, in chunks, with the creation, without a length, in parallel', async () => {
      await upload(randomBytes(0))
      await upload(randomBytes(5_300_001))
      await upload(randomBytes(5_300_001), { chunkSize: 1_000_000 })
      await upload(randomBytes(3_000_000), { uploadDataDuringCreation: true })
      await upload(randomBytes(3_000_000), { uploadLengthDeferred: true, chunkSize: 700_000 })
      await upload(randomBytes(9_000_001), { parallelUploads: 3 })
      await upload(randomBytes(2_000_000), { overridePatchMethod: true })
    })

    it('goes on where it was stopped', async () => {
      const body = randomBytes(8_000_000)
      const filename = newName()
      const settings = (more: Partial<UploadOptions>): UploadOptions => ({
        endpoint: `${server.url}/files/uploads`,
        headers: { authorization: `Bearer ${server.token}` },
        metadata: { filename },
        chunkSize: 1_000_000,
        retryDelays: [],
        ...more,
      })
      const where = await new Promise<string>((resolve, reject) => {
        const first: Upload = new Upload(
          body,
          settings({
            onError: reject,
            onChunkComplete: (_size, accepted) => {
              if (accepted >= 3_000_000) first.abort().then(() => resolve(first.url ?? ''), reject)
            },
          }),
        )
        first.start()
      })
      await new Promise<void>((resolve, reject) => {
        new Upload(body, settings({ uploadUrl: where, onError: reject, onSuccess: () => resolve() })).start()
      })
      expect(fs.readFileSync(onDisk(filename)).equals(body)).toBe(true)
    })
  })

  it('works with curl as the guide writes it', async () => {
    const file = path.join(server.data, 'curl.bin')
    const body = randomBytes(2_000_000)
    fs.writeFileSync(file, body)
    const common = ['-sS', '-i', '-H', 'Tus-Resumable: 1.0.0', '-H', `Authorization: Bearer ${server.token}`]
    const begun = await run('curl', [
      ...common,
      ...['-X', 'POST', '-H', `Upload-Length: ${body.length}`],
      ...['-H', `Upload-Metadata: ${metadata({ filename: 'curl.bin' })}`, `${server.url}/files/uploads`],
    ])
    const where = /^location: (\S+)/im.exec(begun.stdout)?.[1] ?? ''
    const sent = await run('curl', [
      ...common,
      ...['-X', 'PATCH', '-H', 'Upload-Offset: 0', '-H', 'Content-Type: application/offset+octet-stream'],
      ...['--data-binary', `@${file}`, `${server.url}${where}`],
    ])
    expect(sent.stdout).toContain('204')
    expect(fs.readFileSync(onDisk('curl.bin')).equals(body)).toBe(true)
  })
})
