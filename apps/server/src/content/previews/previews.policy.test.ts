import { describe, expect, it } from 'vitest'
import { convertedView, MAX_PIXELS, markedView, playedView, viewOf } from './previews.policy.ts'

const text = (content: string): Uint8Array => new TextEncoder().encode(content)
const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values)
const padded = (content: Uint8Array, size = 128): Uint8Array => {
  const whole = new Uint8Array(size)
  whole.set(content)
  return whole
}

function view(name: string, head: Uint8Array, size = head.length) {
  const { view: shown, reason, contentType } = viewOf(name, size, head)
  return reason === null ? `${shown} ${contentType}` : `${shown}: ${reason}`
}

const png = (width: number, height: number): Uint8Array => {
  const head = padded(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a))
  new DataView(head.buffer).setUint32(16, width)
  new DataView(head.buffer).setUint32(20, height)
  return head
}
const jpeg = (width: number, height: number): Uint8Array => {
  const head = padded(bytes(0xff, 0xd8, 0xff, 0xe1, 0, 6, 1, 2, 3, 4, 0xff, 0xc2, 0, 17, 8))
  new DataView(head.buffer).setUint16(15, height)
  new DataView(head.buffer).setUint16(17, width)
  return head
}
const webp = (width: number, height: number): Uint8Array => {
  const head = padded(text('RIFF....WEBPVP8X'))
  const fields = new DataView(head.buffer)
  fields.setUint32(24, width - 1, true)
  fields.setUint16(27, (height - 1) & 0xffff, true)
  fields.setUint8(29, (height - 1) >>> 16)
  return head
}
function transportStream(): Uint8Array {
  return Uint8Array.from({ length: 4 * 188 }, (_, index) => (index % 188 === 0 ? 0x47 : 0xff))
}
const HTML = text('<!doctype html><script>alert(1)</script>')
const SVG = text('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')
const BYTES = 'application/octet-stream'

