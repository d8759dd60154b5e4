import { LIMITS } from '../limits.ts'

/** Images an operator may replace, by the last part of their address: `/customize/logo`. */
export const BRANDING_ASSETS = ['logo', 'icon', 'background', 'watermark'] as const
export type BrandingAsset = (typeof BRANDING_ASSETS)[number]

/** Accepted image formats. SVG is excluded because it can contain scripts. */
export const IMAGE_TYPES = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  ico: 'image/x-icon',
} as const
export type ImageType = keyof typeof IMAGE_TYPES

/** Why an image is refused: bytes, format, pixels, or a file that is not whole. */
export const IMAGE_FAULTS = ['size', 'type', 'dimensions', 'broken'] as const
export type ImageFault = (typeof IMAGE_FAULTS)[number]

export interface ImageRule {
  readonly maxBytes: number
  /** Width and height, in pixels. */
  readonly maxPixels: readonly [number, number]
  readonly types: readonly ImageType[]
}

const KIBIBYTE = 1024

/** Limits and formats of uploaded images: the screens are designed for these sizes. */
export const BRANDING_RULES = {
  logo: { maxBytes: 512 * KIBIBYTE, maxPixels: LIMITS.logoMaxPixels, types: ['png', 'jpeg'] },
  icon: { maxBytes: 128 * KIBIBYTE, maxPixels: LIMITS.iconMaxPixels, types: ['ico', 'png'] },
  background: { maxBytes: 4096 * KIBIBYTE, maxPixels: LIMITS.backgroundMaxPixels, types: ['png', 'jpeg'] },
  watermark: { maxBytes: 512 * KIBIBYTE, maxPixels: LIMITS.backgroundMaxPixels, types: ['png', 'jpeg'] },
} as const satisfies Readonly<Record<BrandingAsset, ImageRule>>
