import type { FastifyInstance } from 'fastify'
import type { Check } from '../../kernel/feature.ts'

/** `/healthz`: the process answers. `/readyz`: what it depends on answers too, or 503 naming what does not. */
export function healthPages(checks: readonly Check[]) {
  return (fastify: FastifyInstance): void => {
    fastify.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }))
    fastify.get('/readyz', async (_request, reply) => {
      const results = await Promise.allSettled(checks.map(async ({ run }) => run()))
      const failed = checks.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name)
      return reply
        .code(failed.length === 0 ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: failed.length === 0 ? 'ready' : 'not-ready', failed })
    })
  }
}
