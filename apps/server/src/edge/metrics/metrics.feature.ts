import { metricsRoutes } from '@godwit/contract'
import { loggedEndpoint } from '../../foundation/operation-log/index.ts'
import type { RunningStorages } from '../../foundation/storages/index.ts'
import { endpoint, type RawEndpoint } from '../../kernel/endpoint.ts'
import { defineFeature, type Feature } from '../../kernel/feature.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { collectProcess } from '../../kernel/metrics.ts'
import { collectGauges } from './gauges.ts'
import {
  createMetricsToken,
  metricsTokenInfo,
  removeMetricsToken,
  requireMetricsToken,
  type MetricsTokenDeps,
} from './metrics-token.service.ts'

export interface MetricsFeatureDeps {
  readonly storages: RunningStorages
}

/** `/metrics` for Prometheus, for whoever has the token of the site; without one nobody reads it. */
export function metricsFeature(kernel: Kernel, deps: MetricsFeatureDeps): Feature {
  const { db, clock, random, config, metrics } = kernel
  const log = { db, clock }
  return defineFeature({
    name: 'metrics',
    endpoints: [
      endpoint(metricsRoutes.token, () => metricsTokenInfo(kernel)),
      loggedEndpoint(log, metricsRoutes.createToken, async (ctx, _input, record) =>
        createMetricsToken({ db, clock, random }, { ctx, record }),
      ),
      loggedEndpoint(log, metricsRoutes.removeToken, async (_ctx, _input, record) => {
        await removeMetricsToken(kernel, record)
        return {}
      }),
    ],
    raw: [scrape(kernel)],
    async start() {
      collectProcess(metrics.registry)
      collectGauges({ ...deps, db, metrics, database: kernel.database, data: config.data })
      await Promise.resolve()
    },
    stop: () => Promise.resolve(metrics.registry.clear()),
  })
}

function scrape({ db, metrics: { registry } }: MetricsTokenDeps & Pick<Kernel, 'metrics'>): RawEndpoint {
  return {
    spec: metricsRoutes.scrape,
    async handle({ bearer }, { req, res }) {
      await requireMetricsToken({ db }, bearer)
      const text = await registry.metrics()
      res.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' })
      res.end(req.method === 'HEAD' ? undefined : text)
    },
  }
}
