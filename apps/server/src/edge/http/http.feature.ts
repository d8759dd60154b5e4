import type { FastifyInstance } from 'fastify'
import { hostOf, type SiteCertificate } from '../../foundation/certificates/index.ts'
import type { Licence } from '../../foundation/licence/index.ts'
import type { Declared, FeatureWith } from '../../kernel/feature.ts'
import { defineFeature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { availableMemory } from '../../kernel/request-memory.ts'
import type { Sessions } from '../../identity/auth/index.ts'
import type { SiteAccess } from '../../identity/site-access/index.ts'
import { createClientAddresses } from './client-address.ts'
import { defaultConnections } from './connections.ts'
import { createContextFactory, type ContextFactory } from './context.ts'
import { startHttpServer, type HttpServer } from './server.ts'

type Plugin = (fastify: FastifyInstance) => Promise<void> | void

export interface HttpFeatureDeps {
  readonly sessions: Sessions
  readonly siteAccess: SiteAccess
  readonly certificate: SiteCertificate
  readonly licence: Licence
  /** What is served besides the routes of features: pages, documentation, health. */
  readonly pages: (all: Declared, contextOf: ContextFactory) => readonly Plugin[]
}

export interface Http {
  readonly contextOf: ContextFactory
  /** Base address with the real port, once started. */
  url(): string
  /** The same of HTTPS; undefined without. */
  tlsUrl(): string | undefined
}

const GRACE_MS = 5_000

/** Carries everything that the features declared. */
export function httpFeature(kernel: Kernel, given: HttpFeatureDeps): FeatureWith<Http> {
  const { sessions, siteAccess, certificate, licence, pages } = given
  const { config, random, log, clock, listening, memory, metrics } = kernel
  const addresses = createClientAddresses(config.trustedProxies)
  let credentials: Declared['credentials'] = []
  const contextOf = createContextFactory({
    authenticator: sessions,
    ownCredentials: () => credentials,
    random,
    addresses,
    requireAddress: (address) => siteAccess.require(address),
  })
  const connections = {
    total: config['http.maxConnections'] || defaultConnections(availableMemory()),
    perAddress: config['http.maxConnectionsPerAddress'],
  }
  const tls =
    config['tls.port'] === ''
      ? undefined
      : {
          port: config['tls.port'],
          inForce: certificate,
          redirects: config['tls.redirect'] === 'on',
          hstsDays: config['tls.hstsDays'],
          http2: config['tls.http2'] === 'on',
          siteHost: hostOf(config.publicUrl),
        }
  let server: HttpServer | undefined
  return defineFeature<Http>({
    name: 'http',
    api: {
      contextOf,
      url: () => server?.url ?? '',
      tlsUrl: () => (server?.tlsPort === undefined ? undefined : `https://${listening.host}:${server.tlsPort}`),
    },
    async start(all) {
      const { endpoints, operations, raw: rawEndpoints, upgrades } = all
      credentials = all.credentials
      server = await startHttpServer({
        ...listening,
        ...{ endpoints, operations, rawEndpoints, contextOf, addresses, memory, metrics, connections, licence },
        ...{ log, clock },
        allowedOrigins: config['http.allowedOrigins'],
        usesNodeInternals: config['http.nodeInternals'] === 'on',
        plugins: pages(all, contextOf),
        tls,
        onUpgrade(req, socket, head) {
          const path = (req.url ?? '').split('?')[0]
          const door = upgrades.find((upgrade) => upgrade.path === path)
          if (door === undefined) socket.destroy()
          else door.upgrade(req, socket, head)
        },
      })
      listening.port = server.port
      metrics.countConnections(server.connections)
      if (server.tlsPort !== undefined) certificate.servedAt(server.tlsPort)
    },
    stop: async () => server?.close(GRACE_MS),
  })
}
