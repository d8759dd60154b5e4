import type { ErrorName } from '@godwit/contract'
import { errorText, pickLocale, type Locale } from '@godwit/i18n'
import type { FastifyInstance } from 'fastify'
import { toAppError } from '../../kernel/errors.ts'
import type { Check } from '../../kernel/feature.ts'

/** What keeps a part from working. No path and no address of the machine: anyone may ask. */
interface Reason {
  readonly code: number
  readonly error: ErrorName
  readonly message: string
}

/**
 * `/healthz`: the process answers. `/readyz`: what it depends on answers too, or 503 naming what does not, with the code of
 * the error and its text.
 */
export function healthPages(checks: readonly Check[]) {
  return (fastify: FastifyInstance): void => {
    fastify.get('/healthz', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'live' }))
    fastify.get('/readyz', async ({ headers }, reply) => {
      const reasons = await reasonsOf(checks, pickLocale(headers['accept-language']))
      const failed = Object.keys(reasons)
      const isReady = failed.length === 0
      return reply
        .code(isReady ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({ status: isReady ? 'ready' : 'not-ready', failed, reasons })
    })
  }
}

async function reasonsOf(checks: readonly Check[], locale: Locale): Promise<Readonly<Record<string, Reason>>> {
  const results = await Promise.allSettled(checks.map(async ({ run }) => run()))
  return Object.fromEntries(
    checks.flatMap(({ name }, at) => {
      const result = results[at]
      return result?.status === 'rejected' ? [[name, reasonOf(result.reason, locale)] as const] : []
    }),
  )
}

function reasonOf(thrown: unknown, locale: Locale): Reason {
  const { code: error, wire: code } = toAppError(thrown)
  return { code, error, message: errorText(locale, error) }
}
