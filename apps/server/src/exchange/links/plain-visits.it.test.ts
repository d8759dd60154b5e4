import { execFile } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { mariadbUrl } from '@godwit/testkit/engines'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'
import { openSharing, visit, type Sharing } from './testing/guests.ts'

interface Ran {
  readonly exit: number
  readonly out: string
}

/** Runs the real program of a guest. */
function run(program: 'curl' | 'wget', args: readonly string[], cwd: string): Promise<Ran> {
  return new Promise((resolve) => {
    // Without their own settings, and without a proxy of this machine.
    const env = { PATH: process.env['PATH'], HOME: cwd, no_proxy: '*' }
    const child = execFile(program, args, { cwd, env, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ exit: typeof error?.code === 'number' ? error.code : 0, out: stdout === '' ? stderr : stdout })
    })
    child.stdin?.end()
  })
}

for (const engine of ['SQLite', 'MariaDB'] as const) {
  describe(`a link for curl and wget on ${engine}`, () => {
    let site: Site
    let mei: Sharing
    let here: string

    beforeAll(async () => {
      site = await openSite(engine === 'SQLite' ? {} : { databaseUrl: await mariadbUrl() })
      mei = await openSharing(site, 'mei')
      mei.put('plans/a.txt', 'alpha')
      mei.put('plans/deep/c.txt', 'gamma')
      fs.mkdirSync(path.join(mei.home, 'inbox'))
      here = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-plain-'))
    })
    afterAll(async () => {
      fs.rmSync(here, { recursive: true, force: true })
      await site[Symbol.asyncDispose]()
    })

    const curl = (...args: readonly string[]) => run('curl', ['-sS', ...args], here)
    const at = (id: string, rest = '') => `${site.url}/share/${id}${rest}`
    const read = (name: string) => fs.readFileSync(path.join(here, name), 'utf8')
    const password = { needPassword: true, shareUrlPasswd: 'rose' }
    const invite = (more: object = {}) =>
      mei.link({ shareUrlType: 0, shareServerPath: '/', shareFiles: ['inbox'], ...more })

    it('gives the one file it shares, by name and by range, to whoever has the password', async () => {
      const id = await mei.link({ shareServerPath: '/plans', shareFiles: ['a.txt'], ...password })
      const asked = await curl('-w', '%{http_code} %header{www-authenticate}', at(id))
      expect(asked.out).toBe('Enter the password of this link.\n401 Basic realm="link", charset="UTF-8"')
      expect((await curl('-OJ', '-u', ':rose', at(id))).exit).toBe(0)
      expect(read('a.txt')).toBe('alpha')
      expect((await curl('-u', 'guest:rose', '-r', '2-3', at(id))).out).toBe('ph')
      expect((await curl('-H', 'X-Link-Password: rose', at(id, '/a.txt'))).out).toBe('alpha')
      expect((await curl('-I', '-u', ':rose', at(id))).out).toMatch(/200 OK[^]*content-length: 5/i)
      fs.writeFileSync(path.join(here, 'cut.txt'), 'al')
      await curl('-u', ':rose', '-C', '-', '-o', 'cut.txt', at(id))
      expect(read('cut.txt')).toBe('alpha')
      const wget = ['-q', '--content-disposition', '--user=guest', '--password=rose', at(id)]
      expect(await run('wget', wget, here)).toMatchObject({ exit: 0 })
      expect(fs.readdirSync(here).toSorted()).toEqual(['a.txt', 'a.txt.1', 'cut.txt'])
      const wrong = await curl('-w', '%{http_code}', '-u', ':wrong', at(id))
      expect(wrong.out).toBe('The password is wrong. Enter it again.\n401')
      const chinese = await curl('-H', 'Accept-Language: zh-CN', at(id))
      expect(chinese.out).toBe('请输入链接密码。\n')
    })

    it('gives several files as one zip, a folder inside by its path, and the page to a browser', async () => {
      const id = await mei.link({ shareServerPath: '/plans' })
      await curl('-o', 'all.zip', at(id))
      expect(read('all.zip').slice(0, 2)).toBe('PK')
      expect((await curl(at(id, '/deep/c.txt'))).out).toBe('gamma')
      expect((await curl('-w', '%{http_code}', at(id, '/deep/none.txt'))).out).toMatch(/\n404$/)
      expect((await curl('-w', '%{http_code}', at(id, '/../../secret.txt'), '--path-as-is')).out).toMatch(/\n40[04]$/)
      expect((await curl('-w', '%{http_code}', at('0'.repeat(32)))).out).toMatch(/^This link does not exist.*\n404$/)
      const page = await curl('-H', 'Accept: text/html', '-w', '%{content_type}', '-o', '/dev/null', at(id))
      expect(page.out).not.toMatch(/zip|plain/)
    })

    it('goes on in the middle of a zip with curl and wget, counts it once, and never mixes two versions of it', async () => {
      mei.put('films/one.bin', Buffer.alloc(300_000, 'one'))
      mei.put('films/第二/two.bin', Buffer.alloc(200_000, 'two'))
      const id = await mei.link({ shareServerPath: '/films' })
      await curl('-o', 'films.zip', at(id))
      const whole = fs.readFileSync(path.join(here, 'films.zip'))
      for (const [length, ...words] of [
        [123_456, 'curl', '-sS', '-C', '-', '-o', 'rest.zip'],
        [400_321, 'wget', '-q', '-c', '-O', 'rest.zip'],
      ] as const) {
        fs.writeFileSync(path.join(here, 'rest.zip'), whole.subarray(0, length))
        const [program, ...args] = words
        expect(await run(program, [...args, at(id)], here)).toMatchObject({ exit: 0 })
        expect(fs.readFileSync(path.join(here, 'rest.zip')).equals(whole)).toBe(true)
      }
      const uses = async () => (await mei.look(`uses?url=${id}`)).data['items']
      await expect.poll(uses).toMatchObject([{ kind: 'download', files: ['/'], whole: true }])
      expect((await mei.look(`download/count?sid=${id}`)).data).toEqual({ count: 1 })
      mei.put('films/one.bin', Buffer.alloc(300_000, 'new'))
      fs.writeFileSync(path.join(here, 'rest.zip'), whole.subarray(0, 1_000))
      // 33: the server did not go on, so nothing was written.
      expect(await curl('-C', '-', '-o', 'rest.zip', at(id))).toMatchObject({ exit: 33 })
      expect(fs.readFileSync(path.join(here, 'rest.zip')).equals(whole.subarray(0, 1_000))).toBe(true)
      expect((await curl('-I', at(id))).out).toMatch(/accept-ranges: bytes[^]*content-length: 500566/i)
    })

    it('waits longer after each wrong password, as the page does', async () => {
      const id = await mei.link({ shareServerPath: '/plans', ...password })
      for (let guess = 0; guess < 5; guess++) await curl('-u', ':wrong', at(id))
      const sixth = await curl('-w', '%{http_code} %header{retry-after}', '-u', ':rose', at(id))
      expect(sixth.out).toMatch(/\n429 \d+$/)
    })

    it('says in one line why it opens in a browser alone', async () => {
      const links = [
        [{ bindSwitch: true }, 'This link opens only in a browser, because it is bound'],
        [{ audience: { kind: 'everyone' } }, 'This link is for people of this site.'],
      ] as const
      for (const [terms, text] of links) {
        const { out } = await curl('-w', '%{http_code}', at(await mei.link({ shareServerPath: '/plans', ...terms })))
        expect(out).toContain(text)
        expect(out).toMatch(/^[^\n]+\n403$/)
      }
      const guestForm = { terms: 'Drawings only', fields: [] }
      const { out } = await curl('-T', '-', at(await invite({ guestForm }), '/x.txt'))
      expect(out).toMatch(/^Open this link in a browser\. .*\n$/)
    })

    it('takes a file, or one whose size nobody knows, under a name that is free', async () => {
      const id = await invite(password)
      fs.writeFileSync(path.join(here, 'offer.txt'), 'an offer')
      const sent = await curl('-w', '%{http_code}', '-u', ':rose', '-T', 'offer.txt', at(id, '/'))
      expect(sent.out).toMatch(/^\/offer\.txt 8 bytes BLAKE3 [0-9a-f]{64}\n201$/)
      expect((await curl('-u', ':rose', '-T', 'offer.txt', at(id, '/'))).out).toMatch(/^\/offer \(1\)\.txt /)
      expect((await curl('-u', ':rose', '-T', 'offer.txt', at(id, '/lot%201/'))).out).toMatch(/^\/lot 1\/offer\.txt /)
      const chunked = ['-u', ':rose', '-H', 'Transfer-Encoding: chunked', '-T', 'offer.txt', at(id, '/chunked.txt')]
      expect((await curl(...chunked)).out).toMatch(/^\/chunked\.txt 8 bytes/)
      const inbox = path.join(mei.home, 'inbox')
      expect(fs.readFileSync(path.join(inbox, 'lot 1/offer.txt'), 'utf8')).toBe('an offer')
      await expect
        .poll(async () => (await mei.look(`uses?url=${id}`)).data['items'])
        .toMatchObject([
          {
            kind: 'upload',
            files: ['/offer.txt', '/offer (1).txt', '/lot 1/offer.txt', '/chunked.txt'],
            fileCount: 4,
            bytes: 32,
          },
        ])
    })

    it('refuses what is no upload of a guest, and nothing of it stays', async () => {
      const id = await invite(password)
      const refused = async (...args: readonly string[]) => (await curl('-w', '%{http_code}', ...args)).out
      fs.writeFileSync(path.join(here, 'refused.txt'), 'refused')
      expect(await refused('-T', 'refused.txt', at(id, '/'))).toMatch(/^Enter the password.*\n401$/)
      expect(await refused('-u', ':rose', at(id))).toMatch(/^This link takes files and gives none.*\n405$/)
      expect(await refused('-u', ':rose', '-X', 'PUT', '-d', 'x', at(id))).toMatch(
        /^The name of the file is missing.*\n400$/,
      )
      const part = ['-H', 'Content-Range: bytes 0-6/9', '-T', 'refused.txt', at(id, '/')]
      expect(await refused('-u', ':rose', ...part)).toMatch(/\n416$/)
      const shares = await mei.link({ shareServerPath: '/plans' })
      expect(await refused('-T', 'refused.txt', at(shares, '/'))).toMatch(/\n403$/)
      await mei.own('cancel', { shareUrlList: [id] }, 'PATCH')
      expect(await refused('-u', ':rose', '-T', 'refused.txt', at(id, '/'))).toMatch(/\n410$/)
      expect(fs.readdirSync(path.join(mei.home, 'inbox'))).not.toContain('refused.txt')
    })

    it('takes files by tus with the token of a visit, into the folder of the link alone', async () => {
      const guest = await visit(site, await invite())
      const file = Buffer.from('drawn by a guest')
      await new Promise<void>((resolve, reject) => {
        const upload = new Upload(file, {
          endpoint: `${site.url}/files/uploads`,
          headers: { authorization: `Bearer ${guest.token}` },
          metadata: { filename: 'drawing.txt', folder: '/', relativePath: 'lot 2/drawing.txt', conflict: 'replace' },
          chunkSize: 8,
          retryDelays: null,
          onSuccess: () => resolve(),
          onError: reject,
        })
        upload.start()
      })
      await expect.poll(() => guest.list('/lot 2')).toEqual(['/lot 2/drawing.txt'])
      expect(fs.readFileSync(path.join(mei.home, 'inbox/lot 2/drawing.txt'), 'utf8')).toBe('drawn by a guest')
      const outside = await site.ask({
        method: 'POST',
        path: '/files/uploads',
        token: guest.token,
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '1',
          'upload-metadata': `filename eA==,folder ${Buffer.from('/../plans').toString('base64')}`,
        },
      })
      expect(outside.status).toBe(400)
    })
  })
}
