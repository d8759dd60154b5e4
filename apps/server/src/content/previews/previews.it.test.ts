import fs from 'node:fs'
import path from 'node:path'
import { PERMISSION } from '@godwit/contract'
import { HEIC, hostileFiles, pngOf, rawFiles } from '@godwit/testkit'
import sharp from 'sharp'
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

describe('a thumbnail', () => {
  const thumbnail = (file: string, { by = token, query = '', headers = {} } = {}) =>
    site.ask({ path: `/api/files/thumbnail?path=${encodeURIComponent(file)}${query}`, token: by, headers })
  const put = (name: string, content: Uint8Array): void => fs.writeFileSync(path.join(site.home('mei'), name), content)

  it('is a WebP of the size that is asked for, which the caller keeps until the file changes', async () => {
    put('photo.jpg', await sharp(pngOf(2_000, 1_000)).jpeg().toBuffer())
    const small = await thumbnail('/photo.jpg')
    expect(small.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-cache',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
    expect(small.headers['content-disposition']).toBe('attachment; filename=photo.jpg.webp')
    expect(await sharp(small.body).metadata()).toMatchObject({ format: 'webp', width: 256, height: 128 })
    expect((await sharp((await thumbnail('/photo.jpg', { query: '&edge=1024' })).body).metadata()).width).toBe(1024)
    const known = { headers: { 'if-none-match': String(small.headers.etag) } }
    expect((await thumbnail('/photo.jpg', known)).status).toBe(304)
    put('photo.jpg', pngOf(30, 40))
    const changed = await thumbnail('/photo.jpg', known)
    expect([changed.status, (await sharp(changed.body).metadata()).width]).toEqual([200, 30])
  })

  it('is refused with a code for what is no picture, for a folder, for what is missing and for another size', async () => {
    put('film.mp4', Buffer.from('\0\0\0\u0018ftypisom'))
    put('broken.png', pngOf(9, 9).subarray(0, 30))
    put('photo.png', pngOf(9, 9))
    for (const file of ['/film.mp4', '/broken.png', '/page.html']) expect((await thumbnail(file)).code).toBe(5119)
    expect((await thumbnail('/folder')).code).toBe(5103)
    expect((await thumbnail('/missing.png')).code).toBe(5100)
    for (const query of ['&edge=999', '&spaceId=x']) expect((await thumbnail('/photo.png', { query })).code).toBe(400)
  })

  it('needs the rights to list and to download, and shows nothing that a rule hides', async () => {
    for (const [name, permission] of [
      ['list', PERMISSION.list],
      ['download', PERMISSION.download],
      ['both', PERMISSION.list | PERMISSION.download],
    ] as const) {
      const account = `only_${name}`
      await site.addUser(account, { permission })
      fs.mkdirSync(site.home(account), { recursive: true })
      fs.writeFileSync(path.join(site.home(account), 'a.png'), pngOf(9, 9))
      const { token: by } = await site.signIn(account)
      const { status, code } = await thumbnail('/a.png', { by })
      expect([status, code]).toEqual(name === 'both' ? [200, undefined] : [400, 1008])
      for (const file of ['/../mei/photo.png', '/.godwit/a.png'])
        expect((await thumbnail(file, { by })).status).toBe(400)
    }
    expect((await site.ask({ path: '/api/files/thumbnail?path=%2Fphoto.png' })).code).toBe(1009)
  })

  it('is made of what no browser draws, whose preview is such a picture, too', async () => {
    const jpeg = await sharp(pngOf(3_000, 1_500)).jpeg().toBuffer()
    const { nef } = rawFiles(jpeg, await sharp(pngOf(30, 20)).jpeg().toBuffer())
    put('photo.heic', HEIC)
    put('scan.tif', await sharp(pngOf(3_000, 1_500)).tiff().toBuffer())
    put('photo.nef', nef)
    for (const [file, width, type] of [
      ['/photo.heic', 96, 'image/heic'],
      ['/scan.tif', 2_048, 'image/tiff'],
      ['/photo.nef', 2_048, 'image/tiff'],
    ] as const) {
      expect((await thumbnail(file)).status).toBe(200)
      const { data } = await site.call(token, 'preview', { path: file })
      expect(data).toMatchObject({ view: 'image', type })
      const shown = await site.ask({ path: String(data['url']) })
      expect(shown.headers['content-type']).toBe('image/webp')
      expect((await sharp(shown.body).metadata()).width).toBe(width)
    }
  })
})
