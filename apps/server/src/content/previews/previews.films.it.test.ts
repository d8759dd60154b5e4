import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharing, visit, type Sharing } from '../../exchange/links/testing/guests.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'

let site: Site
let mei: Sharing
const at = (name: string): string => path.join(site.home('mei'), name)

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc=size=320x180:rate=25:duration=6']
const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=6:sample_rate=44100']

function make(name: string, ...words: readonly string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', ...words, '-y', at(name)])
}

async function linkOf(name: string): Promise<string> {
  return String((await site.call(mei.token, 'preview', { path: `/${name}` })).data['url'])
}

const ask = (link: string, query: string) => site.ask({ path: `${link}&stream=${query}` })

async function planOf(name: string): Promise<unknown> {
  return JSON.parse((await ask(await linkOf(name), 'plan')).text)
}

/** Streams of a segment: codec, and the times of the first and the last packet. */
function looked(segment: Uint8Array) {
  const file = path.join(site.data, 'segment.ts')
  fs.writeFileSync(file, segment)
  const entries = ['-show_entries', 'stream=index,codec_name,width,height:packet=stream_index,pts_time', '-of', 'json']
  const said = JSON.parse(execFileSync('ffprobe', ['-v', 'error', ...entries, file], { encoding: 'utf8' })) as {
    readonly streams: ReadonlyArray<{ index: number; codec_name: string; width?: number; height?: number }>
    readonly packets: ReadonlyArray<{ stream_index: number; pts_time: string }>
  }
  return said.streams.map(({ index, codec_name: codec, width, height }) => {
    const times = said.packets.filter((one) => one.stream_index === index).map((one) => Number(one.pts_time))
    return { codec, width, height, first: Math.min(...times), last: Math.max(...times) }
  })
}

beforeAll(async () => {
  site = await openSite()
  mei = await openSharing(site, 'mei')
  fs.mkdirSync(site.home('mei'), { recursive: true })
})
afterAll(async () => site[Symbol.asyncDispose]())

