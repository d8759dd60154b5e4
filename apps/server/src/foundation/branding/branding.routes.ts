import { BRANDING_ASSETS, siteRoutes, type BrandingAsset } from '@godwit/contract'
import type { RawEndpoint } from '../../kernel/endpoint.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Branding } from './branding.service.ts'

/** An image is data: whatever its bytes may be taken for, nothing in it runs and nothing is loaded for it. */
const IMAGE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
}
const YEAR_S = 365 * 24 * 3_600

/** One piece: one answer, from the question to its headers. */
export function brandingRawEndpoints(branding: Branding): RawEndpoint[] {
  return [
    {
      spec: siteRoutes.customised,
      async handle(_ctx, { req, res, params, query }) {
        const image = isAsset(params['asset']) ? await branding.image(params['asset']) : undefined
        if (image === undefined) throw new AppError('BRANDING_IMAGE_MISSING')
        const etag = `"${image.hash.slice(0, 32)}"`
        // An address that carries the hash of what it shows never shows anything else.
        const isLasting = query.get('v') === image.hash.slice(0, 16)
        const headers = {
          ...IMAGE_HEADERS,
          etag,
          'cache-control': isLasting ? `public, max-age=${YEAR_S}, immutable` : 'public, no-cache',
        }
        if (req.headers['if-none-match'] === etag) {
          res.writeHead(304, headers).end()
          return
        }
        res.writeHead(200, { ...headers, 'content-type': image.contentType, 'content-length': image.bytes.length })
        res.end(image.bytes)
      },
    },
  ]
}

function isAsset(name: string | undefined): name is BrandingAsset {
  return BRANDING_ASSETS.some((asset) => asset === name)
}
