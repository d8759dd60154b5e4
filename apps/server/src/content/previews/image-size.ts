/** Width and height that a picture announces, in pixels. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/**
 * What a browser would have to make room for, read from the header alone: a file of 1 KB may announce 60,000 x 60,000 pixels.
 * @returns undefined when the header does not say so within these bytes
 */
export function imageSize(type: string, head: Uint8Array): ImageSize | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    return READERS[type]?.(view)
  } catch (thrown) {
    // Cut off before the size.
    if (thrown instanceof RangeError) return undefined
    throw thrown
  }
}

const READERS: Readonly<Record<string, (view: DataView) => ImageSize | undefined>> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/bmp': (view) => ({ width: Math.abs(view.getInt32(18, true)), height: Math.abs(view.getInt32(22, true)) }),
  'image/webp': webpSize,
  'image/jpeg': jpegSize,
  'image/avif': avifSize,
  'image/heic': avifSize,
}

function webpSize(view: DataView): ImageSize | undefined {
  switch (view.getUint32(12)) {
    // "VP8X": 24-bit fields, one less than the size.
    case 0x5650_3858:
      return { width: 1 + (view.getUint32(24, true) & 0xff_ffff), height: 1 + (view.getUint32(26, true) >>> 8) }
    // "VP8L": 14 bits each, one less than the size.
    case 0x5650_384c: {
      const bits = view.getUint32(21, true)
      return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
    }
    // "VP8 ": 14 bits each.
    case 0x5650_3820:
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    default:
      return undefined
  }
}

/** Walks the segments up to the frame header (ITU-T T.81, B.2.2). */
function jpegSize(view: DataView): ImageSize | undefined {
  let at = 2
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return undefined
}

/** The largest of the image spatial extents (ISO/IEC 23008-12, 6.5.3), wherever they stand in the meta box. */
function avifSize(view: DataView): ImageSize | undefined {
  let found: ImageSize | undefined
  for (let at = 0; at + 16 <= view.byteLength; at++) {
    if (view.getUint32(at) !== 0x6973_7065) continue
    const size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
    if (found === undefined || size.width * size.height > found.width * found.height) found = size
  }
  return found
}
