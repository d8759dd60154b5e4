import { CLIENT_SCHEME } from '@godwit/contract/exchange/client-address'
import { INCOMING } from '@godwit/contract/content/incoming'
import fastifyStatic from '@fastify/static'
import { type Locale, pickLocale } from '@godwit/i18n'
import type { BrandingSettings } from '../../foundation/branding/index.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { SECURITY_HEADERS } from './answers.ts'
import type { Log } from '../../kernel/context.ts'
import type { Declared } from '../../kernel/feature.ts'
import type { ContextFactory } from './context.ts'
import { answersFor } from './page-answers.ts'
import { type DrawFirstView, filled } from './page-html.ts'

/** Nothing inline, nothing foreign, no HTML made from text. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self' ws: wss:",
  // Films that the page puts together from pieces.
  "media-src 'self' blob:",
  "worker-src 'self' blob:",
  // The address of the desktop client, which a frame opens so that the page itself goes nowhere.
  `frame-src 'self' ${CLIENT_SCHEME}:`,
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
].join('; ')

/** For a page that draws what a stranger wrote: our script and nothing else, no connection, in a frame of our pages alone. */
const FRAME_POLICY = [
  'sandbox allow-scripts',
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  'img-src data: blob:',
  'font-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const PAGE_HEADERS = { 'content-security-policy': PAGE_POLICY, 'cache-control': 'private, no-cache' }
const BY_LANGUAGE = { vary: 'accept-language' }
const FRAME_HEADERS = {
  'content-security-policy': FRAME_POLICY,
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'no-cache',
}

/** An HTML page as built. */
export interface BuiltPage {
  /** First part of the addresses it answers; `/` for those of no other page. */
  readonly under: string
  /** It is shown in a frame of another page only. */
  readonly isFrame?: true
  /** By language: each names the texts and the code that its first view needs. */
  readonly html: Readonly<Record<Locale, string>>
}

/** The built pages and the folder of hashed assets that they load. */
export interface WebFiles {
  readonly assets: string
  readonly pages: readonly BuiltPage[]
  /** Opens the portal without a connection. */
  readonly worker: Buffer
  /** Draws what a page shows before its code is there, from the answers that it is given. */
  readonly draw: DrawFirstView
}

/** What an installed page is called and looks like. */
type Look = Pick<
  BrandingSettings,
  'productNameZH' | 'productNameEN' | 'primaryColor' | 'backgroundColor' | 'englishOnly'
>

/** @param acceptLanguage as the browser sends it */
function localeOf({ englishOnly }: Pick<Look, 'englishOnly'>, acceptLanguage: string | undefined): Locale {
  return englishOnly === 1 ? 'en-US' : pickLocale(acceptLanguage)
}

/** The browser asks for it when the page is to become an app: W3C Web Application Manifest. */
export function webManifest(look: Look, acceptLanguage: string | undefined) {
  const lang = localeOf(look, acceptLanguage)
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
    // Other apps of the device offer it for sharing. The offline worker takes the request: it never comes to the server.
    share_target: {
      action: INCOMING.page,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { ...INCOMING.fields, files: [{ name: INCOMING.files, accept: ['*/*'] }] },
    },
  }
}

/** The build puts eight characters of the content's hash before the extension. */
const HASHED = /-[\w-]{8}\.[a-z\d.]+$/

/** Addresses of pages: no extension, and no first part that belongs to the server, whether it has something there or not. */
const PAGE_ADDRESS = /^\/(?!(?:api|assets|customize|docs|download|files|healthz|metrics|readyz|ws)(?:\/|$))[^.]*$/

/**
 * A page routes by itself, so a browser gets it at every address below its own. A program gets one at `/` only: elsewhere it
 * must learn that there is nothing.
 */