describe('a film that no browser plays', () => {
  it.each([
    [
      'prores.mov',
      ['h264', 'aac'],
      [...PICTURE, ...SOUND, '-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'pcm_s24le'],
    ],
    ['hevc.mkv', ['h264'], [...PICTURE, '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none']],
    ['old.avi', ['h264', 'aac'], [...PICTURE, ...SOUND, '-c:v', 'mpeg4', '-c:a', 'mp3']],
    ['studio.mxf', ['h264', 'aac'], [...PICTURE, ...SOUND, '-c:v', 'mpeg2video', '-ar', '48000']],
    ['disc.mpg', ['h264', 'aac'], [...PICTURE, ...SOUND, '-c:v', 'mpeg2video', '-c:a', 'mp2', '-f', 'vob']],
    ['camera.mts', ['h264', 'aac'], [...PICTURE, ...SOUND, '-c:v', 'mpeg2video', '-c:a', 'ac3', '-f', 'mpegts']],
    ['voice.aiff', ['aac'], SOUND],
    ['lossless.m4a', ['aac'], [...SOUND, '-c:a', 'alac']],
  ])('is played in pieces: %s', async (name, codecs, words) => {
    make(name, ...words)
    const { data } = await site.call(mei.token, 'preview', { path: `/${name}` })
    expect(data).toMatchObject({ view: codecs.length > 1 || name.endsWith('mkv') ? 'video' : 'audio', hasStream: true })
    const link = String(data['url'])
    expect(JSON.parse((await ask(link, 'plan')).text)).toMatchObject({ isDirect: false })
    const { status, headers, body } = await ask(link, 'low&segment=1')
    expect([status, headers['content-type']]).toEqual([200, 'video/mp2t'])
    const streams = looked(body)
    expect(streams.map(({ codec }) => codec)).toEqual(codecs)
    for (const { first, last } of streams) {
      expect(first).toBeGreaterThan(13.9)
      expect(first).toBeLessThan(14.05)
      expect(last).toBeLessThan(18.05)
    }
  })

  it('has a playlist that is complete before anything is made', async () => {
    const link = await linkOf('prores.mov')
    const main = (await ask(link, 'main')).text
    expect(main).toMatch(/RESOLUTION=320x180,CODECS="avc1\.640028,mp4a\.40\.2"\n\?ticket=.*&stream=low\n$/)
    const { text, headers } = await ask(link, 'low')
    expect(headers['content-type']).toBe('application/vnd.apple.mpegurl')
    expect([...text.matchAll(/#EXTINF:(.*),/g)].map(([, length]) => length)).toEqual(['4.000', '2.000'])
    expect(text).toMatch(/^#EXTM3U[^]*#EXT-X-PLAYLIST-TYPE:VOD[^]*segment=1\n#EXT-X-ENDLIST\n$/)
    const [last] = looked((await ask(link, 'low&segment=1')).body)
    expect(last?.last).toBeGreaterThan(15.8)
    expect((await ask(link, 'low&segment=2')).code).toBe(5119)
    for (const query of ['medium', 'low&segment=-1', 'low&segment=x']) expect((await ask(link, query)).code).toBe(400)
  })

  it('begins in the middle at once', async () => {
    const picture = ['-f', 'lavfi', '-i', 'color=blue:size=64x64:rate=1:duration=7200']
    make('two-hours.avi', ...picture, '-c:v', 'mpeg4')
    const [film] = looked((await ask(await linkOf('two-hours.avi'), 'low&segment=903')).body)
    expect(Math.round((film?.first ?? 0) - 10)).toBe(3612)
  })

  it('sounds without a gap from one run to the next', async () => {
    // Eight segments are a run.
    const picture = ['-f', 'lavfi', '-i', 'color=blue:size=64x64:rate=10:duration=40']
    const sound = ['-f', 'lavfi', '-i', 'sine=duration=40:sample_rate=44100']
    make('runs.avi', ...picture, ...sound, '-c:v', 'mpeg4', '-c:a', 'pcm_s16le')
    const link = await linkOf('runs.avi')
    const before = looked((await ask(link, 'low&segment=7')).body)
    const after = looked((await ask(link, 'low&segment=8')).body)
    const [end = 0, begin = 0] = [before.at(-1)?.last, after.at(-1)?.first]
    expect(begin - end).toBeCloseTo(1024 / 48_000, 3)
  })
})

describe('a film that browsers play', () => {
  it('is sent as it is, and in pieces to one that cannot', async () => {
    make('plain.mp4', ...PICTURE, ...SOUND, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac')
    expect(await planOf('plain.mp4')).toMatchObject({ isDirect: true, hasPicture: true })
    const link = await linkOf('plain.mp4')
    expect((await site.ask({ path: link })).body.equals(fs.readFileSync(at('plain.mp4')))).toBe(true)
    expect(looked((await ask(link, 'low&segment=0')).body).map(({ codec }) => codec)).toEqual(['h264', 'aac'])
  })

  it('is made playable where its colors or its rate are those of a studio', async () => {
    make('studio.mp4', ...PICTURE, '-c:v', 'libx264', '-pix_fmt', 'yuv422p10le', '-preset', 'ultrafast')
    expect(await planOf('studio.mp4')).toMatchObject({ isDirect: false, hasPicture: true })
  })
})

/** Mean of the differences of all channels of the first frames, 0 to 255. */
function distance(one: Uint8Array, other: Uint8Array): number {
  const [left, right] = [one, other].map((segment) => {
    fs.writeFileSync(path.join(site.data, 'frame.ts'), segment)
    const frame = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
    return execFileSync('ffmpeg', ['-v', 'error', '-i', path.join(site.data, 'frame.ts'), ...frame])
  })
  if (left === undefined || left.length !== right?.length) throw new Error('frames of other sizes')
  return left.reduce((sum, value, index) => sum + Math.abs(value - (right[index] ?? 0)), 0) / left.length
}

/** What is heard of a segment, and how loud the loudest moment of it is, in decibels. */
function heard(segment: Uint8Array): { readonly sound: Buffer; readonly loudest: number } {
  const file = path.join(site.data, 'heard.ts')
  fs.writeFileSync(file, segment)
  const sound = execFileSync('ffmpeg', ['-v', 'error', '-i', file, '-map', '0:a:0', '-c', 'copy', '-f', 'adts', '-'])
  const measure = ['-v', 'info', '-nostats', '-i', file, '-map', '0:a:0', '-af', 'volumedetect', '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', measure, { encoding: 'utf8' })
  return { sound, loudest: Number(/max_volume: (-?[\d.]+) dB/.exec(stderr)?.[1] ?? Number.NEGATIVE_INFINITY) }
}

describe('a film for whoever may only look', () => {
  it('is played by the link of a preview, with the rights of now', async () => {
    const link = await mei.link({ shareServerPath: '/', shareFiles: ['prores.mov'], shareAllowDownload: 0 })
    const guest = await visit(site, link)
    const url = String((await guest.ask('preview', { path: '/prores.mov' })).data['url'])
    const segment = await ask(url, 'low&segment=0')
    expect(segment.status).toBe(200)
    expect((await ask(url, 'low')).text).toContain('segment=1')
    await mei.own('cancel', { shareUrlList: [link] }, 'PATCH')
    for (const query of ['plan', 'main', 'low', 'low&segment=0']) expect((await ask(url, query)).code).toBe(5112)
  })

  it('carries the mark of who looks in every frame while the site asks for one', async () => {
    make('marked.mp4', ...PICTURE, ...SOUND, '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
    const own = await linkOf('marked.mp4')
    const guest = await visit(site, await mei.link({ shareServerPath: '/', shareFiles: ['marked.mp4'] }))
    const others = String((await guest.ask('preview', { path: '/marked.mp4' })).data['url'])
    const plain = (await ask(own, 'low&segment=1')).body
    expect(await site.cli('settings set watermark.opacity 80')).toBe(0)
    expect(await site.cli('settings set watermark.on 1')).toBe(0)
    await expect
      .poll(async () => JSON.parse((await ask(own, 'plan')).text) as object)
      .toMatchObject({ isDirect: false })
    const marked = (await ask(own, 'low&segment=1')).body
    expect(distance(marked, plain)).toBeGreaterThan(1)
    // It sounds as it did.
    expect((await ask(own, 'main')).text).toContain('CODECS="avc1.640028,mp4a.40.2"')
    expect(looked(marked).map(({ codec }) => codec)).toEqual(['h264', 'aac'])
    expect(heard(marked).sound.equals(heard(plain).sound)).toBe(true)
    expect(heard(marked).loudest).toBeGreaterThan(-30)
    expect(distance((await ask(others, 'low&segment=1')).body, marked)).toBeGreaterThan(1)
    // Neither the film nor sound, which cannot carry a mark.
    expect((await site.ask({ path: own })).code).toBe(5119)
    expect((await site.call(mei.token, 'preview', { path: '/voice.aiff' })).data['reason']).toBe('watermark')
    expect(await site.cli('settings set watermark.on 0')).toBe(0)
    await expect.poll(() => planOf('marked.mp4')).toMatchObject({ isDirect: true })
    expect((await ask(own, 'low&segment=1')).body.equals(plain)).toBe(true)
  })
})

describe('a hostile film', () => {
  async function expectNone(name: string): Promise<void> {
    const link = await linkOf(name)
    for (const query of ['plan', 'main', 'low', 'low&segment=0'])
      expect([name, (await ask(link, query)).code]).toEqual([name, 5119])
  }

  it('opens nothing that it names, on the network or on the disk', async () => {
    let calls = 0
    const canary = http.createServer((_req, res) => {
      calls++
      res.end()
    })
    await new Promise<void>((done) => void canary.listen(0, '127.0.0.1', done))
    const { port } = canary.address() as AddressInfo
    const playlist = (url: string): string => `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:2,\n${url}\n#EXT-X-ENDLIST\n`
    const lists = {
      network: playlist(`http://127.0.0.1:${port}/a.ts`),
      disk: playlist(`file://${at('camera.mts')}`),
      joined: `ffconcat version 1.0\nfile '${at('camera.mts')}'\n`,
    }
    for (const [name, list] of Object.entries(lists)) {
      // A signature in front keeps the first bytes those of a film; the list follows where a guess would find it.
      fs.writeFileSync(at(`${name}.avi`), `RIFF\u0010\0\0\0AVI ${list}`)
      await expectNone(`${name}.avi`)
    }
    expect(calls).toBe(0)
    await new Promise((done) => canary.close(done))
  })

  it('that never ends, floods with pixels or breaks off is not begun', async () => {
    // The length of a Matroska film is a number of its header, in milliseconds.
    const film = fs.readFileSync(at('hevc.mkv'))
    const length = film.indexOf(Buffer.from('448988', 'hex')) + 3
    for (const [name, hours] of Object.entries({ 'endless.mkv': 13, 'long-winded.mkv': 11 })) {
      film.writeDoubleBE(hours * 3_600_000, length)
      fs.writeFileSync(at(name), film)
    }
    expect((await ask(await linkOf('long-winded.mkv'), 'low&segment=9000')).code).toBe(5119)
    // Width and height of the frames of an AVI are in its stream's format.
    make('flood.avi', '-t', '1', ...PICTURE, '-c:v', 'huffyuv')
    const flood = fs.readFileSync(at('flood.avi'))
    const format = flood.indexOf('strf') + 8
    flood.writeInt32LE(60_000, format + 4)
    flood.writeInt32LE(60_000, format + 8)
    fs.writeFileSync(at('flood.avi'), flood)
    fs.writeFileSync(at('cut.avi'), fs.readFileSync(at('old.avi')).subarray(0, 400))
    for (const name of ['endless.mkv', 'flood.avi', 'cut.avi']) await expectNone(name)
  })

  it('leaves nothing behind', () => {
    expect(fs.readdirSync(path.join(site.data, 'cache/conversions'))).toEqual([])
  })
})

describe('without a program for films', () => {
  it('what browsers play is played as before, and for the rest the reason is said', async () => {
    await using bare = await openSite({ env: { GODWIT_PREVIEW_VIDEO: 'off' } })
    const owner = await openSharing(bare, 'mei')
    for (const name of ['plain.mp4', 'old.avi']) owner.put(name, fs.readFileSync(at(name)))
    const look = async (name: string) => (await bare.call(owner.token, 'preview', { path: `/${name}` })).data
    expect(await look('plain.mp4')).toMatchObject({ view: 'video', hasStream: false })
    expect(await look('old.avi')).toMatchObject({ view: 'none', reason: 'converter', hasStream: false })
    const { url } = await look('plain.mp4')
    expect((await bare.ask({ path: `${String(url)}&stream=plan` })).code).toBe(5119)
  })
})
