import { fileOperations, previewRoutes } from '@godwit/contract'
import type { Branding } from '../../foundation/branding/index.ts'
import type { Conversions } from '../../foundation/conversions/index.ts'
import type { Pictures } from '../../foundation/pictures/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { createTickets } from '../../identity/tickets/index.ts'
import { operation, type RawEndpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { previewLogParts } from '../preview-log/index.ts'
import type { RunningDownloads } from '../downloads/index.ts'
import type { FilesDeps } from '../files/index.ts'
import { previewFile, sendShown, sendThumbnail, type PreviewsDeps } from './previews.service.ts'
import { createWatermarks, type Watermarks } from './watermarks.ts'
import { WATERMARK_SETTINGS } from './watermarks.settings.ts'

export interface PreviewsFeatureDeps {
  readonly files: FilesDeps
  readonly downloads: RunningDownloads
  readonly pictures: Pictures
  readonly conversions: Conversions
  readonly settings: Settings
  readonly branding: Branding
}

export function previewsFeature(
  kernel: Kernel,
  { files, downloads, pictures, conversions, settings, branding }: PreviewsFeatureDeps,
): FeatureWith<Watermarks> {
  const watermarks = createWatermarks({ ...kernel, settings, branding })
  const tickets: PreviewsDeps['tickets'] = createTickets(kernel, { purpose: 'preview', renew: downloads.renew })
  const deps: PreviewsDeps = {
    ...kernel,
    ...{ files, access: files.access, tickets, downloads, pictures, conversions, watermarks },
  }
  const viewLog = previewLogParts(kernel)
  const handle: RawEndpoint['handle'] = (ctx, exchange) => sendShown(deps, ctx, exchange)
  return defineFeature({
    name: 'previews',
    api: watermarks,
    settings: WATERMARK_SETTINGS,
    operations: [
      operation(fileOperations.preview, (ctx, input) => previewFile(deps, ctx, input)),
      ...viewLog.operations,
    ],
    every: viewLog.every,
    raw: [
      { spec: previewRoutes.content, handle },
      { spec: previewRoutes.contentHead, handle },
      { spec: previewRoutes.thumbnail, handle: (ctx, exchange) => sendThumbnail(deps, ctx, exchange) },
    ],
  })
}
