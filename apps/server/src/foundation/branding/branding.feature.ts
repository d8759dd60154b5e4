import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createRedrawer } from '../pictures/index.ts'
import { brandingAdminEndpoints } from './branding.admin.ts'
import { brandingRawEndpoints } from './branding.routes.ts'
import { openBranding, type Branding } from './branding.service.ts'
import { BRANDING_SETTINGS } from './branding.settings.ts'
import { adoptKeptImages } from './kept-files.ts'
import { redrawBy } from './redraw.ts'

export function brandingFeature({ config, db, clock, log }: Kernel): FeatureWith<Branding> {
  const branding = openBranding({ db, clock })
  const redrawer = createRedrawer(log)
  const redraw = redrawBy(redrawer)
  return defineFeature({
    name: 'branding',
    api: branding,
    endpoints: brandingAdminEndpoints({ branding, redraw }, { db, clock }),
    raw: brandingRawEndpoints(branding),
    settings: BRANDING_SETTINGS,
    start: () => adoptKeptImages({ data: config.data, branding, redraw, log }),
    stop: () => Promise.resolve(redrawer.stop()),
  })
}
