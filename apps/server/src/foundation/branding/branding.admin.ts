import { adminDesignImageRoutes, BRANDING_ASSETS, type BrandingAsset } from '@godwit/contract'
import { endpoint, type Endpoint } from '../../kernel/endpoint.ts'
import { loggedEndpoint, type OperationLogDeps } from '../operation-log/index.ts'
import type { Branding, ImageChanges } from './branding.service.ts'
import type { Redraw } from './redraw.ts'

export interface BrandingAdminDeps {
  readonly branding: Branding
  readonly redraw: Redraw
}

/** The images of the site in the console. */
export function brandingAdminEndpoints({ branding, redraw }: BrandingAdminDeps, log: OperationLogDeps): Endpoint[] {
  const { list, change } = adminDesignImageRoutes
  return [
    endpoint(list, async () => ({ images: await branding.addresses() })),
    loggedEndpoint(log, change, async (_ctx, { body }, record) => {
      const files = filesOf(body.images)
      const before = await branding.addresses()
      const changed = BRANDING_ASSETS.filter((asset) => files[asset] !== undefined)
      await branding.change(files, redraw, (tx) =>
        record(
          tx,
          ...changed.map((asset) => ({
            ...{ kind: 'design', id: asset, name: asset },
            ...{ before: { isOwn: before[asset] !== '' }, after: { isOwn: files[asset] !== null } },
          })),
        ),
      )
      return { images: await branding.addresses() }
    }),
  ]
}

function filesOf(images: Readonly<Partial<Record<BrandingAsset, string | null>>>): ImageChanges {
  const entries = Object.entries(images).map(([asset, content]) => [
    asset,
    content === null ? null : Buffer.from(content, 'base64'),
  ])
  return Object.fromEntries(entries) as ImageChanges
}
