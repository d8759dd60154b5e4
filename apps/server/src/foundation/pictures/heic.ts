import { MAX_HEIC_PIXELS } from './limits.ts'
import { PictureFault } from '../decoding/index.ts'

interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

const BRANDS = /^(?:hei[cxms]|hev[cmsx]|mif1|msf1)$/

/** By the brand of the file (ISO/IEC 23008-12, annex B). */
export function isHeic(file: Uint8Array): boolean {
  const text = (start: number, end: number): string => String.fromCharCode(...file.subarray(start, end))
  return text(4, 8) === 'ftyp' && BRANDS.test(text(8, 12))
}

/**
 * The main picture, upright, as red, green, blue and alpha. The library is loaded with the first one.
 * @throws PictureFault
 */
export async function decodeHeic(file: Uint8Array): Promise<Pixels> {
  const { default: libheif } = await import('libheif-js/wasm-bundle.js')
  const images = new libheif.HeifDecoder().decode(file)
  try {
    const image = images.find((one) => one.is_primary()) ?? images[0]
    if (image === undefined) throw new PictureFault('unreadable')
    const [width, height] = [image.get_width(), image.get_height()]
    if (width * height > MAX_HEIC_PIXELS) throw new PictureFault('too-large')
    const target = { data: new Uint8ClampedArray(width * height * 4), width, height }
    const shown = await new Promise<typeof target | null>((resolve) => image.display(target, resolve))
    if (shown === null) throw new PictureFault('unreadable')
    return { width, height, data: new Uint8Array(shown.data.buffer) }
  } finally {
    for (const image of images) image.free()
  }
}