function pageFor(
  pages: readonly BuiltPage[],
  { url, headers }: Pick<FastifyRequest, 'url' | 'headers'>,
): BuiltPage | undefined {
  const path = url.split('?')[0] ?? ''
  const isAsked = path === '/' || (PAGE_ADDRESS.test(path) && (headers.accept ?? '').includes('text/html'))
  if (!isAsked) return undefined
  const own = pages.find(({ under }) => path === under || path.startsWith(`${under}/`))
  return own ?? pages.find(({ under }) => under === '/')
}

/** The mark that MDN recommends to look for. A wrong guess costs time only: the page's code looks at the window. */
function isPhone({ 'user-agent': agent = '' }: FastifyRequest['headers']): boolean {
  return agent.includes('Mobi')
}

export interface SiteDesign {
  readonly look: () => Promise<Look>
  /** Address of the site's own icon, or ''. */
  readonly icon: () => Promise<string>
}

/** What a browser shows for the pages of a site that has no icon of its own, where it asks for the oldest form of icons. */
const OWN_ICON = '/assets/app-192.png'

/** @param web undefined serves no page @returns the pages, for the answers that features declared to be given with their HTML */
export function webPages(
  { log }: { readonly log: Pick<Log, 'warn'> },
  web: WebFiles | undefined,
  { look, icon }: SiteDesign,
) {
  return ({ pageAnswers }: Pick<Declared, 'pageAnswers'>, contextOf: ContextFactory) =>
    async (fastify: FastifyInstance): Promise<void> => {
      if (web === undefined) return
      const { assets, pages, worker, draw } = web
      await fastify.register(fastifyStatic, {
        root: assets,
        prefix: '/assets/',
        immutable: true,
        maxAge: '1y',
        index: false,
        preCompressed: true,
        setHeaders: (reply, file) => {
          for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.header(name, value)
          // A frame without an origin loads them, too. They are the same for everybody.
          reply.header('access-control-allow-origin', '*')
          // A name without the hash of its content stays over an upgrade, so a browser must ask whether the content did.
          if (!HASHED.test(file)) reply.header('cache-control', 'no-cache')
        },
      })
      fastify.get('/worker.js', (_request, reply) =>
        reply
          .headers({ ...SECURITY_HEADERS, ...PAGE_HEADERS })
          .type('text/javascript; charset=utf-8')
          .send(worker),
      )
      fastify.get('/manifest.webmanifest', async (request, reply) =>
        reply
          .headers({ ...SECURITY_HEADERS, 'cache-control': 'no-cache', ...BY_LANGUAGE })
          .type('application/manifest+json; charset=utf-8')
          .send(JSON.stringify(webManifest(await look(), request.headers['accept-language']))),
      )
      // Browsers ask for it beside what is no page of ours, such as a picture or a document; feed readers and messengers, too.
      fastify.get('/favicon.ico', async (_request, reply) => {
        const own = await icon().catch(() => '')
        return reply.headers({ ...SECURITY_HEADERS, 'cache-control': 'no-cache' }).redirect(own === '' ? OWN_ICON : own)
      })
      fastify.get('/*', async (request, reply) => {
        const page = pageFor(pages, request)
        if (page === undefined) return reply.callNotFound()
        // Without a database there is a page all the same, which says so.
        const { englishOnly } = await look().catch(() => ({ englishOnly: 0 as const }))
        const locale = localeOf({ englishOnly }, request.headers['accept-language'])
        const given = await answersFor({ pageAnswers, contextOf }, page.under, { request, reply })
        // A page is whole without it.
        const wanted = { under: page.under, locale, isPhone: isPhone(request.headers) }
        const drawn = await draw(wanted, given).catch((thrown: unknown) => {
          log.warn({ err: thrown, page: page.under }, 'the first view of a page was not drawn')
          return undefined
        })
        return reply
          .headers({ ...SECURITY_HEADERS, ...(page.isFrame === true ? FRAME_HEADERS : PAGE_HEADERS), ...BY_LANGUAGE })
          .type('text/html; charset=utf-8')
          .send(filled(page.html[locale], given, drawn))
      })
    }
}
