import type { ClientPackages } from '../../foundation/client-packages/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import type { Settings } from '../../foundation/settings/index.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import { createTickets } from '../../identity/tickets/index.ts'
import { AppError, failureBody } from '../../kernel/errors.ts'
import { defineFeature, type FeatureWith } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { push } from '../../kernel/push.ts'
import { clientEndpoints, clientRawEndpoints, type ClientEndpointsDeps } from './clients.routes.ts'
import { CLIENT_SETTINGS } from './clients.settings.ts'
import { createClients, type Clients } from './clients.service.ts'

export interface ClientsFeatureDeps {
  readonly settings: Settings
  readonly licence: Licence
  readonly packages: ClientPackages
  readonly sessions: Sessions
}

/** Soon after a client came or the switch was turned, without anybody waiting for it. */
const OFFER_MS = 5_000

export function clientsFeature(kernel: Kernel, deps: ClientsFeatureDeps): FeatureWith<Clients> {
  const { settings, licence, packages, sessions } = deps
  const clients = createClients({
    bus: kernel.bus,
    rules: async () => ({ ...(await settings.of(CLIENT_SETTINGS)), maxClients: (await licence.terms()).clients }),
  })
  const endpoints: ClientEndpointsDeps = {
    ...{ clients, packages },
    tickets: createTickets(kernel, { purpose: 'client', renew: (principal) => sessions.renew(principal) }),
  }
  return defineFeature({
    name: 'clients',
    api: clients,
    endpoints: clientEndpoints(endpoints),
    raw: clientRawEndpoints(endpoints),
    settings: CLIENT_SETTINGS,
    every: [{ name: 'offer-upgrades', everyMs: OFFER_MS, work: () => clients.offerUpgrades() }],
    push: [
      push('client.changed', {
        signal: 'client.changed',
        to: ({ userId }) => userId,
        message: ({ client }) => ({ client }),
      }),
      push('client.refused', {
        signal: 'client.refused',
        to: ({ userId }) => userId,
        message: (refusal, reader) => {
          const { code, message, data = {} } = failureBody(reader, new AppError(refusal.code, refusal.details))
          return { code, message, data }
        },
      }),
    ],
  })
}
