import { crc32, deflateSync } from 'node:zlib'

/** A black PNG of this size that every browser shows. */
export function pngOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1 // one bit a pixel, greyscale
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const chunk = Buffer.alloc(4 + body.length + 4)
  chunk.writeUInt32BE(content.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), 4 + body.length)
  return chunk
}

/** The beginning of a JPEG: an application segment, a table, then the frame. */
export function jpegOf(width: number, height: number): Buffer {
  const frame = Buffer.from('ffc0000b080000000001011100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8ffe000044a46ffc4000300', 'hex'), frame, Buffer.from('ffd9', 'hex')])
}

/** An icon file with square images of these lengths, black; 0 means 256. */
export function icoOf(lengths: readonly number[]): Buffer {
  return iconFileOf(lengths.map((length) => ({ length, picture: pngOf(length || 256, length || 256) })))
}

interface IconPicture {
  readonly length: number
  readonly picture: Buffer
}

/** An icon file of pictures, each a PNG or a bitmap without its file's header. */
export function iconFileOf(pictures: readonly IconPicture[]): Buffer {
  const header = Buffer.alloc(6)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let start = 6 + 16 * pictures.length
  const entries = pictures.map(({ length, picture }) => {
    const entry = Buffer.alloc(16)
    entry[0] = length
    entry[1] = length
    entry.writeUInt32LE(picture.length, 8)
    entry.writeUInt32LE(start, 12)
    start += picture.length
    return entry
  })
  return Buffer.concat([header, ...entries, ...pictures.map(({ picture }) => picture)])
}
