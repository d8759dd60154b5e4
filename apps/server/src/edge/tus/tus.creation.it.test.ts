import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { naughtyStrings } from '@godwit/testkit'
import { describe, expect, it } from 'vitest'
import { CHUNK, metadata, tusServer, type Sent } from './testing/tus-server.ts'

describe('tus 1.0', () => {
  const server = tusServer()
  const { send, newName, create, onDisk, offsetAt } = server

  const call = async (operation: string, input: object) => {
    const answer = await fetch(`${server.url}/api/files/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    return (await answer.json()) as { code: number; data: unknown }
  }

  describe('creation', () => {
    it('answers 401 without a token and 401 with a wrong one', async () => {
      for (const authorization of ['', 'Bearer wrong', 'Basic YTpi']) {
        expect((await send('POST', '/files/uploads', { authorization, 'upload-length': '1' })).status).toBe(401)
      }
    })

    it('answers location and expiry, and HEAD gives back metadata and offset', async () => {
      const header = `${metadata({ filename: '报告 2026.pdf' })},is_confidential`
      const answer = await send('POST', '/files/uploads', { 'upload-length': '960244', 'upload-metadata': header })
      expect(answer.status).toBe(201)
      expect(Date.parse(answer.headers.get('upload-expires') ?? '')).toBeGreaterThan(Date.now())
      const head = await send('HEAD', answer.headers.get('location') ?? '')
      expect(head.status).toBe(200)
      expect(head.headers.get('upload-metadata')).toBe(header)
      expect(head.headers.get('upload-offset')).toBe('0')
      expect(head.headers.get('upload-length')).toBe('960244')
      expect(head.headers.get('cache-control')).toBe('no-store')
    })

    it('takes each naughty string as a name, byte for byte, or refuses it with a code (SECURITY, row 20)', async () => {
      const made = new Map<string, string>()
      await call('mkdir', { folder: '/', name: 'naughty' })
      // An empty name is none: the upload then gets one of its own.
      const given = naughtyStrings().filter((name) => name !== '')
      for (const [at, filename] of given.entries()) {
        const content = Buffer.from(`${at}`)
        const upload = {
          'upload-length': String(content.length),
          'upload-metadata': metadata({ filename, folder: '/naughty' }),
        }
        const answer = await send('POST', '/files/uploads', { ...CHUNK, ...upload }, content)
        if (answer.status === 201) made.set(filename.normalize('NFC'), `${at}`)
        else {
          const { code } = (await answer.json()) as { code: number }
          expect([400, 5101, 5104, 5106], `${JSON.stringify(filename)}: ${answer.status} ${code}`).toContain(code)
        }
      }
      const { data } = await call('columns', { folder: '/naughty', limit: 1000 })
      expect((data as { names: string[] }).names.toSorted()).toEqual([...made.keys()].toSorted())
      for (const [name, content] of made) {
        expect(await fs.promises.readFile(onDisk(`naughty/${name}`), 'utf8')).toBe(content)
      }
    })

    it('refuses lengths that are none', async () => {
      for (const length of ['-1', '-0', '1e3', '1.5', '9007199254740992', '9223372036854775808', 'NaN', '', '1, 1']) {
        expect((await send('POST', '/files/uploads', { 'upload-length': length })).status).toBe(400)
      }
      expect((await send('POST', '/files/uploads')).status).toBe(400)
      const both = { 'upload-length': '1', 'upload-defer-length': '1' }
      expect((await send('POST', '/files/uploads', both)).status).toBe(400)
      expect((await send('POST', '/files/uploads', { 'upload-defer-length': '2' })).status).toBe(400)
    })

    it('answers 413 above the limit', async () => {
      expect((await send('POST', '/files/uploads', { 'upload-length': '50000001' })).status).toBe(413)
    })

    it('refuses metadata that is not key and base64', async () => {
      for (const header of ['no sir', 'a b c', 'a YQ==,a YQ==', 'ключ YQ==', 'filename /w==']) {
        const sent = { 'upload-length': '1', 'upload-metadata': Buffer.from(header).toString('latin1') }
        expect((await send('POST', '/files/uploads', sent)).status).toBe(400)
      }
    })

    it('takes the bytes with the creation', async () => {
      const body = randomBytes(5000)
      const where = { 'upload-length': '5000', 'upload-metadata': metadata({ filename: 'with.bin' }) }
      const answer = await send('POST', '/files/uploads', { ...where, ...CHUNK }, body)
      expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '5000'])
      expect(fs.readFileSync(onDisk('with.bin')).equals(body)).toBe(true)
    })

    it('gives an upload without a name one of its own', async () => {
      const answer = await send('POST', '/files/uploads', { 'upload-length': '3', ...CHUNK }, randomBytes(3))
      expect(answer.status).toBe(201)
      expect(fs.readdirSync(onDisk('.')).some((name) => name.startsWith('upload-'))).toBe(true)
    })

    it('refuses a taken name unless told what to do', async () => {
      const sent = (entries: Sent) =>
        send(
          'POST',
          '/files/uploads',
          { 'upload-length': '3', 'upload-metadata': metadata({ filename: 'taken.txt', ...entries }), ...CHUNK },
          Buffer.from('abc'),
        )
      expect((await sent({})).status).toBe(201)
      const refused = await sent({})
      expect([refused.status, ((await refused.json()) as { code: number }).code]).toEqual([400, 5101])
      expect((await sent({ conflict: 'keep-both' })).status).toBe(201)
      expect((await sent({ conflict: 'skip' })).status).toBe(201)
      expect((await sent({ conflict: 'replace' })).status).toBe(201)
      expect((await sent({ conflict: 'whatever' })).status).toBe(400)
      expect(fs.readdirSync(onDisk('.')).filter((name) => name.startsWith('taken'))).toEqual([
        'taken (1).txt',
        'taken.txt',
      ])
    })

    it('puts the file where folder and relativePath say', async () => {
      const entries = { filename: 'x.txt', relativePath: 'a/b/x.txt' }
      await create(0, { 'upload-metadata': metadata(entries) })
      expect(fs.existsSync(onDisk('a/b/x.txt'))).toBe(true)
      await create(0, { 'upload-metadata': metadata({ filename: 'y.txt', folder: '/a/b', relativePath: 'null' }) })
      expect(fs.existsSync(onDisk('a/b/y.txt'))).toBe(true)
      const out = { 'upload-length': '0', 'upload-metadata': metadata({ filename: '../../y.txt' }) }
      expect((await send('POST', '/files/uploads', out)).status).toBe(400)
    })

    it('takes the length later', async () => {
      const answer = await send('POST', '/files/uploads', {
        'upload-defer-length': '1',
        'upload-metadata': metadata({ filename: 'later.bin' }),
      })
      const where = answer.headers.get('location') ?? ''
      expect((await send('HEAD', where)).headers.get('upload-defer-length')).toBe('1')
      const body = randomBytes(3000)
      await send('PATCH', where, { ...CHUNK, 'upload-offset': '0' }, body.subarray(0, 1000))
      const last = { ...CHUNK, 'upload-offset': '1000', 'upload-length': '3000' }
      expect((await send('PATCH', where, last, body.subarray(1000))).status).toBe(204)
      expect(fs.readFileSync(onDisk('later.bin')).equals(body)).toBe(true)
    })
  })

  describe('a creation that carries bytes and fails', () => {
    const open = async () => {
      const answer = await fetch(`${server.url}/api/uploads`, { headers: { authorization: `Bearer ${server.token}` } })
      return ((await answer.json()) as { data: { items: unknown[] } }).data.items.length
    }

    it('leaves nothing behind when nothing of it was kept', async () => {
      const before = await open()
      const creation = { 'upload-length': '3', ...CHUNK }
      const sha256 = metadata({ filename: newName(), sha256: '0'.repeat(64) })
      for (const headers of [
        { 'upload-metadata': metadata({ filename: newName() }), 'upload-checksum': 'md5 AAAA' },
        { 'upload-metadata': sha256 },
      ]) {
        const answer = await send('POST', '/files/uploads', { ...creation, ...headers }, randomBytes(3))
        expect([answer.status, answer.headers.get('location')]).toEqual([460, null])
      }
      expect(await open()).toBe(before)
    })

    it('says where to go on when its bytes were kept', async () => {
      const filename = newName()
      const creation = { 'upload-length': '3', 'upload-metadata': metadata({ filename }), ...CHUNK }
      const before = await open()
      // The name is free when the creation looks, and taken when the last byte is there.
      async function* slowly() {
        yield new Uint8Array([1])
        while ((await open()) === before) await sleep(10)
        fs.writeFileSync(onDisk(filename), 'from outside')
        yield new Uint8Array([2, 3])
      }
      const answer = await fetch(`${server.url}/files/uploads`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.token}`, 'tus-resumable': '1.0.0', ...creation },
        body: ReadableStream.from(slowly()),
        duplex: 'half',
      })
      expect(answer.status).toBe(400)
      const where = answer.headers.get('location') ?? ''
      fs.rmSync(onDisk(filename))
      expect(await offsetAt(where)).toBe('3')
      expect([...fs.readFileSync(onDisk(filename))]).toEqual([1, 2, 3])
    })
  })
})
