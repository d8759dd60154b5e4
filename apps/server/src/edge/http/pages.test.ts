import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BRANDING_SETTINGS } from '../../foundation/branding/index.ts'
import { defaultsOf } from '../../kernel/setting.ts'
import { fastify } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Ctx } from '../../kernel/context.ts'
import type { Drawn, Wanted } from './page-html.ts'
import { webPages, webManifest } from './pages.ts'

const LINK_PAGE =
  '<!doctype html><html lang="en-US"><head><title>link</title><script src="/assets/own.js"></script></head><div id="root"></div>'

describe('the built pages', () => {
  const server = () => fastify({ exposeHeadRoutes: true })
  let app: ReturnType<typeof server>
  let folder: string
  let look = defaultsOf(BRANDING_SETTINGS)
  let icon = () => Promise.resolve('')
  let refused = false
  let broken = false
  let drawn: ((wanted: Wanted) => Drawn) | undefined
  const warned: string[] = []
  const log = { warn: (_fields: object, message: string) => void warned.push(message) }
  const contextOf = () => (refused ? Promise.reject(new Error('not from there')) : Promise.resolve({} as Ctx))
  const reply = z.object({ name: z.string() })
  const pageAnswers = [
    {
      under: '/share',
      answers: (_ctx: Ctx, path: string) =>
        Promise.resolve([{ spec: { path: '/api/name', reply }, data: { name: `</script>${path}`, secret: 's' } }]),
    },
    { under: '/share', answers: () => Promise.reject(new Error('broken')) },
  ]

  beforeEach(async () => {
    app = server()
    look = defaultsOf(BRANDING_SETTINGS)
    refused = false
    broken = false
    drawn = undefined
    warned.length = 0
    folder = await mkdtemp(join(tmpdir(), 'godwit-pages-'))
    const inBoth = (html: string) => ({ 'zh-CN': html, 'en-US': html })
    const files = {
      assets: folder,
      pages: [
        { under: '/', html: inBoth('<!doctype html>') },
        { under: '/share', html: { ...inBoth(LINK_PAGE), 'zh-CN': '链接' } },
        { under: '/viewer/document', isFrame: true as const, html: inBoth('<!doctype html><title>frame</title>') },
      ],
      worker: Buffer.from('// worker'),
      draw: (wanted: Wanted) =>
        broken ? Promise.reject(new Error('no class of that name')) : Promise.resolve(drawn?.(wanted)),
    }
    await app.register(
      webPages({ log }, files, { look: () => Promise.resolve(look), icon: () => icon() })({ pageAnswers }, contextOf),
    )
  })
  afterEach(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  it('is whole without its first view, and the operator hears of that', async () => {
    broken = true
    const answer = await app.inject({ url: '/share/abc', headers: BROWSER })
    expect(answer.body).toContain('<title>link</title>')
    expect(warned).toEqual(['the first view of a page was not drawn'])
  })

  it("is drawn for the width that the browser's name stands for, and says which", async () => {
    drawn = ({ isPhone }) => ({ style: '', title: 'drawn', media: isPhone ? '(phone)' : '(desk)', body: '<p>seen</p>' })
    const bodyFor = async (agent: string) =>
      (await app.inject({ url: '/share/abc', headers: { ...BROWSER, 'user-agent': agent } })).body
    expect(await bodyFor('Mozilla/5.0 (Android 15; Mobile)')).toContain('data-media="(phone)"')
    for (const agent of ['', 'Mozilla/5.0 (X11)']) expect(await bodyFor(agent)).toContain('data-media="(desk)"')
    expect(await bodyFor('')).toContain('<fieldset id="first" disabled inert><p>seen</p></fieldset>')
  })

  it('is drawn by the page of its address, and open to typing where its fields are taken over', async () => {
    drawn = ({ under, locale }) => ({ style: '', title: `${under} ${locale}`, body: '<input>', isLive: true })
    const { body } = await app.inject({ url: '/share/abc', headers: { ...BROWSER, 'accept-language': 'en' } })
    expect(body).toContain('<title>/share en-US</title>')
    expect(body).toContain('<fieldset id="first"><input></fieldset><div id="root">')
    // What hides it runs before the page's own code is asked for.
    const scripts = [...body.matchAll(/<script[^>]*>/g)].map(([script]) => script)
    expect(scripts.slice(0, 2)).toEqual(['<script src="/assets/first-view.js">', '<script src="/assets/own.js">'])
    drawn = undefined
    expect((await app.inject({ url: '/share/abc', headers: BROWSER })).body).not.toContain('first-view.js')
  })

  it('open in a browser at every address that is no call and no file', async () => {
    for (const url of ['/', '/personal?path=/a', '/group/detail/7', '/signin', '/metricsx']) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await app.inject({ method, url, headers: BROWSER })
        expect([answer.statusCode, answer.headers['content-type']], url).toEqual([200, 'text/html; charset=utf-8'])
        expect(answer.body).toBe(method === 'GET' ? '<!doctype html>' : '')
      }
    }
    for (const url of [
      '/api/nothing',
      '/ws/files',
      '/files/uploads/1',
      '/report.pdf',
      '/metrics',
      '/docs',
      '/download',
    ]) {
      expect((await app.inject({ url, headers: BROWSER })).statusCode, url).toBe(404)
    }
  })

  it('answer each below its own address, and only there', async () => {
    const bodyAt = async (url: string) => (await app.inject({ url, headers: BROWSER })).body
    for (const url of ['/share', '/share/abc', '/share/abc?path=/x', '/share/abc/more'])
      expect(await bodyAt(url), url).toContain('<title>link</title>')
    for (const url of ['/', '/shared', '/link/share', '/personal?path=/share/x'])
      expect(await bodyAt(url), url).toBe('<!doctype html>')
    expect((await app.inject('/share/abc')).statusCode).toBe(404)
  })

  it('come in the language of the browser, unless the site speaks English alone', async () => {
    const inChinese = async () =>
      app.inject({ url: '/share/abc', headers: { ...BROWSER, 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' } })
    expect(await inChinese()).toMatchObject({ body: '链接', headers: { vary: 'accept-language' } })
    look = { ...look, englishOnly: 1 }
    expect((await inChinese()).body).toContain('<title>link</title>')
  })

  it('bring the answers their first view needs, with the fields of the contract, as data that ends nothing', async () => {
    const bodyAt = async (url: string) => (await app.inject({ url, headers: BROWSER })).body
    const block = /<script type="application\/json" id="answers">([^<]*)<\/script><\/head>/
    const given = JSON.parse(block.exec(await bodyAt('/share/abc?x=1'))?.[1] ?? '') as unknown
    expect(given).toEqual({ '/api/name': { name: '</script>/share/abc' } })
    expect(await bodyAt('/signin')).not.toContain('answers')
    refused = true
    expect(await bodyAt('/share/abc')).not.toContain('answers')
  })

  it('of a frame run our script alone, without a connection, and only inside of our own pages', async () => {
    const { headers } = await app.inject({ url: '/viewer/document', headers: BROWSER })
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining([
        'sandbox allow-scripts',
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'self'",
        "form-action 'none'",
      ]),
    )
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
  })

  it('answer programs at the root alone, so that nothing looks like a service that is not there', async () => {
    expect((await app.inject('/')).statusCode).toBe(200)
    for (const url of ['/metrics', '/personal', '/stats', '/server-status']) {
      for (const accept of ['*/*', 'application/openmetrics-text;version=1.0.0,*/*;q=0.1', 'application/json']) {
        expect((await app.inject({ url, headers: { accept } })).statusCode, url).toBe(404)
      }
    }
  })

  it('hand out the offline worker from the root, asked for anew each time', async () => {
    const answer = await app.inject('/worker.js')
    expect(answer.body).toBe('// worker')
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
    })
  })

  it('are kept for ever when their name has their hash, and asked for anew when it has not', async () => {
    await writeFile(join(folder, 'portal-D-_2nN9u.js'), '1')
    await writeFile(join(folder, 'theme.js'), '2')
    const policyOf = async (name: string) => (await app.inject(`/assets/${name}`)).headers['cache-control']
    expect(await policyOf('portal-D-_2nN9u.js')).toBe('public, max-age=31536000, immutable')
    expect(await policyOf('theme.js')).toBe('no-cache')
  })

  it('have an icon where browsers look for one by themselves, with or without a database', async () => {
    const iconAt = async () => (await app.inject('/favicon.ico')).headers['location']
    expect(await iconAt()).toBe('/assets/app-192.png')
    icon = () => Promise.resolve('/customize/icon?v=1')
    expect(await iconAt()).toBe('/customize/icon?v=1')
    icon = () => Promise.reject(new Error('no database'))
    expect(await iconAt()).toBe('/assets/app-192.png')
  })

  it('name the installed app as the site is named, in the reader’s language', async () => {
    const answer = await app.inject({ url: '/manifest.webmanifest', headers: { 'accept-language': 'zh-CN' } })
    expect(answer.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    expect(answer.json()).toMatchObject({ name: '塍鹬', lang: 'zh-CN', start_url: '/', display: 'standalone' })
    expect(answer.json()).toMatchObject({
      share_target: { action: '/incoming', method: 'POST', params: { files: [{ name: 'files', accept: ['*/*'] }] } },
    })
    const site = { ...defaultsOf(BRANDING_SETTINGS), productNameEN: 'Parcel', primaryColor: '#0B6E4F' }
    expect(webManifest(site, 'en')).toMatchObject({ name: 'Parcel', lang: 'en-US', theme_color: '#0B6E4F' })
    expect(webManifest({ ...site, englishOnly: 1 }, 'zh-CN')).toMatchObject({ name: 'Parcel', lang: 'en-US' })
  })
})
