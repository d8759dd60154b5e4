import fs from 'node:fs'
import path from 'node:path'
import { HEIC, pdfOf, rawFiles } from '@godwit/testkit'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Mark } from './picture-request.ts'
import type { Edge } from './limits.ts'
import type { PictureSource } from './pictures.ts'
import { hostilePictures } from './testing/hostile-pictures.ts'
import { never, pictureSite, sourceOf } from './testing/picture-site.ts'

const site = pictureSite()

async function made(content: Uint8Array, edge: Edge = 256) {
  const picture = await site.pictures.make(sourceOf(content), edge, never)
  const shown = sharp(picture.content)
  const { format, width, height, exif, icc, orientation } = await shown.metadata()
  const { data, info } = await shown.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colorAt = (x: number, y: number): string => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
    const [red = 0, , blue = 0] = data.subarray(at, at + 3)
    return red > 150 ? 'red' : blue > 130 ? 'blue' : 'other'
  }
  return { format, width, height, hasNotes: (exif ?? icc ?? orientation) !== undefined, colorAt }
}

/** Blue, the upper left quarter red. */
const CORNER = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#2030c0"/>' +
    '<rect width="300" height="200" fill="#e02020"/></svg>',
)
const corner = () => sharp(CORNER).flatten()

describe('the picture of a file', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)('is made of %s', async (format) => {
    const { colorAt, ...rest } = await made(await corner().toFormat(format).toBuffer())
    expect(rest).toEqual({ format: 'webp', width: 256, height: 171, hasNotes: false })
    expect([colorAt(0.2, 0.2), colorAt(0.8, 0.8)]).toEqual(['red', 'blue'])
  })

  it('is made of HEIC, and of a drawing in the size that is asked for', async () => {
    const heic = await made(HEIC)
    expect([heic.width, heic.height, heic.colorAt(0.2, 0.2), heic.colorAt(0.8, 0.8)]).toEqual([96, 64, 'red', 'blue'])
    const drawing = await made(CORNER, 1024)
    expect([drawing.width, drawing.height, drawing.colorAt(0.2, 0.2)]).toEqual([1024, 683, 'red'])
  })

  it('is the one in a raw file, turned as the camera was held', async () => {
    const large = await corner().jpeg().toBuffer()
    const files = rawFiles(large, await corner().resize(60).jpeg().toBuffer(), 6)
    for (const file of Object.values(files)) {
      const { width, height, colorAt } = await made(file)
      // A quarter turn clockwise brings the upper left to the upper right.
      expect([width, height, colorAt(0.8, 0.2), colorAt(0.2, 0.2)]).toEqual([171, 256, 'red', 'blue'])
    }
  })

  it('is upright whatever the camera noted, and says nothing of where it was taken', async () => {
    const gps = {
      IFD0: { Make: 'Camera', Copyright: 'Mei' },
      IFD3: { GPSLatitude: '52/1 30/1 0/1', GPSLatitudeRef: 'N' },
    }
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      // Turned back first, so that it stands upright once the note is followed.
      const upright = await corner().withMetadata({ orientation }).withExifMerge(gps).jpeg().toBuffer()
      const { hasNotes, width, height } = await made(upright)
      expect([hasNotes, width, height]).toEqual(orientation < 5 ? [false, 256, 171] : [false, 171, 256])
    }
    const seen = await made(await corner().withMetadata({ orientation: 6 }).jpeg().toBuffer())
    expect([seen.colorAt(0.8, 0.2), seen.colorAt(0.2, 0.2)]).toEqual(['red', 'blue'])
  })

  it('is made once for all who ask at the same time, and then kept', async () => {
    const content = await corner().png().toBuffer()
    let reads = 0
    const source = sourceOf(content, {
      identity: 'once',
      async *read() {
        reads++
        yield content
      },
    })
    const all = await Promise.all(Array.from({ length: 20 }, () => site.pictures.make(source, 256, never)))
    expect(new Set(all.map(({ etag }) => etag))).toEqual(new Set([site.pictures.etagOf(source, 256)]))
    await site.pictures.make(source, 256, never)
    expect(reads).toBe(1)
    await site.pictures.make({ ...source, identity: 'twice' }, 256, never)
    expect(reads).toBe(2)
  })
})

