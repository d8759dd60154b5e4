import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'
import { BRANDING_ASSETS } from './branding.ts'

/** Addresses of the site's own images; '' for one that is not replaced. */
const images = z.object({ images: z.record(z.enum(BRANDING_ASSETS), z.string()) })

/** Beyond what any image may have, so that the rule it breaks is reported by its own code. */
const BASE64_MAX = 6 * 1024 * 1024

/** A file in base64; null gives the image back that the product is shipped with. */
const file = z.base64().max(BASE64_MAX).nullable()

export const adminDesignImageRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/admin/design/images',
    summary: "Addresses of the site's own images",
    access: { right: 'design.edit' },
    reply: images,
    errors: [],
  }),
  change: defineRoute({
    method: 'PUT',
    path: '/api/admin/design/images',
    summary: "Replace the site's own images, all or none; each is checked and made anew from its pixels",
    access: { right: 'design.edit' },
    feature: 'customisation',
    log: 'design.edit',
    body: z.strictObject({ images: z.partialRecord(z.enum(BRANDING_ASSETS), file) }),
    reply: images,
    errors: ['BRANDING_IMAGE_INVALID'],
  }),
}
