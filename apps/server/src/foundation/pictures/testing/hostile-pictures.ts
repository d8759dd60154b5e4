import { crc32, deflateSync, gzipSync } from 'node:zlib'
import { HEIC, rawFile } from '@godwit/testkit'

/** A picture that wants more than to be looked at. */
export interface HostilePicture {
  readonly name: string
  readonly content: Buffer
}

const picture = (name: string, content: Buffer | string): HostilePicture => ({ name, content: Buffer.from(content) })

/** @param samples good pictures of each format, to be damaged @param canary an address or file that nothing may read */
export function hostilePictures(
  samples: Readonly<Record<'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' | 'avif', Buffer>>,
  canary: string,
): readonly HostilePicture[] {
  return [
    ...floods(),
    ...drawings(canary),
    ...Object.entries({ ...samples, heic: HEIC }).flatMap(([kind, whole]) => damaged(kind, whole)),
    ...disguises(samples.jpeg),
    ...structures(),
  ]
}

/** Small files that announce pictures of gigabytes. */
function floods(): readonly HostilePicture[] {
  const gif = Buffer.alloc(13)
  gif.write('GIF89a')
  gif.writeUInt16LE(65_535, 6)
  gif.writeUInt16LE(65_535, 8)
  const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff', 'latin1')
  const heic = Buffer.from(HEIC)
  const size = heic.indexOf('ispe') + 8
  heic.writeUInt32BE(60_000, size)
  heic.writeUInt32BE(60_000, size + 4)
  return [
    picture('flood.png', pngOf(60_000, 60_000, deflateSync(Buffer.alloc(1_000_000)))),
    picture('flood-in-limits.png', pngOf(9_999, 9_999, deflateSync(Buffer.alloc(10_000_000)))),
    picture(
      'flood-text.png',
      pngOf(1, 1, deflateSync(Buffer.alloc(4)), chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb()]))),
    ),
    picture(
      'flood-profile.png',
      pngOf(1, 1, deflateSync(Buffer.alloc(4)), chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), bomb()]))),
    ),
    picture('flood.gif', gif),
    picture('frames.gif', framesGif(100_000)),
    picture('flood.webp', webp),
    picture('flood.heic', heic),
    picture('deflate-bomb.tiff', deflatedTiff(30_000)),
    picture('deflate-bomb-in-limits.tiff', deflatedTiff(9_000)),
  ]
}

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'

function drawings(canary: string): readonly HostilePicture[] {
  const laughs = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  const uses = Array.from(
    { length: 12 },
    (_, at) => `<g id="g${at + 1}">${`<use xlink:href="#g${at}"/>`.repeat(10)}</g>`,
  ).join('')
  const small = `${SVG} width="20" height="20"`
  return [
    picture('flood.svg', `<svg ${SVG} width="1000000" height="1000000"><rect width="9" height="9"/></svg>`),
    picture(
      'flood-filter.svg',
      `<svg ${small}><filter id="f"><feGaussianBlur stdDeviation="999999"/></filter><rect filter="url(#f)" width="20" height="20"/></svg>`,
    ),
    picture('laughs.svg', `<!DOCTYPE svg [<!ENTITY l0 "ha">${laughs}]><svg ${small}><text>&l9;</text></svg>`),
    picture(
      'uses.svg',
      `<svg ${small}><g id="g0"><rect width="9" height="9"/></g>${uses}<use xlink:href="#g12"/></svg>`,
    ),
    picture('script.svg', `<svg ${small} onload="fetch('${canary}')"><script>fetch('${canary}')</script></svg>`),
    picture(
      'foreign.svg',
      `<svg ${small}><foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${canary}"/></foreignObject></svg>`,
    ),
    picture('image.svg', `<svg ${small}><image xlink:href="${canary}" width="20" height="20"/></svg>`),
    picture('entity.svg', `<!DOCTYPE svg [<!ENTITY x SYSTEM "${canary}">]><svg ${small}><text>&x;</text></svg>`),
    picture(
      'include.svg',
      `<svg ${small} xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="${canary}" parse="text"/></svg>`,
    ),
    picture(
      'style.svg',
      `<?xml-stylesheet href="${canary}"?><svg ${small}><style>@import url(${canary});</style></svg>`,
    ),
    picture('deep.svg', `<svg ${small}>${'<g>'.repeat(100_000)}</svg>`),
  ]
}

/** Cut off in the middle, and with every tenth byte turned over behind the header. */
function damaged(kind: string, whole: Buffer): readonly HostilePicture[] {
  const turned = Buffer.from(whole)
  for (let at = 40; at < turned.length; at += 10) turned.writeUInt8(turned.readUInt8(at) ^ 0xff, at)
  return [picture(`cut.${kind}`, whole.subarray(0, whole.length / 2)), picture(`turned.${kind}`, turned)]
}

function disguises(jpeg: Buffer): readonly HostilePicture[] {
  return [
    picture('script.gif', 'GIF89a/*' + '\0'.repeat(20) + '*/=1;alert(1)//;'),
    picture('archive.jpg', Buffer.concat([jpeg, Buffer.from('PK\x05\x06' + '\0'.repeat(18), 'latin1')])),
    picture(
      'page.jpg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('<script>alert(1)</script>')]),
    ),
    picture('postscript.png', '%!PS-Adobe-3.0\n(/etc/passwd) (r) file'),
    picture('magick.png', 'push graphic-context\nimage over 0,0 0,0 "|id"\npop graphic-context'),
    picture('compressed.svgz', gzipSync(`<svg ${SVG} width="9" height="9"/>`)),
    picture('nothing.png', ''),
  ]
}

/** TIFF files whose directories lead nowhere, in a circle or to endless counts. */
function structures(): readonly HostilePicture[] {
  const circle = rawFile([
    {
      values: [
        [0xc612, 1, 1],
        [0x14a, 4, 16],
      ],
    },
  ])
  circle.writeUInt32LE(circle.readUInt32LE(4), circle.length - 4)
  const counts = rawFile([
    {
      values: [
        [0x111, 4, 0xffff_ffff],
        [0x117, 4, 0xffff_ffff],
        [0x103, 3, 7],
        [0xc612, 1, 1],
      ],
    },
  ])
  const inside = { content: pngOf(60_000, 60_000, Buffer.alloc(9)), as: 'jpeg' } as const
  return [
    picture('circle.dng', circle),
    picture('counts.dng', counts),
    picture('no-picture.dng', rawFile([{ values: [[0xc612, 1, 1]], picture: inside }])),
    picture('far.tiff', Buffer.from([0x49, 0x49, 42, 0, 0xff, 0xff, 0xff, 0xff])),
  ]
}

function bomb(): Buffer {
  return deflateSync(Buffer.alloc(200_000_000))
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(content.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** @param pixels the compressed rows, which may be fewer than announced */
function pngOf(width: number, height: number, pixels: Buffer, extra: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), extra, chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** One picture of one pixel, again and again. */
function framesGif(frames: number): Buffer {
  const head = Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  const frame = Buffer.from('!\xf9\x04\0\x01\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0', 'latin1')
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')])
}

/** A square of zeros in one strip: a thousandth of it on the disk. */
function deflatedTiff(edge: number): Buffer {
  const strip = deflateSync(Buffer.alloc(Math.min(edge * edge, 300_000_000)))
  return rawFile([
    {
      values: [
        [0x100, 4, edge],
        [0x101, 4, edge],
        [0x102, 3, 8],
        [0x103, 3, 8],
        [0x106, 3, 1],
        [0x115, 3, 1],
        [0x116, 4, edge],
      ],
      picture: { content: strip, as: 'strip' },
    },
  ])
}