describe('how a file is shown', () => {
  it.each([
    ['a.png', png(10, 10), 'image image/png'],
    ['a.jpg', jpeg(4000, 3000), 'image image/jpeg'],
    ['a.gif', padded(text('GIF89a')), 'image image/gif'],
    ['a.webp', webp(800, 600), 'image image/webp'],
    ['a.avif', padded(text('\0\0\0\u001cftypavif')), 'image image/avif'],
    ['a.bmp', padded(text('BM')), 'image image/bmp'],
    ['a.ico', padded(bytes(0, 0, 1, 0, 1, 0)), 'image image/x-icon'],
    ['a.svg', SVG, 'image image/svg+xml'],
    ['a.mp4', padded(text('\0\0\0\u0018ftypisom')), 'video video/mp4'],
    ['a.mov', padded(text('\0\0\0\u0018ftypqt  ')), 'video video/quicktime'],
    ['a.webm', padded(bytes(0x1a, 0x45, 0xdf, 0xa3, ...text('....webm'))), 'video video/webm'],
    ['a.mp3', padded(text('ID3')), 'audio audio/mpeg'],
    ['a.wav', padded(text('RIFF....WAVE')), 'audio audio/wav'],
    ['a.m4a', padded(text('\0\0\0\u0018ftypM4A ')), 'audio audio/mp4'],
    ['a.flac', padded(text('fLaC')), 'audio audio/flac'],
    ['a.pdf', text('%PDF-1.7\n'), `pdf ${BYTES}`],
    ['a.txt', text('plain'), `text ${BYTES}`],
    ['a.md', text('# Heading'), `markdown ${BYTES}`],
    ['a.csv', text('a,b'), `table ${BYTES}`],
    ['Makefile', text('all:\n\techo'), `text ${BYTES}`],
    ['gb.txt', bytes(0xc4, 0xe3, 0xba, 0xc3, 0x0a), `text ${BYTES}`],
    ['wide.txt', bytes(0xff, 0xfe, 0x61, 0, 0x62, 0), `text ${BYTES}`],
    ['a.heic', padded(text('\0\0\0\u001cftypheic')), 'image image/webp'],
    ['a.tif', padded(bytes(0x49, 0x49, 42, 0)), 'image image/webp'],
    ['a.nef', padded(bytes(0x4d, 0x4d, 0, 42)), 'image image/webp'],
    ['a.cr3', padded(text('\0\0\0\u0018ftypcrx ')), 'none: format'],
    ['a.zip', padded(text('PK\u0003\u0004')), `archive ${BYTES}`],
    ['a.jar', padded(text('PK\u0003\u0004')), `archive ${BYTES}`],
    ['a.tar', padded(text(`${'\0'.repeat(257)}ustar`), 512), `archive ${BYTES}`],
    ['a.xlsx', padded(text('PK\u0003\u0004')), `sheet ${BYTES}`],
    ['a.docx', padded(text('PK\u0003\u0004')), `document ${BYTES}`],
    ['a.pptx', padded(text('PK\u0003\u0004')), 'none: format'],
    ['a.tgz', padded(bytes(0x1f, 0x8b, 8)), 'none: format'],
    ['a.avi', padded(text('RIFF\u0010\0\0\0AVI ')), 'none: format'],
    ['a.mxf', padded(bytes(6, 0x0e, 0x2b, 0x34, 2, 5, 1, 1, 0x0d, 1, 2)), 'none: format'],
    ['a.aiff', padded(text('FORM....AIFF')), 'none: format'],
    ['a.mts', transportStream(), 'none: format'],
    ['a.ts', text('G is no packet. '.repeat(60)), `text ${BYTES}`],
    ['a.exe', padded(text('MZ')), 'none: format'],
    ['empty.png', new Uint8Array(), 'none: empty'],
  ] as const)('%s', (name, head, expected) => expect(view(name, head)).toBe(expected))

  it.each([
    ['page.png', HTML, `text ${BYTES}`],
    ['page.jpg', SVG, `text ${BYTES}`],
    ['page.pdf', HTML, `text ${BYTES}`],
    ['page.mp4', HTML, `text ${BYTES}`],
    ['page.html', HTML, `text ${BYTES}`],
    ['page.svg', HTML, `text ${BYTES}`],
    ['page.svg', text(`<!doctype html>${new TextDecoder().decode(SVG)}`), `text ${BYTES}`],
    ['page.svg', text('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'), `text ${BYTES}`],
    ['photo.html', png(10, 10), 'image image/png'],
    ['photo.txt', jpeg(10, 10), 'image image/jpeg'],
  ] as const)('goes by what is in it, not by what it is called: %s', (name, head, expected) => {
    expect(view(name, head)).toBe(expected)
  })

  it.each([
    ['png', png(60_000, 60_000)],
    ['jpg', jpeg(65_535, 65_535)],
    ['webp', webp(16_384, 16_384)],
    ['gif', padded(Uint8Array.from([...text('GIF89a'), 0xff, 0xff, 0xff, 0xff]))],
  ])('refuses the pixels of a small %s that announces too many', (ending, head) => {
    expect(view(`flood.${ending}`, head)).toBe('none: too-large')
  })
  it('shows a picture of exactly as many pixels as are allowed', () => {
    expect(view('a.png', png(MAX_PIXELS / 1000, 1000))).toBe('image image/png')
    expect(view('a.png', png(MAX_PIXELS / 1000 + 1, 1000))).toBe('none: too-large')
  })
  it('does not read a workbook of more than 20 MiB', () => {
    expect(view('a.xlsx', padded(text('PK\u0003\u0004')), 20 * 1024 * 1024)).toBe(`sheet ${BYTES}`)
    expect(view('a.xlsx', padded(text('PK\u0003\u0004')), 20 * 1024 * 1024 + 1)).toBe('none: too-large')
  })
  it('does not parse a drawing of more than 10 MiB', () => {
    expect(view('a.svg', SVG, 10 * 1024 * 1024 + 1)).toBe('none: too-large')
  })
})

describe('a film or sound', () => {
  const shown = (head: Uint8Array, hasFilms: boolean) => {
    const { view: kind, reason, hasStream = false } = playedView(viewOf('a', head.length, head), { hasFilms })
    return [kind, reason ?? hasStream].join(' ')
  }

  it.each([
    ['MP4', padded(text('\0\0\0\u0018ftypisom')), 'video true', 'video false'],
    ['AVI', padded(text('RIFF\u0010\0\0\0AVI ')), 'video true', 'none converter'],
    ['AIFF', padded(text('FORM....AIFF')), 'audio true', 'none converter'],
    ['MP3', padded(text('ID3')), 'audio false', 'audio false'],
    ['a picture', png(9, 9), 'image false', 'image false'],
  ])('of %s is made playable by a program, or without it', (_name, head, withIt, without) => {
    expect([shown(head, true), shown(head, false)]).toEqual([withIt, without])
  })
  it('carries a mark where it is made, and sound none', () => {
    const marked = (head: Uint8Array) => {
      const { view: kind, reason } = markedView(playedView(viewOf('a', head.length, head), { hasFilms: true }), 9)
      return reason ?? kind
    }
    expect(marked(padded(text('RIFF\u0010\0\0\0AVI ')))).toBe('video')
    expect(marked(padded(text('FORM....AIFF')))).toBe('watermark')
  })
})

