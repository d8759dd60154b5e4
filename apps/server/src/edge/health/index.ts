import type { FastifyInstance } from 'fastify'

/** What the server needs to do its work, by name; each resolves, or throws with the reason. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>

/** `/healthz`: the process answers. `/readyz`: what it depends on answers too, or 503 naming what does not. */
export function healthPages(checks: ReadinessChecks) {
  return (fastify: FastifyInstance): void => {
    fastify.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }))
    fastify.get('/readyz', async (_request, reply) => {
      const names = Object.keys(checks)
      const results = await Promise.allSettled(Object.values(checks).map(async (check) => check()))
      const failed = names.filter((_name, index) => results[index]?.status === 'rejected')
      return reply
        .code(failed.length === 0 ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: failed.length === 0 ? 'ready' : 'not-ready', failed })
    })
  }
}
