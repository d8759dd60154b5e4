import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { brandingRawEndpoints } from './branding.routes.ts'
import { BRANDING_SETTINGS } from './branding.settings.ts'
import { openBranding, type Branding } from './branding.service.ts'

export function brandingFeature({ config, clock, random }: Kernel): FeatureWith<Branding> {
  const branding = openBranding({ data: config.data, clock, random })
  return defineFeature({
    name: 'branding',
    api: branding,
    raw: brandingRawEndpoints(branding),
    settings: BRANDING_SETTINGS,
  })
}
