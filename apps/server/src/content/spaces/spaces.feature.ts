import { senderAddress, type MailSystem } from '../../foundation/mail/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { defineSettings } from '../../kernel/setting.ts'
import type { Quotas } from '../quotas/index.ts'
import type { Sealing } from '../sealed-bodies/index.ts'
import { spacesEndpoints, type SpacesEndpointsDeps } from './spaces.routes.ts'
import { SPACE_SETTINGS } from './spaces.settings.ts'
import { requireMember } from './spaces.service.ts'
import { ACCOUNT_WAYS, TRANSFER_RULES } from './transfer-rules.settings.ts'

export interface SpacesFeatureDeps extends Pick<SpacesEndpointsDeps, 'settings' | 'groupsOf'> {
  readonly sealing: Sealing
  readonly mail: MailSystem
  readonly quotas: Quotas
}

export function spacesFeature(
  { db }: Kernel,
  { mail, quotas, settings, groupsOf, sealing }: SpacesFeatureDeps,
): Feature {
  return defineFeature({
    name: 'spaces',
    endpoints: spacesEndpoints({
      ...{ db, settings, groupsOf },
      sealingKey: sealing.keyForPages,
      usageOf: quotas.shownUsageOf,
      ownAddress: (userId) => senderAddress({ ...mail.senders, configured: undefined }, userId),
    }),
    settings: defineSettings({ ...SPACE_SETTINGS.specs, ...TRANSFER_RULES.specs, ...ACCOUNT_WAYS.specs }),
    admit: ({ account }, { spaceId }) => requireMember(account, spaceId),
  })
}
