import fastifyStatic from '@fastify/static'
import { pickLocale } from '@godwit/i18n'
import type { BrandingSettings } from '../../foundation/branding/index.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
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
  /** Opens the page without a connection. */
  readonly worker: Buffer
}

/** What an installed page is called and looks like. */
type Look = Pick<
  BrandingSettings,
  'productNameZH' | 'productNameEN' | 'primaryColor' | 'backgroundColor' | 'englishOnly'
>

/** The browser asks for it when the page is to become an app: W3C Web Application Manifest. */
export function webManifest(look: Look, acceptLanguage: string | undefined) {
  const lang = look.englishOnly === 1 ? 'en-US' : pickLocale(acceptLanguage)
  const name = lang === 'zh-CN' ? look.productNameZH : look.productNameEN
  return {
    id: '/',
    name: name === '' ? 'Godwit' : name,
    short_name: name === '' ? 'Godwit' : name,
    lang,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    theme_color: look.primaryColor,
    background_color: look.backgroundColor,
    icons: [
      { src: '/assets/app-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/assets/app-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/assets/app-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  }
}

/** The build puts eight characters of the content's hash before the extension. */
const HASHED = /-[\w-]{8}\.[a-z\d.]+$/

/** Addresses of pages: no extension, and no first part that belongs to the server, whether it has something there or not. */
const PAGE_ADDRESS = /^\/(?!(?:api|assets|customize|docs|download|files|healthz|metrics|readyz|ws)(?:\/|$))[^.]*$/

/**
 * The application routes by itself, so a browser gets it at every address that may be a page of its. A program gets it at `/`
 * only: elsewhere it shall learn that there is nothing.
 */
function isPage({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  const path = url.split('?')[0] ?? ''
  return path === '/' || (PAGE_ADDRESS.test(path) && (headers.accept ?? '').includes('text/html'))
}

/** @param portal undefined serves no page */
export function portalPages(portal: PortalFiles | undefined, look: () => Promise<Look>) {
  return async (fastify: FastifyInstance): Promise<void> => {
    if (portal === undefined) return
    const { assets, page, worker } = portal
    await fastify.register(fastifyStatic, {
      root: assets,
      prefix: '/assets/',
      immutable: true,
      maxAge: '1y',
      index: false,
      preCompressed: true,
      setHeaders: (reply, file) => {
        for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value)
        // A name without the hash of its content stays over an upgrade, so a browser must ask whether the content did.
        if (!HASHED.test(file)) reply.header('cache-control', 'no-cache')
      },
    })
    fastify.get('/worker.js', (_request, reply) =>
      reply
        .headers({ ...SECURITY_HEADERS, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' })
        .type('text/javascript; charset=utf-8')
        .send(worker),
    )
    fastify.get('/manifest.webmanifest', async (request, reply) =>
      reply
        .headers({ ...SECURITY_HEADERS, 'cache-control': 'no-cache', vary: 'accept-language' })
        .type('application/manifest+json; charset=utf-8')
        .send(JSON.stringify(webManifest(await look(), request.headers['accept-language']))),
    )
    fastify.get('/*', (request, reply) => {
      if (!isPage(request)) return reply.callNotFound()
      return reply
        .headers({ ...SECURITY_HEADERS, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' })
        .type('text/html; charset=utf-8')
        .send(page)
    })
  }
}
