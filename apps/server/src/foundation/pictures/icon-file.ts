import sharp, { type Sharp } from 'sharp'
import { PictureFault } from '../decoding/index.ts'

/** An icon's picture, as bitmaps within icon files have it: rows from the bottom up, blue first. */
interface Bitmap {
  readonly view: DataView
  readonly width: number
  readonly height: number
  readonly bits: number
  /** Where colors begin; pixels follow them. */
  readonly palette: number
  readonly pixels: number
  /** Bytes of a row of pixels. */
  readonly stride: number
}

const PNG_SIGNATURE = 0x89504e47
const BITMAP_HEADER_BYTES = 40
const DEPTHS: readonly number[] = [1, 4, 8, 24, 32]
/** A row of bits is padded to four bytes. */
const strideOf = (width: number, bits: number): number => Math.ceil((width * bits) / 32) * 4

export function isIcon(file: Uint8Array): boolean {
  return file.length >= 22 && viewOf(file).getUint32(0) === 0x00000100
}

/**
 * The largest picture of an icon file: a PNG, or a bitmap without the header of its file.
 * Source: the ICONDIR structure and BITMAPINFOHEADER of Windows.
 * @throws PictureFault
 */
export function openIcon(file: Uint8Array): Sharp {
  try {
    const picture = largestOf(file)
    const view = viewOf(picture)
    return view.getUint32(0) === PNG_SIGNATURE ? sharp(picture, { failOn: 'error' }) : pixelsOf(bitmapOf(view))
  } catch (cause) {
    // Whatever lies beyond the end of the file is no picture.
    if (cause instanceof RangeError) throw new PictureFault('unreadable', { cause })
    throw cause
  }
}

function largestOf(file: Uint8Array): Uint8Array {
  const view = viewOf(file)
  const entries = Array.from({ length: view.getUint16(4, true) }, (_, index) => {
    const at = 6 + 16 * index
    return {
      width: view.getUint8(at) || 256,
      bits: view.getUint16(at + 6, true),
      bytes: view.getUint32(at + 8, true),
      start: view.getUint32(at + 12, true),
    }
  })
  const [largest] = entries.toSorted((a, b) => b.width - a.width || b.bits - a.bits)
  if (largest === undefined) throw new PictureFault('unreadable')
  return file.subarray(largest.start, largest.start + largest.bytes)
}

function bitmapOf(view: DataView): Bitmap {
  const header = view.getUint32(0, true)
  const width = view.getInt32(4, true)
  // The picture, and below it the mask of what is seen of it.
  const height = view.getInt32(8, true) / 2
  const bits = view.getUint16(14, true)
  const isPlain = header === BITMAP_HEADER_BYTES && view.getUint32(16, true) === 0
  const isSized = width > 0 && width <= 256 && height > 0 && height <= 256 && Number.isInteger(height)
  if (!isPlain || !isSized || !DEPTHS.includes(bits)) throw new PictureFault('unsupported')
  const colors = bits > 8 ? 0 : view.getUint32(32, true) || 2 ** bits
  const pixels = header + 4 * colors
  return { view, width, height, bits, palette: header, pixels, stride: strideOf(width, bits) }
}

function pixelsOf(bitmap: Bitmap): Sharp {
  const { view, width, height, bits, pixels, stride } = bitmap
  const data = Buffer.alloc(4 * width * height)
  for (let y = 0; y < height; y++) {
    const row = pixels + (height - 1 - y) * stride
    for (let x = 0; x < width; x++) {
      const at = colorAt(bitmap, row, x)
      const color = [view.getUint8(at + 2), view.getUint8(at + 1), view.getUint8(at)]
      data.set([...color, bits === 32 ? view.getUint8(at + 3) : 255], 4 * (y * width + x))
    }
  }
  // Older icons of 32 bits leave their alpha empty, and have the mask alone.
  const isMasked = bits < 32 || data.every((value, at) => at % 4 !== 3 || value === 0)
  if (isMasked) applyMask(bitmap, data)
  return sharp(data, { raw: { width, height, channels: 4 } })
}

function colorAt({ view, bits, palette }: Bitmap, row: number, x: number): number {
  if (bits > 8) return row + (x * bits) / 8
  const byte = view.getUint8(row + Math.floor((x * bits) / 8))
  const shift = 8 - bits - ((x * bits) % 8)
  return palette + 4 * ((byte >> shift) & (2 ** bits - 1))
}

function applyMask({ view, width, height, pixels, stride }: Bitmap, data: Buffer): void {
  const mask = pixels + height * stride
  const maskStride = strideOf(width, 1)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = view.getUint8(mask + (height - 1 - y) * maskStride + (x >> 3))
      data[4 * (y * width + x) + 3] = (byte >> (7 - (x & 7))) & 1 ? 0 : 255
    }
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
