import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharing, type Sharing } from '../../exchange/links/testing/guests.ts'
import { openSite, type Site } from '../../security/testing/sites.ts'

let site: Site
let mei: Sharing
const at = (name: string): string => path.join(site.home('mei'), name)

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=44']
const SOUND = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=44:sample_rate=44100']
/** Irregular key frames, two of them close together, and frames that are reordered. */
const KEYS = [
  '-force_key_frames',
  '0,1.3,4.1,8.3,8.52,12.6,16.7,20.9,21,25,29.2,33.3,37.5,41.7',
  '-g',
  '1000',
  '-sc_threshold',
  '0',
]
const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p']
const AAC = ['-c:a', 'aac', '-b:a', '96k']

function make(name: string, ...words: readonly string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', ...words, '-y', at(name)])
}

async function linkOf(name: string): Promise<string> {
  return String((await site.call(mei.token, 'preview', { path: `/${name}` })).data['url'])
}

const ask = (link: string, query: string) => site.ask({ path: `${link}&stream=${query}` })

interface Packet {
  readonly pts: number
  readonly dts: number
  readonly flags: string
}

interface Packets {
  readonly picture: readonly Packet[]
  readonly sound: readonly Packet[]
}

function packetsOf(file: string): Packets {
  const entries = ['-show_entries', 'packet=codec_type,pts_time,dts_time,flags', '-of', 'json']
  const said = JSON.parse(
    execFileSync('ffprobe', ['-v', 'error', ...entries, file], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  ) as { readonly packets: ReadonlyArray<{ codec_type: string; pts_time?: string; dts_time?: string; flags: string }> }
  const of = (type: string): readonly Packet[] =>
    said.packets
      .filter(({ codec_type: kind }) => kind === type)
      .map(({ pts_time: pts, dts_time: dts, flags }) => ({
        pts: Number(pts ?? dts),
        dts: Number(dts ?? Number.NaN),
        flags,
      }))
  return { picture: of('video'), sound: of('audio') }
}

/** A hash of each frame as it is seen: any encoder changes them all. */
function framesOf(file: string): readonly string[] {
  const words = ['-v', 'error', '-i', file, '-map', '0:V:0', '-fps_mode', 'passthrough', '-f', 'framemd5', '-']
  const lines = execFileSync('ffmpeg', words, { encoding: 'utf8' }).split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)?.trim() ?? '')
}

/** A hash of the frames of AAC as they are stored. */
function soundOf(file: string): string {
  const words = ['-v', 'error', '-i', file, '-map', '0:a:0', '-c', 'copy', '-f', 'adts', '-']
  return createHash('sha256').update(execFileSync('ffmpeg', words)).digest('hex')
}

interface Cut {
  /** All segments, one after the other. */
  readonly file: string
  readonly segments: readonly Packets[]
  /** When each begins by the playlist. */
  readonly begins: readonly number[]
  readonly ends: number
}

/** Segments that are asked for first, each of which begins a run of its own; a run ends with the eighth segment. */
const APART = [8, 7, 3]

