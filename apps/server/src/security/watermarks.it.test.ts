import { HEIC, hostileFiles, pdfOf, pngOf, wavOf } from '@godwit/testkit'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSharing, visit, type Guest, type Sharing } from '../exchange/links/testing/guests.ts'
import { openSite, type Site } from './testing/sites.ts'
import type { Answer } from './testing/wire.ts'

const ZIP = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200, 'zipped bytes ')])
/** One of every view that there is, and of every reason for none. */
const VIEWS: Readonly<Record<string, { readonly content: Buffer; readonly view: string; readonly marked: string }>> = {
  'photo.png': { content: pngOf(600, 400), view: 'image', marked: 'image' },
  'photo.heic': { content: HEIC, view: 'image', marked: 'image' },
  'drawing.svg': {
    content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect/></svg>'),
    ...{ view: 'image', marked: 'image' },
  },
  'icon.bmp': {
    content: Buffer.concat([Buffer.from('BM'), Buffer.alloc(200)]),
    ...{ view: 'image', marked: 'watermark' },
  },
  'film.mp4': {
    content: Buffer.concat([Buffer.from('\0\0\0\u0018ftypisom'), Buffer.alloc(200, 'moving pictures ')]),
    ...{ view: 'video', marked: 'video' },
  },
  'sound.wav': { content: wavOf(1), view: 'audio', marked: 'watermark' },
  'paper.pdf': { content: pdfOf('Confidential'), view: 'pdf', marked: 'pages' },
  'a.txt': { content: Buffer.from('the text of a secret file\n'), view: 'text', marked: 'watermark' },
  'a.md': { content: Buffer.from('# the heading of a secret file\n'), view: 'markdown', marked: 'watermark' },
  'a.csv': { content: Buffer.from('the,table,of,a,secret,file\n'), view: 'table', marked: 'watermark' },
  'a.xlsx': { content: ZIP, view: 'sheet', marked: 'watermark' },
  'a.docx': { content: ZIP, view: 'document', marked: 'watermark' },
  'a.zip': { content: ZIP, view: 'archive', marked: 'watermark' },
  'a.exe': { content: Buffer.from('MZ\0\0 a program of many words'), view: 'none', marked: 'format' },
}
const HOSTILE = hostileFiles('http://canary.invalid/ran')
/** Bytes of a file in a row that are no chance. */
const TELLING_BYTES = 16

let site: Site
let mei: Sharing
let guest: Guest

beforeAll(async () => {
  site = await openSite()
  mei = await openSharing(site, 'mei')
  for (const [name, { content }] of Object.entries(VIEWS)) mei.put(`box/${name}`, content)
  for (const { name, content } of HOSTILE) mei.put(`box/${name}`, content)
  guest = await visit(site, await mei.link({ shareServerPath: '/box', shareAllowDownload: 0 }))
})
afterAll(async () => site[Symbol.asyncDispose]())

/** As the person and the guest see a file. */
const LOOKERS = {
  person: {
    preview: (name: string) => site.call(mei.token, 'preview', { path: `/box/${name}` }),
    thumbnail: (name: string) =>
      site.ask({ path: `/api/files/thumbnail?path=${encodeURIComponent(`/box/${name}`)}`, token: mei.token }),
  },
  guest: {
    preview: (name: string) => guest.ask('preview', { path: `/${name}` }),
    thumbnail: (name: string) =>
      site.ask({ path: `/api/share/visit/thumbnail?path=${encodeURIComponent(`/${name}`)}`, token: guest.token }),
  },
} as const
const EVERYBODY = Object.keys(LOOKERS) as ReadonlyArray<keyof typeof LOOKERS>

async function setMark(words: string): Promise<void> {
  for (const change of words.split(', ')) expect(await site.cli(`settings set watermark.${change}`)).toBe(0)
}

/** Waits until the server goes by a change of its settings. */
async function switchMark(state: 0 | 1): Promise<void> {
  await setMark(`on ${state}`)
  const expected = state === 1 ? 'none' : 'text'
  await expect.poll(async () => (await LOOKERS.person.preview('a.txt')).data['view']).toBe(expected)
}

function holdsBytesOf(answer: Buffer, original: Buffer): boolean {
  const sought = new Set<string>()
  for (let at = 0; at + TELLING_BYTES <= answer.length; at++)
    sought.add(answer.toString('latin1', at, at + TELLING_BYTES))
  for (let at = 0; at + TELLING_BYTES <= original.length; at++) {
    const window = original.toString('latin1', at, at + TELLING_BYTES)
    // Rows of one byte stand in many a file.
    if (new Set(window).size > 4 && sought.has(window)) return true
  }
  return false
}

