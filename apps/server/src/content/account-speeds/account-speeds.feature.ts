import type { SiteLicence } from '../../foundation/licence/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { createAccountSpeeds, type AccountSpeeds } from './account-speeds.ts'
import { createLicensedTransfers } from './licensed-transfers.ts'
import { SPEED_SETTINGS } from './speed.settings.ts'

/** How fast transfers are: by account, group, space, site and licence. */
export function accountSpeedsFeature(
  kernel: Kernel,
  { licence, settings }: { readonly licence: SiteLicence; readonly settings: Settings },
): FeatureWith<AccountSpeeds> {
  const api = createAccountSpeeds({ ...kernel, settings, licensed: createLicensedTransfers(kernel, licence) })
  return defineFeature({ name: 'account-speeds', api, settings: SPEED_SETTINGS })
}