/** @param order whether the segments are made one after the other, or by runs that begin elsewhere */
async function cutOf(name: string, order: 'in order' | 'apart'): Promise<Cut> {
  const link = await linkOf(name)
  const list = (await ask(link, 'copy')).text
  const lengths = [...list.matchAll(/#EXTINF:(.*),/g)].map(([, length]) => Number(length))
  const target = Number(/TARGETDURATION:(\d+)/.exec(list)?.[1])
  expect(Math.max(...lengths)).toBeLessThanOrEqual(target)
  const indexes = lengths.map((_, index) => index)
  const contents: Uint8Array[] = []
  for (const index of order === 'in order'
    ? indexes
    : [...APART, ...indexes.filter((index) => !APART.includes(index))]) {
    const { status, headers, body } = await ask(link, `copy&segment=${index}`)
    expect([name, index, status, headers['content-type']]).toEqual([name, index, 200, 'video/mp2t'])
    contents[index] = body
  }
  expect((await ask(link, `copy&segment=${lengths.length}`)).code).toBe(5119)
  const segments = contents.map((content) => {
    const file = path.join(site.data, 'one.ts')
    fs.writeFileSync(file, content)
    return packetsOf(file)
  })
  const file = path.join(site.data, `${name}.all.ts`)
  fs.writeFileSync(file, Buffer.concat(contents))
  const sums = lengths.reduce<readonly number[]>((all, length) => [...all, (all.at(-1) ?? 0) + length], [0])
  return { file, segments, begins: sums.slice(0, -1), ends: sums.at(-1) ?? 0 }
}

/** Each packet of the film is in one segment, at its time, and each segment begins with its key frame where the playlist says. */
function expectWhole(name: string, { segments, begins, ends, file }: Cut): void {
  const { picture: source } = packetsOf(at(name))
  const zero = source[0]?.pts ?? 0
  const picture = segments.flatMap((segment) => segment.picture)
  expect(picture).toHaveLength(source.length)
  for (const [index, { pts }] of picture.entries())
    expect(Math.abs(pts - 10 - ((source[index]?.pts ?? 0) - zero))).toBeLessThan(0.0015)
  expectRising(picture)
  for (const [index, segment] of segments.entries()) {
    const [first] = segment.picture
    expect([index, first?.flags.startsWith('K')]).toEqual([index, true])
    expect(Math.abs((first?.pts ?? 0) - 10 - (begins[index] ?? 0))).toBeLessThan(0.005)
  }
  expect(ends).toBeCloseTo(44, 1)
  expect(framesOf(file)).toEqual(framesOf(at(name)))
}

function expectRising(packets: readonly Packet[]): void {
  const isRising = packets.every(({ dts }, index) => index === 0 || dts > (packets[index - 1]?.dts ?? Number.NaN))
  expect(isRising).toBe(true)
}

beforeAll(async () => {
  site = await openSite()
  mei = await openSharing(site, 'mei')
  fs.mkdirSync(site.home('mei'), { recursive: true })
  make('film.mkv', ...PICTURE, ...SOUND, ...H264, '-bf', '3', ...KEYS, ...AAC)
})
afterAll(async () => site[Symbol.asyncDispose]())

const again = (...words: readonly string[]): readonly string[] => [
  '-i',
  at('film.mkv'),
  '-map',
  '0',
  '-c',
  'copy',
  ...words,
]

describe('a film whose H.264 browsers play', () => {
  it.each([
    ['film.mkv', 'in order', (): void => undefined],
    ['apart.mkv', 'apart', () => make('apart.mkv', ...again())],
    ['film.mov', 'apart', () => make('film.mov', ...again())],
    ['film.mts', 'apart', () => make('film.mts', ...again('-f', 'mpegts'))],
    // Without reordered frames: AVI keeps no times to show them.
    ['film.avi', 'apart', () => make('film.avi', ...PICTURE, ...SOUND, ...H264, '-bf', '0', ...KEYS, ...AAC)],
  ] as const)('is cut, not encoded, with each packet once: %s, %s', async (name, order, prepare) => {
    prepare()
    const link = await linkOf(name)
    const main = (await ask(link, 'main')).text
    expect(main).toMatch(/RESOLUTION=320x180,CODECS="avc1\.64000c,mp4a\.40\.2"\n\?ticket=[^\n]*&stream=copy\n$/)
    const cut = await cutOf(name, order)
    expect(cut.segments).toHaveLength(11)
    expectWhole(name, cut)
    const { sound: source, picture } = packetsOf(at(name))
    const sound = cut.segments.flatMap((segment) => segment.sound)
    expect(sound).toHaveLength(source.length)
    expectRising(sound)
    expect(soundOf(cut.file)).toBe(soundOf(at(name)))
    // The sound is where the picture is.
    const shift = (sound[0]?.pts ?? 0) - (source[0]?.pts ?? 0)
    for (const [index, { pts }] of sound.entries())
      expect(Math.abs(pts - (source[index]?.pts ?? 0) - shift)).toBeLessThan(0.0015)
    expect(shift).toBeCloseTo(10 - (picture[0]?.pts ?? 0), 2)
  })

  it.each([
    ['disc.mkv', ['-c:a', 'ac3']],
    ['studio.mov', ['-c:a', 'pcm_s16le']],
    ['broadcast.mts', ['-c:a', 'ac3', '-f', 'mpegts']],
  ])('is cut where its sound alone has to be encoded, without a gap: %s', async (name, words) => {
    make(name, ...again(...words))
    const cut = await cutOf(name, 'apart')
    expectWhole(name, cut)
    const sound = cut.segments.flatMap((segment) => segment.sound)
    expectRising(sound)
    // Frames of 1024 samples, each begins where the one before ends.
    for (const [index, { pts }] of sound.entries())
      expect(Math.abs(pts - (sound[0]?.pts ?? 0) - (index * 1024) / 48_000)).toBeLessThan(0.001)
    const codec = ['-select_streams', 'a:0', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0']
    expect(execFileSync('ffprobe', ['-v', 'error', ...codec, cut.file], { encoding: 'utf8' }).trim()).toMatch(/^aac/)
    // Nowhere in the middle is it silent.
    const filter = ['-map', '0:a:0', '-af', 'silencedetect=noise=-40dB:duration=0.01', '-f', 'null', '-']
    const heard = execFileSync('/bin/sh', [
      '-c',
      'ffmpeg -hide_banner -nostats "$@" 2>&1',
      'sh',
      '-ss',
      '0.2',
      '-t',
      '59',
      '-i',
      cut.file,
      ...filter,
    ])
    expect(heard.toString()).toContain('Audio: aac')
    expect(heard.toString()).not.toContain('silence_start')
  })
})

describe('a film that cannot be cut', () => {
  it.each([
    ['hevc.mkv', ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=none']],
    ['ten-bits.mkv', ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-g', '50']],
    ['far-apart.mkv', [...H264, '-g', '10000', '-keyint_min', '1500', '-sc_threshold', '0']],
    ['interlaced.mkv', [...H264, '-vf', 'setfield=tff', '-flags', '+ilme+ildct', '-x264-params', 'tff=1', '-g', '50']],
    ['open.mkv', [...H264, '-bf', '3', '-x264-params', 'open-gop=1:keyint=50:scenecut=0']],
    ['wide.mkv', [...H264, '-vf', 'setsar=4/3', '-g', '50']],
    ['reordered.avi', [...H264, '-bf', '3', '-g', '50']],
    ['program.mpg', [...H264, '-g', '50', '-f', 'vob']],
  ])('is encoded: %s', async (name, words) => {
    make(name, ...PICTURE, ...words)
    const link = await linkOf(name)
    expect((await ask(link, 'main')).text).toMatch(/CODECS="avc1\.640028"\n\?ticket=[^\n]*&stream=low\n$/)
    expect((await ask(link, 'low')).text).toContain('segment=10\n#EXT-X-ENDLIST')
    for (const query of ['copy', 'copy&segment=0']) expect((await ask(link, query)).code).toBe(5119)
  })

  it('is encoded where it is to be turned', async () => {
    make('turned.mov', ...again('-metadata:s:v', 'rotate=90'))
    expect((await ask(await linkOf('turned.mov'), 'main')).text).toContain('stream=low')
  })

  it('is encoded while the site asks for a watermark, whatever is kept', async () => {
    make('marked.mkv', ...again())
    const link = await linkOf('marked.mkv')
    const queries = ['copy', 'copy&segment=0'] as const
    for (const query of queries) expect((await ask(link, query)).status).toBe(200)
    expect(await site.cli('settings set watermark.on 1')).toBe(0)
    await expect.poll(async () => (await ask(link, 'main')).text).toContain('stream=low')
    expect((await ask(link, 'main')).text).not.toContain('stream=copy')
    for (const query of queries) expect((await ask(link, query)).code).toBe(5119)
    const marked = await ask(link, 'low&segment=0')
    expect(marked.status).toBe(200)
    expect(await site.cli('settings set watermark.on 0')).toBe(0)
    await expect.poll(async () => (await ask(link, 'main')).text).toContain('stream=copy')
  })

  it('is not begun where nothing of it can be read', async () => {
    fs.writeFileSync(at('cut.mkv'), fs.readFileSync(at('film.mkv')).subarray(0, 300))
    const link = await linkOf('cut.mkv')
    for (const query of ['plan', 'main', 'copy', 'copy&segment=0']) expect((await ask(link, query)).code).toBe(5119)
  })

  it('is played as far as it goes where it breaks off', async () => {
    const bytes = fs.readFileSync(at('film.mkv'))
    fs.writeFileSync(at('half.mkv'), bytes.subarray(0, bytes.length / 2))
    const link = await linkOf('half.mkv')
    expect((await ask(link, 'main')).text).toContain('stream=copy')
    const list = (await ask(link, 'copy')).text
    const count = [...list.matchAll(/#EXTINF/g)].length
    expect(count).toBeGreaterThan(1)
    expect(count).toBeLessThan(11)
    expect((await ask(link, `copy&segment=${count - 1}`)).status).toBe(200)
  })

  it('leaves nothing behind', async () => {
    await expect.poll(() => fs.readdirSync(path.join(site.data, 'cache/conversions'))).toEqual([])
  })
})
