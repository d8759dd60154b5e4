import { senderAddress, type MailSystem } from '../../foundation/mail/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Quotas } from '../quotas/index.ts'
import { spacesEndpoints } from './spaces.routes.ts'
import { SPACE_SETTINGS } from './spaces.settings.ts'
import { requireMember } from './spaces.service.ts'

export interface SpacesFeatureDeps {
  readonly mail: MailSystem
  readonly quotas: Quotas
}

export function spacesFeature({ db }: Kernel, { mail, quotas }: SpacesFeatureDeps): Feature {
  return defineFeature({
    name: 'spaces',
    endpoints: spacesEndpoints({
      db,
      usageOf: quotas.usageOf,
      ownAddress: (userId) => senderAddress({ ...mail.senders, configured: undefined }, userId),
    }),
    settings: SPACE_SETTINGS,
    admit: ({ account }, { spaceId }) => requireMember(account, spaceId),
  })
}
