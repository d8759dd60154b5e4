import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { SECURITY_HEADERS } from './answers.ts'

/** Nothing inline, nothing foreign, no HTML made from text. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self' ws: wss:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join('; ')

/** The built portal: the folder of hashed assets, and the page that loads them. */
export interface PortalFiles {
  readonly assets: string
  readonly page: Buffer
}

/** Pages of the portal: any address without a dot that is not an API opens the application, which routes by itself. */
export function portalPages({ assets, page }: PortalFiles) {
  return async (fastify: FastifyInstance): Promise<void> => {
    await fastify.register(fastifyStatic, {
      root: assets,
      prefix: '/assets/',
      immutable: true,
      maxAge: '1y',
      index: false,
      preCompressed: true,
      setHeaders: (reply) => {
        for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value)
      },
    })
    fastify.get('/*', (request, reply) => {
      const isPage = /^\/(?!(?:api|ws|files\/uploads)(?:\/|$))[^.]*$/.test(request.url.split('?')[0] ?? '')
      if (!isPage) return reply.callNotFound()
      return reply
        .headers({ ...SECURITY_HEADERS, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(page)
    })
  }
}
