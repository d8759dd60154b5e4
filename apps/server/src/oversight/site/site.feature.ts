import type { Branding } from '../../foundation/branding/index.ts'
import type { ClientPackages } from '../../foundation/client-packages/index.ts'
import { senderAddress, SYSTEM, type MailSystem } from '../../foundation/mail/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { isSetupNeeded } from '../../identity/setup/index.ts'
import type { Clients } from '../../exchange/clients/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { siteEndpoints } from './site.routes.ts'

export interface SiteFeatureDeps {
  readonly settings: Settings
  readonly packages: ClientPackages
  readonly branding: Branding
  readonly clients: Clients
  readonly mail: MailSystem
}

/** What everybody may know about this installation, gathered from the features that know it. */
export function siteFeature({ config, db, listening }: Kernel, deps: SiteFeatureDeps): Feature {
  const { settings, packages, branding, clients, mail } = deps
  return defineFeature({
    name: 'site',
    endpoints: siteEndpoints({
      settings,
      siteFacts: async () => ({
        setupNeeded: await isSetupNeeded(db),
        passwordPreset: config['security.passwordPreset'],
        clientPackages: await packages.present(),
        images: await branding.addresses(),
      }),
      serviceFacts: async () => ({
        ...listening,
        clientsOnline: await clients.online(),
        emailAccount: await senderAddress(mail.senders, SYSTEM),
      }),
    }),
  })
}
