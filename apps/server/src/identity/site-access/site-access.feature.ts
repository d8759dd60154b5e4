import type { Settings } from '../../foundation/settings/index.ts'
import { AppError } from '../../kernel/errors.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import { isAdmitted } from './site-access.policy.ts'
import { SITE_ACCESS_SETTINGS } from './site-access.settings.ts'

/** From where the site may be reached. */
export interface SiteAccess {
  /** @throws AppError SITE_ACCESS_DENIED */
  require(address: string): Promise<void>
}

export function siteAccessFeature({ settings }: { readonly settings: Settings }): FeatureWith<SiteAccess> {
  return defineFeature({
    name: 'site-access',
    settings: SITE_ACCESS_SETTINGS,
    api: {
      async require(address) {
        if (!isAdmitted(address, await settings.of(SITE_ACCESS_SETTINGS))) throw new AppError('SITE_ACCESS_DENIED')
      },
    },
  })
}