describe('a mark', () => {
  const grey = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#808080' } })
      .png()
      .toBuffer()
  const IMAGE = sharp({ create: { width: 400, height: 200, channels: 3, background: '#e02020' } }).png()

  /** The fields of a grid of three by three that are not grey any more, numbered row by row. */
  async function markedFields(mark: Mark, width = 900, height = 900): Promise<readonly number[]> {
    const identity = JSON.stringify([mark, width, height])
    const { content } = await site.pictures.make(sourceOf(await grey(width, height), { identity, mark }), 1024, never)
    const { data, info } = await sharp(content).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect([info.width, info.height]).toEqual([width, height])
    const fields = new Set<number>()
    for (let at = 0; at < data.length; at += 3) {
      if (Math.abs((data[at] ?? 0) - 128) < 24) continue
      const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
      fields.add(1 + Math.floor((3 * y) / height) * 3 + Math.floor((3 * x) / width))
    }
    return [...fields].toSorted((one, other) => one - other)
  }

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])('stands in field %i of the picture', async (position) => {
    expect(await markedFields({ text: 'mei', position, opacity: 100 })).toEqual([position])
  })

  it('stands all over it, as text, as an image and as both', async () => {
    const image = (await IMAGE.toBuffer()).toString('base64')
    const all = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    for (const mark of [{ text: 'mei 梅 <b>&' }, { text: '', image }, { text: 'mei', image }])
      expect(await markedFields({ ...mark, position: 0, opacity: 100 })).toEqual(all)
    expect(await markedFields({ text: '', image, position: 9, opacity: 100 })).toEqual([9])
  })

  it('fits a picture of any size, and may be faint', async () => {
    const long = 'a long line about who looks at this '.repeat(5)
    for (const [width, height] of [
      [1, 1],
      [9, 9],
      [2, 700],
      [700, 2],
      [256, 170],
    ] as const)
      await markedFields({ text: long, position: width % 2, opacity: 30 }, width, height)
    expect(await markedFields({ text: 'mei', position: 5, opacity: 5 })).toEqual([])
  })

  it('that cannot be seen lets no picture out', async () => {
    const mark = { text: '', position: 5, opacity: 100 }
    const source = sourceOf(await grey(90, 90), { identity: 'unseen', mark })
    await expect(site.pictures.make(source, 256, never)).rejects.toThrow('PREVIEW_UNSUPPORTED')
  })
})

describe('the pages of a document', () => {
  const PAPER = pdfOf('Hello')
  let reads = 0
  function pageOf(page: number, content: Uint8Array = PAPER, document = 'paper'): PictureSource {
    return sourceOf(content, {
      ...{ identity: `${document} ${page}`, document, page },
      async *read() {
        reads++
        yield content
      },
    })
  }
  const ink = async (picture: Uint8Array): Promise<number> => {
    const data = await sharp(picture).greyscale().raw().toBuffer()
    return data.filter((value) => value < 100).length
  }

  it('are counted and drawn, and the file is read once for all of them', async () => {
    const described = await site.pictures.make(pageOf(0), 2048, never)
    expect(JSON.parse(new TextDecoder().decode(described.content))).toEqual({ count: 1, width: 400, height: 200 })
    const { content } = await site.pictures.make(pageOf(1), 2048, never)
    expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 2048, height: 1024 })
    expect(await ink(content)).toBeGreaterThan(1_000)
    expect(reads).toBe(1)
    await expect(site.pictures.make(pageOf(2), 2048, never)).rejects.toThrow('PREVIEW_UNSUPPORTED')
  })

  it('are read anew after a picture, and are those of their own document', async () => {
    await made(await corner().png().toBuffer())
    const other = await site.pictures.make(pageOf(1, pdfOf(''), 'empty'), 2048, never)
    expect(await ink(other.content)).toBe(0)
    const again = await site.pictures.make({ ...pageOf(1), identity: 'paper again' }, 1024, never)
    expect(await ink(again.content)).toBeGreaterThan(250)
  })

  it('that cannot be drawn cost their own turn only', async () => {
    const endless = `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 9999999>>endobj\ntrailer<</Root 1 0 R>>`
    const files = [Buffer.from('%PDF-1.7 nothing'), PAPER.subarray(0, 200), Buffer.from(endless)]
    for (const [at, file] of files.entries()) {
      for (const page of [0, 1])
        await site.pictures
          .make(pageOf(page, file, `damaged ${at}`), 2048, never)
          .then(({ content }) => expect(content.length).toBeLessThan(200_000))
          .catch((thrown: unknown) => expect(String(thrown)).toContain('PREVIEW_UNSUPPORTED'))
    }
    const { content } = await site.pictures.make({ ...pageOf(1), identity: 'paper at last' }, 1024, never)
    expect(await ink(content)).toBeGreaterThan(250)
  })
})

describe('a hostile picture', () => {
  it('costs no more than its turn: the next one is made', async () => {
    const canary = path.join(site.folder, 'canary.png')
    fs.writeFileSync(
      canary,
      await sharp({ create: { width: 9, height: 9, channels: 3, background: '#e02020' } })
        .png()
        .toBuffer(),
    )
    const samples = {
      ...{ jpeg: await corner().jpeg().toBuffer(), png: await corner().png().toBuffer() },
      ...{ webp: await corner().webp().toBuffer(), gif: await corner().gif().toBuffer() },
      ...{
        tiff: await corner().tiff({ compression: 'lzw' }).toBuffer(),
        avif: await corner().avif({ effort: 0 }).toBuffer(),
      },
    }
    const hostile = hostilePictures(samples, `file://${canary}`)
    expect(hostile.length).toBeGreaterThanOrEqual(40)
    for (const { name, content } of hostile) {
      const answer = await site.pictures
        .make(sourceOf(content, { identity: name }), 256, never)
        .then(async ({ content: shown }) => (await sharp(shown).stats()).channels[0]?.max)
        .catch((thrown: unknown) => (thrown instanceof Error ? thrown.message : thrown))
      if (typeof answer !== 'number') expect([name, answer]).toEqual([name, 'PREVIEW_UNSUPPORTED'])
      // Red would be the canary.
      else if (/image|entity|include|style/.test(name)) expect([name, answer < 100]).toEqual([name, true])
    }
    expect((await made(samples.jpeg)).width).toBe(256)
  })
})