describe('a view', () => {
  const OLE = padded(bytes(0xd0, 0xcf, 0x11, 0xe0))
  const ZIP = padded(text('PK\u0003\u0004'))
  const MiB = 1024 * 1024
  function converted(name: string, head: Uint8Array, { size = head.length, isMarked = false, has = true } = {}) {
    const file = { name, size, isMarked, has: () => has }
    const { view: shown, reason, converter } = convertedView(viewOf(name, size, head), file)
    return reason ?? `${shown}${converter === undefined ? '' : ` by ${converter}`}`
  }

  it.each([
    ['a.docx', ZIP, 'pdf by office', 'document'],
    ['a.pptx', ZIP, 'pdf by office', 'converter'],
    ['a.epub', ZIP, 'format', 'format'],
    ['a.zip', ZIP, 'archive', 'archive'],
    ['a.doc', OLE, 'pdf by office', 'converter'],
    ['a.msi', OLE, 'format', 'format'],
    ['a.doc', ZIP, 'archive', 'archive'],
    ['a.xlsx', ZIP, 'sheet', 'sheet'],
    ['a.csv', text('a,b'), 'table', 'table'],
    ['a.dwg', padded(text('AC1032')), 'pdf by cad', 'converter'],
    ['a.dwg', text('a drawing?'), 'text', 'text'],
    ['a.ocf', padded(bytes(1, 0)), 'pdf by cad', 'converter'],
    ['a.ocf', new Uint8Array(), 'empty', 'empty'],
    ['a.txt', text('plain'), 'text', 'text'],
    ['a.html', HTML, 'text', 'text'],
  ] as const)('of %s by a program, or without it', (name, head, withIt, without) => {
    expect([converted(name, head), converted(name, head, { has: false })]).toEqual([withIt, without])
  })
  it('of a document of more than 50 MiB is left alone', () => {
    expect(converted('a.odt', ZIP, { size: 50 * MiB })).toBe('pdf by office')
    expect(converted('a.odt', ZIP, { size: 50 * MiB + 1 })).toBe('too-large')
  })
  it('of a table by a program only where it carries a mark', () => {
    expect(converted('a.xlsx', ZIP, { isMarked: true })).toBe('pdf by office')
    expect(converted('a.csv', text('a,b'), { isMarked: true })).toBe('pdf by office')
  })
  it('of text by a program only where it carries a mark, up to 1 MiB', () => {
    expect(converted('a.txt', text('plain'), { isMarked: true })).toBe('pdf by text')
    expect(converted('a.md', text('# a'), { isMarked: true, size: MiB })).toBe('pdf by text')
    expect(converted('page.html', HTML, { isMarked: true })).toBe('pdf by text')
    expect(converted('a.log', text('plain'), { isMarked: true, size: MiB + 1 })).toBe('too-large')
    expect(converted('a.txt', text('plain'), { isMarked: true, has: false })).toBe('text')
  })
  it('that carries a mark is a picture that is made, or none', () => {
    const marked = (name: string, head: Uint8Array, size = head.length) => {
      const { view: shown, reason, isMade, isPaged } = markedView(viewOf(name, size, head), size)
      return reason ?? [shown, isMade, isPaged].join(' ')
    }
    expect(marked('a.png', png(9, 9))).toBe('image true ')
    expect(marked('a.pdf', text('%PDF-1.7'))).toBe('pages true true')
    expect(marked('a.pdf', text('%PDF-1.7'), 101 * MiB)).toBe('too-large')
    expect(marked('a.bmp', padded(text('BM')))).toBe('watermark')
    expect(marked('a.png', png(9, 9), 300 * MiB)).toBe('too-large')
    expect(marked('a.zip', ZIP)).toBe('watermark')
    expect(marked('a.exe', padded(text('MZ')))).toBe('format')
  })
})
