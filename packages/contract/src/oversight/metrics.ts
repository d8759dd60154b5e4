import { z } from 'zod'
import { defineRoute } from '../wire/route.ts'

/** By which a token for `/metrics` is told from other credentials. */
export const METRICS_TOKEN_PREFIX = 'gdm_'

const info = z.object({
  isSet: z.boolean(),
  /** Unix milliseconds. */
  createdAt: z.int().nullable(),
  /** Account; '' without a token. */
  createdBy: z.string(),
})
export type MetricsTokenInfo = z.infer<typeof info>

const access = { right: 'settings.edit' } as const

export const metricsRoutes = {
  scrape: defineRoute({
    method: 'GET',
    path: '/metrics',
    summary: 'Figures of this node in the text format of Prometheus; the token of the site as a bearer credential',
    access: 'public',
    reply: z.string(),
    errors: ['TOKEN_INVALID'],
    raw: 'reply',
  }),
  token: defineRoute({
    method: 'GET',
    path: '/api/admin/metrics/token',
    summary: 'Whether there is a token for /metrics',
    access,
    reply: info,
    errors: [],
  }),
  createToken: defineRoute({
    method: 'POST',
    path: '/api/admin/metrics/token',
    summary: 'Make the token for /metrics; it is shown once, and an earlier one ends',
    access,
    log: 'metrics.token',
    reply: info.extend({ token: z.string() }),
    errors: [],
  }),
  removeToken: defineRoute({
    method: 'POST',
    path: '/api/admin/metrics/token/remove',
    summary: 'Switch /metrics off',
    access,
    log: 'metrics.off',
    reply: z.object({}),
    errors: [],
  }),
}
