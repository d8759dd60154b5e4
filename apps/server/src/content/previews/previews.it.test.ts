import fs from 'node:fs'
import path from 'node:path'
import { PERMISSION } from '@godwit/contract'
import { hostileFiles, pngOf } from '@godwit/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

const HOSTILE = hostileFiles('http://canary.invalid/ran')
/** What a browser draws by itself; everything else leaves as bytes. */
const DRAWN = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp|x-icon|svg\+xml)|video\/[\w-]+|audio\/[\w-]+)$/

let site: Site
let token: string

beforeAll(async () => {
  site = await openSite()
  await site.addUser('mei')
  token = (await site.signIn('mei')).token
  fs.mkdirSync(site.home('mei'), { recursive: true })
  for (const { name, content } of HOSTILE) fs.writeFileSync(path.join(site.home('mei'), name), content)
})
afterAll(async () => site[Symbol.asyncDispose]())

async function previewUrl(file: string, by = token): Promise<string> {
  return String((await site.call(by, 'preview', { path: file })).data['url'])
}

describe('hostile files', () => {
  it('are forty and more (T36, T39)', () => expect(HOSTILE.length).toBeGreaterThanOrEqual(40))

  it.each(HOSTILE)('$name is shown as $view, and sent so that nothing of it runs', async ({ name, view, content }) => {
    const { data } = await site.call(token, 'preview', { path: `/${name}` })
    expect(data['view']).toBe(view)
    const answer = await site.ask({ path: String(data['url']) })
    expect(answer.status).toBe(200)
    expect(answer.body.equals(content)).toBe(true)
    const { headers } = answer
    const type = String(headers['content-type'])
    if (view === 'image' || view === 'video' || view === 'audio') expect(type).toMatch(DRAWN)
    else expect(type).toBe('application/octet-stream')
    expect(headers).toMatchObject({
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['content-disposition']).toMatch(/^attachment/)
  })
})

describe('the link of a preview', () => {
  it('answers a range, and only of its own file', async () => {
    fs.writeFileSync(path.join(site.home('mei'), 'a.png'), pngOf(4, 4))
    const url = await previewUrl('/a.png')
    const part = await site.ask({ path: url, headers: { range: 'bytes=1-3' } })
    expect([part.status, part.text, part.headers['content-type']]).toEqual([206, 'PNG', 'image/png'])
    const other = await site.ask({ path: `${url}&path=%2Fpage.html` })
    expect(other.body.equals(pngOf(4, 4))).toBe(true)
  })

  it('is refused without the right to download, as the download is', async () => {
    await site.addUser('lister', { permission: PERMISSION.list })
    fs.mkdirSync(site.home('lister'), { recursive: true })
    fs.writeFileSync(path.join(site.home('lister'), 'a.txt'), 'text')
    const lister = await site.signIn('lister')
    expect((await site.call(lister.token, 'preview', { path: '/a.txt' })).code).toBe(1008)
    expect((await site.call(lister.token, 'ticket', { paths: ['/a.txt'] })).code).toBe(1008)
  })

  it('ends with the right, although it was made before', async () => {
    await site.addUser('leaver')
    fs.mkdirSync(site.home('leaver'), { recursive: true })
    fs.writeFileSync(path.join(site.home('leaver'), 'a.txt'), 'text')
    const leaver = await site.signIn('leaver')
    const url = await previewUrl('/a.txt', leaver.token)
    expect((await site.ask({ path: url })).text).toBe('text')
    await site.withDatabase(({ db }) =>
      db.updateTable('users').set({ permission: PERMISSION.list }).where('account', '=', 'leaver').execute(),
    )
    expect((await site.ask({ path: url })).code).toBe(1008)
  })

  it('is not there for a folder, for what is missing, or with a ticket of one’s own making', async () => {
    fs.mkdirSync(path.join(site.home('mei'), 'folder'))
    expect((await site.call(token, 'preview', { path: '/folder' })).code).toBe(5103)
    expect((await site.call(token, 'preview', { path: '/missing.png' })).code).toBe(5100)
    const guessed = await site.ask({ path: '/api/files/preview/content?ticket=guessed' })
    expect(guessed.status).toBe(400)
  })
})
