import { BRANDING_RULES, type BrandingAsset, type ImageFault, type ImageType } from '@godwit/contract'
import { AppError } from '../../kernel/errors.ts'

export interface ImageFacts {
  readonly type: ImageType
  readonly width: number
  readonly height: number
}

/**
 * What an image says of itself in its first bytes. Only what is needed is read, and nothing is believed that lies beyond
 * the end. Sources: PNG (ISO 15948, 5.2 and 11.2.2), JPEG (T.81, B.1.1.3 and B.2.2), ICO (the header of the directory).
 * @returns undefined for anything else
 */
export function imageFacts(bytes: Uint8Array): ImageFacts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return png(view) ?? jpeg(view) ?? ico(view)
}

/**
 * @returns the facts of an image that is good for this place
 * @throws AppError BRANDING_IMAGE_INVALID naming the rule it breaks
 */
export function requireImage(asset: BrandingAsset, bytes: Uint8Array): ImageFacts {
  const rule = BRANDING_RULES[asset]
  const types: readonly ImageType[] = rule.types
  const [maxWidth, maxHeight] = rule.maxPixels
  if (bytes.length > rule.maxBytes) throw refused(asset, 'size', { maxBytes: rule.maxBytes })
  const facts = imageFacts(bytes)
  // SVG is text that can run scripts, and whatever else this is cannot be told either.
  if (facts === undefined || !types.includes(facts.type)) throw refused(asset, 'type', { types })
  if (facts.width > maxWidth || facts.height > maxHeight || facts.width === 0 || facts.height === 0) {
    throw refused(asset, 'dimensions', { width: facts.width, height: facts.height, maxWidth, maxHeight })
  }
  return facts
}

function refused(asset: BrandingAsset, reason: ImageFault, details: Readonly<Record<string, unknown>>): AppError {
  return new AppError('BRANDING_IMAGE_INVALID', { field: asset, reason, ...details })
}

const PNG_SIGNATURE = [0x89504e47, 0x0d0a1a0a] as const
const IHDR = 0x49484452

function png(view: DataView): ImageFacts | undefined {
  if (view.byteLength < 33 || view.getUint32(0) !== PNG_SIGNATURE[0] || view.getUint32(4) !== PNG_SIGNATURE[1])
    return undefined
  if (view.getUint32(8) !== 13 || view.getUint32(12) !== IHDR) return undefined
  return { type: 'png', width: view.getUint32(16), height: view.getUint32(20) }
}

const JPEG_START = 0xffd8

function jpeg(view: DataView): ImageFacts | undefined {
  if (view.byteLength < 4 || view.getUint16(0) !== JPEG_START) return undefined
  let at = 2
  while (at + 9 <= view.byteLength) {
    const marker = view.getUint8(at + 1)
    if (view.getUint8(at) !== 0xff || marker === 0xda) return undefined
    if (isFrame(marker)) return { type: 'jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return undefined
}

/** Start of frame, of any coding: C0 to CF but the tables C4, C8 and CC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** An icon file holds several images; the largest counts. A length of 0 means 256. */
function ico(view: DataView): ImageFacts | undefined {
  if (view.byteLength < 22 || view.getUint32(0) !== 0x00000100) return undefined
  const count = view.getUint16(4, true)
  if (count === 0 || 6 + 16 * count > view.byteLength) return undefined
  const lengths = (offset: number) =>
    Array.from({ length: count }, (_, index) => view.getUint8(6 + 16 * index + offset) || 256)
  return { type: 'ico', width: Math.max(...lengths(0)), height: Math.max(...lengths(1)) }
}
