import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { expect, test } from '@playwright/test'

/** Files that run something when a browser shows them instead of saving them; `CANARY` is called by whatever ran. */
const SCRIPT = "fetch('CANARY');new Image().src='CANARY';try{parent.document.title='ran'}catch{}"
const HTML = `<!doctype html><script>${SCRIPT}</script><img src=x onerror="${SCRIPT}"><meta http-equiv=refresh content="0;url=CANARY">`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${SCRIPT}"><script>${SCRIPT}</script></svg>`
const XML = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="CANARY"?><!DOCTYPE x [<!ENTITY e SYSTEM "CANARY">]><x xmlns:h="http://www.w3.org/1999/xhtml">&e;<h:script>${SCRIPT}</h:script></x>`
const ACTIVE: Readonly<Record<string, string>> = {
  'page.html': HTML,
  'page.htm': HTML,
  'page.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`,
  'page.xht': HTML,
  'page.shtml': HTML,
  'page.hta': HTML,
  'page.mht': `MIME-Version: 1.0\nContent-Type: text/html\n\n${HTML}`,
  'page.mhtml': `MIME-Version: 1.0\nContent-Type: text/html\n\n${HTML}`,
  'page.svg': SVG,
  'page.svgz': SVG,
  'page.xml': XML,
  'page.xsl': XML,
  'page.xslt': XML,
  'page.rdf': XML,
  'page.atom': XML,
  'page.rss': XML,
  'page.vml': XML,
  'page.mathml': XML,
  'page.js': SCRIPT,
  'page.mjs': SCRIPT,
  'page.json': HTML,
  'page.css': "@import 'CANARY';body{background:url(CANARY)}",
  'page.txt': HTML,
  'page.pdf': `%PDF-1.4\n1 0 obj<</OpenAction<</S/URI/URI(CANARY)>>>>endobj\n${HTML}`,
  'page.swf': HTML,
  'page.png': HTML,
  'page.gif': `GIF89a/*${HTML}*/`,
  'page.jpg': HTML,
  'page.unknown': HTML,
  'no extension': HTML,
  'page.html;.txt': HTML,
  'page.manifest': HTML,
  'page.wasm': HTML,
}

/** Names that break a header, or a careless parser of it. */
const NAMES = [
  '"quoted".txt',
  'semi;filename=evil.html',
  "apostrophe'.txt",
  '报告 2026.pdf',
  'émoji 🐦.bin',
  'a%0d%0aX-Injected: 1',
  '100%.txt',
  'per%22cent.txt',
  '\u202egpj.exe',
  '=cmd.csv',
  '--help',
  '${x}{{7*7}}.txt',
  'ß İ K.txt',
  "filename*=UTF-8''evil.html",
  'tab and, comma.txt',
  '~$lock.doc',
]

let godwit: Godwit
let token = ''
let canary = ''
const heard: string[] = []
const listener = createServer((request, response) => {
  heard.push(request.url ?? '')
  response.setHeader('access-control-allow-origin', '*').end()
})

test.beforeAll(async () => {
  godwit = await launchGodwit()
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  canary = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/ran`
  const { account, password } = godwit.administrator
  const body = JSON.stringify({ account, password: Buffer.from(password).toString('base64') })
  const login = await fetch(`${godwit.url}/api/user/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  token = ((await login.json()) as { data: { token: string } }).data.token
  const home = join(godwit.data, 'files/users', account)
  mkdirSync(home, { recursive: true })
  for (const [name, content] of Object.entries(ACTIVE))
    writeFileSync(join(home, name), content.replaceAll('CANARY', canary))
  for (const name of NAMES) writeFileSync(join(home, name), `content of ${name}`)
})
test.afterAll(async () => {
  listener.close()
  await godwit.stop()
})

async function call(operation: string, input: object): Promise<{ readonly url: string }> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(`${godwit.url}/api/files/${operation}`, {
    method: 'POST',
    body: JSON.stringify(input),
    headers,
  })
  return ((await answer.json()) as { data: { url: string } }).data
}

test('active files never run, by whatever way a browser is led to them (T36)', async ({ page, context }) => {
  test.slow()
  // A page of the site itself that no policy guards, so that whatever runs would run in its origin; and an attacker's page.
  await page.goto(`${godwit.url}/nothing.here`)
  const foreign = await context.newPage()
  await foreign.goto(canary.replace('/ran', '/attacker'))
  const addresses: string[] = []
  for (const name of Object.keys(ACTIVE)) {
    const { url } = await call('ticket', { paths: [`/${name}`] })
    const address = godwit.url + url
    const visitor = await context.newPage()
    // A download aborts the navigation, which is what must happen.
    await visitor.goto(address).catch(() => undefined)
    expect(visitor.url(), name).toBe('about:blank')
    await visitor.close()
    addresses.push(address)
  }
  for (const at of [page, foreign]) {
    await at.evaluate((sources) => {
      for (const source of sources) {
        for (const tag of ['iframe', 'embed', 'object', 'img', 'script', 'link', 'video']) {
          const element = document.createElement(tag)
          element.setAttribute(tag === 'object' ? 'data' : tag === 'link' ? 'href' : 'src', source)
          if (tag === 'link') element.setAttribute('rel', 'stylesheet')
          document.body.append(element)
        }
      }
    }, addresses)
  }
  const zip = await call('ticket', { paths: Object.keys(ACTIVE).map((name) => `/${name}`) })
  await page.goto(godwit.url + zip.url).catch(() => undefined)
  await page
    .goto(`${godwit.url}/api/user/info?x=${encodeURIComponent(`<script>${SCRIPT}</script>`)}`)
    .catch(() => undefined)
  await page.waitForTimeout(1_000)
  expect(await page.title()).not.toBe('ran')
  expect(await foreign.title()).not.toBe('ran')
  expect(heard.filter((path) => path.startsWith('/ran'))).toEqual([])
})

test('each name is saved as it is, or as a safe one, and adds no header (T38)', async ({ page }) => {
  for (const name of NAMES) {
    const { url } = await call('ticket', { paths: [`/${name}`] })
    const answer = await fetch(godwit.url + url)
    expect(await answer.text()).toBe(`content of ${name}`)
    expect(answer.headers.get('x-injected')).toBeNull()
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /)
    await page.goto('about:blank')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(godwit.url + url).catch(() => undefined),
    ])
    expect(readFileSync(await download.path(), 'utf8')).toBe(`content of ${name}`)
    // Chromium itself replaces what its file system or its users must not meet.
    const suggested = download.suggestedFilename()
    expect(suggested === name || /^[^/\\\u0000-\u001f]+$/.test(suggested), `${name} -> ${suggested}`).toBe(true)
    if (/^[\w .-]+$/.test(name)) expect(suggested).toBe(name)
  }
})
