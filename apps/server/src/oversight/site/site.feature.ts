import { siteRoutes } from '@godwit/contract'
import { ACCOUNT_WAYS } from '../../content/spaces/index.ts'
import { SEALING_SETTINGS } from '../../content/sealed-bodies/index.ts'
import { BRANDING_SETTINGS, type Branding } from '../../foundation/branding/index.ts'
import type { ClientPackages } from '../../foundation/client-packages/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import { senderAddress, SYSTEM, type MailSystem } from '../../foundation/mail/index.ts'
import type { ServerState } from '../../foundation/server-state/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import { listSignOns } from '../../identity/providers/index.ts'
import { isSetupNeeded } from '../../identity/setup/index.ts'
import { AUTH_SETTINGS } from '../../identity/auth/index.ts'
import { CLIENT_SETTINGS, type Clients } from '../../exchange/clients/index.ts'
import { LINK_SETTINGS } from '../../exchange/links/index.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { SettingGroup } from '../../kernel/setting.ts'
import { type SiteEndpointsDeps, siteEndpoints, websiteInfo } from './site.routes.ts'
import { SITE_SETTINGS } from './site.settings.ts'

export interface SiteFeatureDeps {
  readonly settings: Settings
  readonly state: ServerState
  readonly licence: Licence
  readonly packages: ClientPackages
  readonly branding: Branding
  readonly clients: Clients
  readonly mail: MailSystem
}

/** What everybody may know about this installation, gathered from the features that know it. */
export function siteFeature({ config, db, listening }: Kernel, deps: SiteFeatureDeps): Feature {
  const { settings, state, licence, packages, branding, clients, mail } = deps
  let menus: readonly SettingGroup[] = []
  const known: SiteEndpointsDeps = {
    values: async () => ({
      ...(await settings.of(BRANDING_SETTINGS)),
      ...(await licence.terms()),
      ...(await settings.of(AUTH_SETTINGS)),
      ...(await settings.of(SEALING_SETTINGS)),
      ...(await settings.of(CLIENT_SETTINGS)),
      ...(await settings.of(ACCOUNT_WAYS)),
      ...(await settings.of(LINK_SETTINGS)),
    }),
    menu: async () => {
      const values = await Promise.all(menus.map(async (group) => settings.of(group)))
      return Object.fromEntries(values.flatMap((group) => Object.entries(group)))
    },
    siteFacts: async () => ({
      isPaused: state.pausedAt() !== undefined,
      setupNeeded: await isSetupNeeded(db),
      passwordPreset: config['security.passwordPreset'],
      clientPackages: await packages.present(),
      signOns: await listSignOns(db),
      images: await branding.addresses(),
    }),
    serviceFacts: async () => ({
      ...listening,
      clientsOnline: await clients.online(),
      emailAccount: await senderAddress(mail.senders, SYSTEM),
    }),
  }
  const look = async () => [{ spec: siteRoutes.website, data: await websiteInfo(known) }]
  return defineFeature({
    name: 'site',
    settings: SITE_SETTINGS,
    endpoints: siteEndpoints(known),
    pageAnswers: [
      { under: '/share', answers: look },
      // The pages below it are drawn by their code.
      { under: '/signin', answers: async (_ctx, path) => (path === '/signin' ? look() : []) },
    ],
    async start(all) {
      menus = all.settings.filter(({ specs }) => Object.keys(specs).some((key) => key.startsWith('menu.')))
      await Promise.resolve()
    },
  })
}