function expectNothingOf(answer: Answer, original: Buffer, name: string): void {
  expect([name, holdsBytesOf(answer.body, original)]).toEqual([name, false])
  if (answer.status === 200 && answer.headers['content-type'] === 'application/json')
    expect([name, Object.keys(JSON.parse(answer.text) as object)]).toEqual([name, ['count', 'width', 'height']])
  else if (answer.status === 200) expect([name, answer.headers['content-type']]).toEqual([name, 'image/webp'])
  else expect([name, answer.code]).toEqual([name, 5119])
}

describe.each(EVERYBODY)('while previews carry a mark, a %s', (who) => {
  it('is shown every view as a marked picture, or why there is none; no byte of a file leaves', async () => {
    await switchMark(0)
    const before = new Map<string, string>()
    for (const [name, { view }] of Object.entries(VIEWS)) {
      const { data } = await LOOKERS[who].preview(name)
      expect([name, data['view']]).toEqual([name, view])
      before.set(name, String(data['url']))
    }
    await switchMark(1)
    for (const [name, { content, marked }] of Object.entries(VIEWS)) {
      const { data } = await LOOKERS[who].preview(name)
      expect([name, data['view'] === 'none' ? data['reason'] : data['view']]).toEqual([name, marked])
      // The links of before, too, and whatever part of them is asked for.
      for (const url of [String(data['url']), before.get(name) ?? '']) {
        for (const query of ['', '&page=1', '&stream=low&segment=0']) {
          for (const headers of [{}, { range: 'bytes=0-99' }])
            expectNothingOf(await site.ask({ path: `${url}${query}`, headers }), content, name)
        }
      }
      expectNothingOf(await LOOKERS[who].thumbnail(name), content, name)
    }
  })

  it('gets nothing of a hostile file either', async () => {
    await switchMark(1)
    for (const { name, content } of HOSTILE) {
      const { data } = await LOOKERS[who].preview(name)
      for (const page of ['', '&page=1', '&stream=low&segment=0'])
        expectNothingOf(await site.ask({ path: `${String(data['url'])}${page}` }), content, name)
    }
  })
})

/** How far two pictures are from each other: mean of the differences of all channels, 0 to 255. */
async function distance(one: Buffer, other: Buffer): Promise<number> {
  const raw = (picture: Buffer) => sharp(picture).removeAlpha().raw().toBuffer()
  const [left, right] = [await raw(one), await raw(other)]
  expect(left.length).toBe(right.length)
  return left.reduce((sum, value, at) => sum + Math.abs(value - (right[at] ?? 0)), 0) / left.length
}

describe('the mark', () => {
  const shown = async (who: keyof typeof LOOKERS): Promise<Buffer> =>
    (await site.ask({ path: String((await LOOKERS[who].preview('photo.png')).data['url']) })).body

  it('is in previews and thumbnails, is that of who looks, and goes with the setting', async () => {
    await switchMark(0)
    const plain = await sharp(pngOf(600, 400)).webp().toBuffer()
    const small = (await LOOKERS.person.thumbnail('photo.png')).body
    await setMark('opacity 60')
    await switchMark(1)
    const own = await shown('person')
    expect(await distance(own, plain)).toBeGreaterThan(1)
    expect(await distance(await shown('guest'), own)).toBeGreaterThan(1)
    const marked = await LOOKERS.person.thumbnail('photo.png')
    expect(await distance(marked.body, small)).toBeGreaterThan(1)
    // Nobody is answered from what a cache has of somebody else, or of before.
    const other = await LOOKERS.guest.thumbnail('photo.png')
    expect(other.headers.etag).not.toBe(marked.headers.etag)
    await switchMark(0)
    expect((await LOOKERS.person.thumbnail('photo.png')).body.equals(small)).toBe(true)
  })

  it('is on every page of a document, which is drawn on the server', async () => {
    await switchMark(1)
    const pageOf = async (who: keyof typeof LOOKERS, page: string): Promise<Answer> =>
      site.ask({ path: `${String((await LOOKERS[who].preview('paper.pdf')).data['url'])}&page=${page}` })
    expect(JSON.parse((await pageOf('person', '0')).text)).toEqual({ count: 1, width: 400, height: 200 })
    const own = await pageOf('person', '1')
    expect(await sharp(own.body).metadata()).toMatchObject({ format: 'webp', width: 2048, height: 1024 })
    expect(await distance((await pageOf('guest', '1')).body, own.body)).toBeGreaterThan(1)
    expect((await pageOf('person', '2')).code).toBe(5119)
    for (const page of ['-1', 'x', '1e9']) expect((await pageOf('person', page)).code).toBe(400)
  })

  it('is refused when it would say nothing, or name what nobody knows', async () => {
    expect(await site.cli('settings set watermark.text {password}')).not.toBe(0)
    expect(await site.cli('settings set watermark.position 10')).not.toBe(0)
    expect(await site.cli('settings set watermark.opacity 4')).not.toBe(0)
  })
})
