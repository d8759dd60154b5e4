import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { doors, TUS } from './testing/doors.ts'
import { openSite, type Site } from './testing/sites.ts'
import { signedInSocket } from './testing/sockets.ts'
import type { Login } from './testing/wire.ts'

/** What a canary holds; it may never appear in an answer. */
const SECRET = 'the canary sings only outside'
const PROGRAM = path.join(import.meta.dirname, '../../../..')

/** Ways to write "one folder up", in every spelling that some filter missed once. */
const UPS = [
  '..',
  '..\\',
  '%2e%2e',
  '%252e%252e',
  '..%2f',
  '..%5c',
  '.%00.',
  '..;',
  '\u2025',
  '\uff0e\uff0e',
  '\u002e\u0307\u002e',
  '..\u2044',
  '..\u2215',
  '..\uff0f',
  '..\u29f8',
  '\u00c0\u00ae\u00c0\u00ae',
  '....//',
  '..././',
  '..\0',
  '.. ',
  '..\t',
  '%c0%ae%c0%ae',
  '%uff0e%uff0e',
  '\u200b..',
  '..\u202e',
]

describe('paths that lead outside', () => {
  let site: Site
  let mei: Login
  let outside = ''
  let before = ''
  let texts: readonly string[] = []
  const heard: string[] = []
  const listener = http.createServer((request, response) => {
    heard.push(request.url ?? '')
    response.end()
  })

  beforeAll(async () => {
    site = await openSite()
    await site.addUser('mei')
    await site.addUser('tom')
    mei = await site.signIn('mei')
    const tom = await site.signIn('tom')
    outside = fs.mkdtempSync(path.join(os.tmpdir(), 'godwit-canary-'))
    const canaries = [
      path.join(outside, 'canary'),
      path.join(site.data, 'canary'),
      path.join(site.data, 'files/canary'),
    ]
    for (const canary of canaries) fs.writeFileSync(canary, SECRET)
    await site.upload(tom.token, 'canary', Buffer.from(SECRET))
    await site.upload(mei.token, 'a', Buffer.from('own'))
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
    const { port } = listener.address() as AddressInfo
    texts = [
      ...hostilePaths(),
      `http://127.0.0.1:${port}/`,
      `file://${outside}/canary`,
      `\\\\127.0.0.1@${port}\\x`,
      `|curl http://127.0.0.1:${port}/`,
      `$(curl http://127.0.0.1:${port}/)`,
    ]
    before = snapshot()
  })
  afterAll(async () => {
    listener.close()
    fs.rmSync(outside, { recursive: true })
    await site[Symbol.asyncDispose]()
  })

  function hostilePaths(): string[] {
    const targets = [
      path.join(outside, 'canary'),
      path.join(site.data, 'canary'),
      '/etc/passwd',
      'C:\\Windows\\win.ini',
      'canary',
      'tom/canary',
      'users/tom/canary',
      'godwit.db',
    ]
    const climbs = UPS.flatMap((up) => [2, 8].map((depth) => `${up}/`.repeat(depth)))
    const backwards = climbs.map((climb) => climb.replaceAll('/', '\\'))
    const endings = ['tom/canary', 'canary', 'godwit.db', `..${path.join(outside, 'canary')}`]
    const built = [...climbs, ...backwards].flatMap((climb, index) =>
      endings.slice(0, index < 8 ? 4 : 1).flatMap((end) => [`/${climb}${end}`, climb + end]),
    )
    return [
      ...targets,
      ...built,
      '/.godwit/parts',
      '/.GODWIT/parts',
      '/a/../../tom/canary',
      '/a\0/../tom',
      '\ud800',
      '/\udfff/x',
      '/con/../../x',
      `/${'a/'.repeat(3000)}`,
      `/${'x'.repeat(300)}`,
      '~/canary',
      '~root/.bashrc',
    ]
  }

  /** Everything that must stay as it is: names, sizes and times outside of mei's own folder. */
  function snapshot(): string {
    const seen: string[] = []
    const walk = (folder: string): void => {
      for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
        const at = path.join(folder, entry.name)
        if (/\/(users\/mei|\.godwit)$|godwit\.db(-wal|-shm)?$/.test(at)) continue
        if (entry.isDirectory()) walk(at)
        else seen.push(`${at} ${fs.statSync(at).size} ${fs.statSync(at).mtimeMs}`)
      }
    }
    for (const folder of [outside, site.data, path.join(PROGRAM, 'apps/server/bin'), path.join(PROGRAM, 'docs/api')])
      walk(folder)
    return seen.join('\n')
  }

  it('reach nothing through any field of any door (T01, T02, T06, T11, T34)', { timeout: 300_000 }, async () => {
    const leaks: string[] = []
    let tried = 0
    for (const { name, question } of doors()) {
      // These end the session.
      if (/^auth\.(logout|changePassword)/.test(name)) continue
      for (const text of texts) {
        for (const asked of withText(question, text)) {
          const answer = await site.ask({ ...asked, token: mei.token }).catch(() => undefined)
          tried++
          if (answer?.text.includes(SECRET) || answer?.text.includes('root:x:') || (answer?.status ?? 0) >= 500) {
            leaks.push(`${name} ${JSON.stringify(text)}: ${answer?.status} ${answer?.text.slice(0, 200)}`)
          }
        }
      }
    }
    expect(leaks).toEqual([])
    expect(tried).toBeGreaterThan(3_000)
    expect(snapshot()).toBe(before)
    expect(heard).toEqual([])
  })

  it('reach nothing over the file socket (T01, T02, T11)', async () => {
    const leaks: string[] = []
    let socket = await signedInSocket(site.url, mei.token)
    for (const { name, question } of doors().filter((door) => door.name.startsWith('files.'))) {
      for (const text of texts.slice(0, 120)) {
        for (const asked of withText(question, text)) {
          const reply = await socket.ask({ type: 'call', operation: name.slice('files.'.length), input: asked.json })
          if (JSON.stringify(reply).includes(SECRET)) leaks.push(`${name} ${text}`)
          if (socket.socket.readyState !== socket.socket.OPEN) socket = await signedInSocket(site.url, mei.token)
        }
      }
    }
    socket.socket.terminate()
    expect(leaks).toEqual([])
    expect(snapshot()).toBe(before)
  })

  it('reach nothing as ids and names in paths, tickets and tus metadata (T01, T06)', async () => {
    const wrong: string[] = []
    for (const text of texts) {
      const encoded = encodeURIComponent(text.toWellFormed())
      const metadata = `filename ${Buffer.from(text).toString('base64')},relativePath ${Buffer.from(`x/${text}`).toString('base64')},folder ${Buffer.from('/').toString('base64')}`
      for (const question of [
        { method: 'GET', path: `/api/uploads/${encoded}` },
        { method: 'PUT', path: `/api/uploads/${encoded}/parts/0`, body: 'x' },
        { method: 'DELETE', path: `/api/uploads/${encoded}` },
        { method: 'HEAD', path: `/files/uploads/${encoded}`, headers: TUS },
        { method: 'DELETE', path: `/files/uploads/${encoded}`, headers: TUS },
        { method: 'GET', path: `/api/files/content?path=${encoded}` },
        { method: 'GET', path: `/api/files/content?path=/${encoded}` },
        { method: 'GET', path: `/api/files/content?ticket=${encoded}` },
        { method: 'GET', path: `/docs/${encoded}` },
        { method: 'GET', path: `/assets/${encoded}` },
        { method: 'GET', path: `/api/docs/files/${encoded}` },
        {
          method: 'POST',
          path: '/files/uploads',
          headers: { ...TUS, 'upload-length': '5', 'upload-metadata': metadata },
        },
      ]) {
        const answer = await site.ask({ ...question, token: mei.token }).catch(() => undefined)
        if (answer === undefined) continue
        if (answer.text.includes(SECRET) || answer.text.includes('root:x:') || answer.status >= 500)
          wrong.push(`${question.path} ${answer.status}`)
      }
    }
    expect(wrong).toEqual([])
    expect(snapshot()).toBe(before)
  })

  it('are not followed where the storage holds links that lead outside (T07)', async () => {
    const home = site.home('mei')
    fs.symlinkSync(outside, path.join(home, 'link'))
    fs.symlinkSync(path.join(outside, 'canary'), path.join(home, 'link.txt'))
    const answers = [
      await site.call(mei.token, 'list', { folder: '/link' }),
      await site.call(mei.token, 'list', { folder: '/' }),
      await site.call(mei.token, 'copy', { paths: ['/link', '/link.txt'], target: '/' }),
      await site.call(mei.token, 'remove', { paths: ['/link/canary'] }),
      await site.call(mei.token, 'attributes', { paths: ['/link'] }),
      await site.call(mei.token, 'rename', { path: '/link', oldName: 'canary', newName: 'gone' }),
      await site.upload(mei.token, 'planted', Buffer.from('x'), '/link'),
      await site.ask({ path: '/api/files/content?path=/link.txt', token: mei.token }),
      await site.ask({ path: '/api/files/content?path=/link/canary', token: mei.token }),
      await site.ask({ path: '/api/files/content?path=/', token: mei.token }),
    ]
    for (const { body } of answers) expect(body.includes(SECRET)).toBe(false)
    expect(snapshot()).toBe(before)
  })
})

/** The question with the text in place of each of its strings, one after the other. */
function withText<T extends { readonly json?: unknown }>(question: T, text: string): T[] {
  const body = question.json as Readonly<Record<string, unknown>> | undefined
  return Object.entries(body ?? {}).flatMap(([field, value]) => {
    if (typeof value === 'string') return [{ ...question, json: { ...body, [field]: text } }]
    return Array.isArray(value) ? [{ ...question, json: { ...body, [field]: [text] } }] : []
  })
}
