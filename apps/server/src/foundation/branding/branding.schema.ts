import type { BrandingAsset, ImageType } from '@godwit/contract'

interface BrandingImagesTable {
  asset: BrandingAsset
  type: ImageType
  /** SHA-256 of the bytes, in hex. */
  hash: string
  /** The bytes, in base64. */
  content: string
}

declare module '../../kernel/db/tables.ts' {
  interface Tables {
    readonly branding_images: BrandingImagesTable
  }
}

export type { BrandingImagesTable }
