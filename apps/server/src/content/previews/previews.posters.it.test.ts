import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '../../security/testing/sites.ts'

/** A film of two seconds, all red. */
function film(file: string, ...codec: readonly string[]): void {
  const red = ['-f', 'lavfi', '-i', 'color=red:size=640x320:rate=10:duration=2']
  execFileSync('ffmpeg', ['-v', 'error', ...red, ...codec, '-y', file])
}

let site: Site
let token: string
const at = (name: string): string => path.join(site.home('mei'), name)
const thumbnail = (name: string, query = '', from = site, by = token) =>
  from.ask({ path: `/api/files/thumbnail?path=%2F${name}${query}`, token: by })

async function expectRed(content: Uint8Array, width: number): Promise<void> {
  const picture = sharp(content)
  expect(await picture.metadata()).toMatchObject({ format: 'webp', width, height: width / 2 })
  const [red, green, blue] = (await picture.stats()).channels.map(({ mean }) => mean)
  expect(red).toBeGreaterThan(240)
  expect(green).toBeLessThan(20)
  expect(blue).toBeLessThan(20)
}

beforeAll(async () => {
  site = await openSite()
  await site.addUser('mei')
  token = (await site.signIn('mei')).token
  fs.mkdirSync(site.home('mei'), { recursive: true })
})
afterAll(async () => site[Symbol.asyncDispose]())

describe('the picture of a film', () => {
  it.each([
    ['index-last.mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
    ['index-first.mov', '-c:v', 'libx264', '-movflags', 'faststart'],
    ['a.mkv', '-c:v', 'libx264'],
    ['a.webm', '-c:v', 'libvpx'],
    ['a.avi', '-c:v', 'mpeg4'],
    ['a.wmv', '-c:v', 'wmv2'],
    ['a.mpg', '-c:v', 'mpeg2video', '-r', '25', '-f', 'vob'],
  ])('is made of %s', async (name, ...codec) => {
    film(at(name), ...codec)
    const { status, body, headers } = await thumbnail(name)
    expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
    await expectRed(body, 256)
    await expectRed((await thumbnail(name, '&edge=1024')).body, 640)
  })

  it('is made of the beginning and the index of one that is larger than any picture', async () => {
    film(at('long.mp4'), '-c:v', 'libx264')
    const content = fs.readFileSync(at('long.mp4'))
    const index = content.indexOf('moov') - 4
    // What follows the frames: a box of free space that the file system need not hold.
    const hole = Buffer.alloc(16)
    hole.writeUInt32BE(1, 0)
    hole.write('free', 4)
    hole.writeBigUInt64BE(BigInt(2 ** 30), 8)
    const file = fs.openSync(at('long.mp4'), 'w')
    fs.writeSync(file, content.subarray(0, index), 0, index, 0)
    fs.writeSync(file, hole, 0, hole.length, index)
    fs.writeSync(file, content.subarray(index), 0, content.length - index, index + 2 ** 30)
    fs.closeSync(file)
    await expectRed((await thumbnail('long.mp4')).body, 256)
  })

  it('stands before the film in its preview, too', async () => {
    film(at('shown.mp4'), '-c:v', 'libx264')
    const { data } = await site.call(token, 'preview', { path: '/shown.mp4' })
    expect(data['view']).toBe('video')
    await expectRed((await site.ask({ path: `${String(data['url'])}&poster=1` })).body, 640)
    expect((await site.ask({ path: `${String(data['url'])}&poster=2` })).code).toBe(400)
    expect((await site.ask({ path: String(data['url']) })).headers['content-type']).toBe('video/mp4')
  })

  it('is not there for what is broken, empty or no film', async () => {
    fs.writeFileSync(at('broken.mp4'), Buffer.from('\0\0\0\u0018ftypisom'))
    fs.writeFileSync(at('cut.avi'), fs.readFileSync(at('a.avi')).subarray(0, 400))
    fs.writeFileSync(at('empty.mp4'), '')
    fs.writeFileSync(at('text.mp4'), 'no film')
    for (const name of ['broken.mp4', 'cut.avi', 'empty.mp4', 'text.mp4'])
      expect([name, (await thumbnail(name)).code]).toEqual([name, 5119])
  })
})

describe('a film that names other files', () => {
  it('opens none of them', async () => {
    let calls = 0
    const canary = http.createServer((_req, res) => {
      calls++
      res.end()
    })
    await new Promise<void>((done) => void canary.listen(0, '127.0.0.1', done))
    const { port } = canary.address() as AddressInfo
    film(at('other.ts'), '-c:v', 'libx264', '-f', 'mpegts')
    const secret = at('other.ts')
    const playlist = (url: string): string => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:2,\n${url}\n#EXT-X-ENDLIST\n`
    const canaryUrl = `http://127.0.0.1:${port}/a.ts`
    // A signature in front keeps the first bytes those of a film; the list follows where a guess would find it.
    const signature = { avi: 'RIFF\u0010\0\0\0AVI ', mp4: '\0\0\0\u0018ftypisom\0\0\0\0isomiso2' }
    const lists = [playlist(canaryUrl), playlist(`file://${secret}`), `ffconcat version 1.0\nfile '${secret}'\n`]
    for (const [number, list] of lists.entries()) {
      fs.writeFileSync(at(`list-${number}.mp4`), list)
      fs.writeFileSync(at(`avi-${number}.avi`), `${signature.avi}${list}`)
      fs.writeFileSync(at(`mp4-${number}.mp4`), `${signature.mp4}${list}`)
      for (const name of [`list-${number}.mp4`, `avi-${number}.avi`, `mp4-${number}.mp4`])
        expect([name, (await thumbnail(name)).code]).toEqual([name, 5119])
    }
    expect(calls).toBe(0)
    await new Promise((done) => canary.close(done))
  })
})

describe('without a program for films', () => {
  it('they have no picture, and play as before', async () => {
    await using bare = await openSite({ env: { GODWIT_PREVIEW_VIDEO: 'off' } })
    await bare.addUser('mei')
    fs.mkdirSync(bare.home('mei'), { recursive: true })
    film(path.join(bare.home('mei'), 'a.mp4'), '-c:v', 'libx264')
    const { token: by } = await bare.signIn('mei')
    expect((await thumbnail('a.mp4', '', bare, by)).code).toBe(5119)
    expect((await bare.call(by, 'preview', { path: '/a.mp4' })).data['view']).toBe('video')
  })
})
