import sharp, { type OverlayOptions, type Sharp } from 'sharp'
import type { Mark } from './picture-request.ts'
import { PictureFault } from '../decoding/index.ts'

/** Pixels with alpha. */
interface Stamp {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }
/** Letters by the longer edge of the picture: readable in a thumbnail, and not the whole of a page. */
const LETTER = { part: 1 / 42, least: 11, most: 56 } as const
/** Of the picture, which one stamp takes at most. */
const STAMP_PART = { text: 0.8, image: 0.3 } as const
const TILT_DEGREES = -30
const GRAVITIES = [
  'northwest',
  'north',
  'northeast',
  'west',
  'centre',
  'east',
  'southwest',
  'south',
  'southeast',
] as const

/**
 * The same picture with the mark in it.
 * @throws PictureFault when the mark would not be seen, as text without a font is not
 */
export async function burnIn(picture: Sharp, mark: Mark): Promise<Sharp> {
  const { data, info } = await picture.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const letter = Math.min(LETTER.most, Math.max(LETTER.least, Math.round(Math.max(width, height) * LETTER.part)))
  const stamp = faded(await stampOf(mark, { width, height, letter }), mark.opacity)
  const place = placing(mark.position)
  const spaced = await spacedOut(stamp, { gap: letter, isTilted: place.tile === true })
  // A stamp larger than the picture could not be put on it.
  const { data: fitting, info: size } = await raw(spaced)
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const overlay = { input: fitting, raw: { width: size.width, height: size.height, channels: 4 as const }, ...place }
  return raw({ data, width, height }).composite([overlay])
}

function placing(position: number): Pick<OverlayOptions, 'tile' | 'gravity'> {
  const gravity = GRAVITIES[position - 1]
  return gravity === undefined ? { tile: true, gravity: 'northwest' } : { gravity }
}

interface Room {
  readonly width: number
  readonly height: number
  /** Height of the letters in pixels. */
  readonly letter: number
}

/** The image above the text, as far as there are any. */
async function stampOf({ text, image }: Mark, room: Room): Promise<Stamp> {
  const parts: Stamp[] = []
  if (image !== undefined) parts.push(await imageStamp(Buffer.from(image, 'base64'), room))
  if (text !== '') parts.push(await textStamp(text, room))
  const width = Math.max(1, ...parts.map((part) => part.width))
  const height = Math.max(
    1,
    parts.reduce((sum, part) => sum + part.height, 0),
  )
  let top = 0
  const overlays = parts.map((part) => {
    const overlay = { ...overlayOf(part), left: Math.floor((width - part.width) / 2), top }
    top += part.height
    return overlay
  })
  return composed({ width, height }, overlays)
}

function imageStamp(image: Buffer, { width, height }: Room): Promise<Stamp> {
  const most = (edge: number): number => Math.max(1, Math.floor(edge * STAMP_PART.image))
  return pixelsOf(
    sharp(image, { limitInputPixels: 1920 * 1080 }).resize({
      ...{ width: most(width), height: most(height) },
      ...{ fit: 'inside', withoutEnlargement: true },
    }),
  )
}

/** White letters with a dark edge, so that they are read on any ground. */
async function textStamp(text: string, { width, letter }: Room): Promise<Stamp> {
  const room = Math.max(8 * letter, Math.floor(width * STAMP_PART.text))
  const dark = await lettersOf(text, '#000000', { letter, room })
  const light = await lettersOf(text, '#ffffff', { letter, room })
  const edge = Math.max(1, Math.round(letter / 24))
  const shifts = [0, 2 * edge].flatMap((left) => [0, 2 * edge].map((top) => ({ left, top })))
  const size = {
    width: Math.max(dark.width, light.width) + 2 * edge,
    height: Math.max(dark.height, light.height) + 2 * edge,
  }
  return composed(size, [
    ...shifts.map((shift) => ({ ...overlayOf(dark), ...shift })),
    { ...overlayOf(light), left: edge, top: edge },
  ])
}

interface Lettering {
  readonly letter: number
  /** Pixels, before the line is broken. */
  readonly room: number
}

function lettersOf(text: string, colour: string, { letter, room }: Lettering): Promise<Stamp> {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const markup = `<span foreground="${colour}">${escaped}</span>`
  // At 72 dots an inch a point is a pixel.
  const face = { font: `sans ${letter}`, dpi: 72, width: room, wrap: 'word-char', align: 'centre' } as const
  return pixelsOf(sharp({ text: { ...face, text: markup, rgba: true } }))
}

function composed(size: Pick<Stamp, 'width' | 'height'>, overlays: OverlayOptions[]): Promise<Stamp> {
  return pixelsOf(sharp({ create: { ...size, channels: 4, background: CLEAR } }).composite(overlays))
}

function overlayOf(stamp: Stamp): OverlayOptions {
  return { input: stamp.data, raw: { width: stamp.width, height: stamp.height, channels: 4 } }
}

function raw({ data, width, height }: Stamp): Sharp {
  return sharp(data, { raw: { width, height, channels: 4 } })
}

async function pixelsOf(picture: Sharp): Promise<Stamp> {
  const { data, info } = await picture.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

/** @throws PictureFault when there is nothing to see in it */
function faded(stamp: Stamp, opacity: number): Stamp {
  const data = Buffer.from(stamp.data)
  let isSeen = false
  for (let at = 3; at < data.length; at += 4) {
    const alpha = data[at] ?? 0
    if (alpha === 0) continue
    isSeen = true
    data[at] = Math.max(1, Math.round((alpha * opacity) / 100))
  }
  if (!isSeen) throw new PictureFault('unsupported')
  return { ...stamp, data }
}

interface Spacing {
  readonly gap: number
  readonly isTilted: boolean
}

async function spacedOut(stamp: Stamp, { gap, isTilted }: Spacing): Promise<Stamp> {
  const turned = isTilted ? await pixelsOf(raw(stamp).rotate(TILT_DEGREES, { background: CLEAR })) : stamp
  return pixelsOf(raw(turned).extend({ top: gap, bottom: gap, left: gap, right: gap, background: CLEAR }))
}
