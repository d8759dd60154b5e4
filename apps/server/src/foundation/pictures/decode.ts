import sharp, { type Sharp } from 'sharp'
import { burnIn } from './burn-in.ts'
import type { DecodeRequest } from './picture-request.ts'
import { decodeHeic, isHeic } from './heic.ts'
import { isIcon, openIcon } from './icon-file.ts'
import { MAX_PIXELS, QUALITY, REDRAWN_QUALITY } from './limits.ts'
import { PictureFault } from '../decoding/index.ts'
import { rawPreview } from './raw-preview.ts'

/** Whatever else the library could load stays unloaded: other formats, and files by name. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`)

/** To be called once, before the first picture. */
export function confineLibrary(): void {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
}

const SMALL_EDGE = 512
/** Drawings are drawn in the size that is asked for; of this many pixels an inch at most. */
const SVG_DENSITY = { natural: 72, max: 2400 } as const

const INPUT = {
  limitInputPixels: MAX_PIXELS,
  // A photo whose end is missing is shown as far as it goes.
  failOn: 'none',
  sequentialRead: true,
} as const

type WantedPicture = Pick<DecodeRequest, 'edge' | 'mark'>

/**
 * The picture of a file as WebP: upright, in sRGB, without any of its metadata, its longer edge no longer than asked for,
 * with the mark where there is one.
 * @throws PictureFault
 */
export async function decodePicture(file: Uint8Array, { edge, mark }: WantedPicture): Promise<Uint8Array> {
  return drawn(async () => {
    const upright = await openPicture(file, edge)
    const picture = upright.resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    const shown = mark === undefined ? picture : await burnIn(picture, mark)
    return shown.webp({ quality: edge <= SMALL_EDGE ? QUALITY.small : QUALITY.large, effort: 2 }).toBuffer()
  })
}

/**
 * The same picture in the same size, made anew: upright, in sRGB, without metadata and whatever else the file held. A file that
 * is not whole is refused.
 * @throws PictureFault
 */
export async function redrawPicture(file: Uint8Array, format: 'png' | 'jpeg'): Promise<Uint8Array> {
  return drawn(async () => {
    const whole = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
    const picture = isIcon(file) ? openIcon(file) : sharp(file, whole).autoOrient()
    if (format === 'jpeg') return picture.jpeg({ quality: REDRAWN_QUALITY }).toBuffer()
    const { isPalette } = isIcon(file) ? { isPalette: false } : await sharp(file, whole).metadata()
    return picture.png({ compressionLevel: 9, ...(isPalette ? { palette: true } : {}) }).toBuffer()
  })
}

/** What the library throws at a picture, as a fault of the picture. */
async function drawn(work: () => Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof PictureFault) throw thrown
    const isLarge = thrown instanceof Error && /exceeds pixel limit/.test(thrown.message)
    throw new PictureFault(isLarge ? 'too-large' : 'unreadable', { cause: thrown })
  }
}

async function openPicture(file: Uint8Array, edge: number): Promise<Sharp> {
  if (isHeic(file)) {
    const { data, width, height } = await decodeHeic(file)
    return sharp(data, { raw: { width, height, channels: 4 } })
  }
  const raw = rawPreview(file)
  if (raw !== undefined) return openRaw(file.subarray(raw.start, raw.end), raw.orientation)
  const { format, width, height } = await sharp(file, INPUT).metadata()
  if (format !== 'svg') return sharp(file, INPUT).autoOrient()
  const density = (SVG_DENSITY.natural * edge) / Math.max(width, height, 1)
  return sharp(file, { ...INPUT, density: Math.min(SVG_DENSITY.max, Math.max(1, density)) })
}

/** Turns by EXIF orientation: degrees clockwise, after a mirroring where there is one. */
const TURNS: Readonly<Record<number, { readonly degrees: number; readonly isMirrored?: true }>> = {
  2: { degrees: 0, isMirrored: true },
  3: { degrees: 180 },
  4: { degrees: 180, isMirrored: true },
  5: { degrees: 270, isMirrored: true },
  6: { degrees: 90 },
  7: { degrees: 90, isMirrored: true },
  8: { degrees: 270 },
}

/** Cameras say in the raw file, and not always in the picture within, how it was held. */
async function openRaw(picture: Uint8Array, orientation: number): Promise<Sharp> {
  const { orientation: own } = await sharp(picture, INPUT).metadata()
  if (own !== undefined) return sharp(picture, INPUT).autoOrient()
  const turn = TURNS[orientation]
  if (turn === undefined) return sharp(picture, INPUT)
  const mirrored = turn.isMirrored === true ? sharp(picture, INPUT).flop() : sharp(picture, INPUT)
  return mirrored.rotate(turn.degrees)
}
