import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import type { Measured, Table } from '../figures.ts'
import type { GodwitRival } from '../rivals/godwit.ts'
import { call, json } from '../wire.ts'

/** The line and the device of Lighthouse's mobile preset. */
const LINE = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, offline: false }
const DEVICE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Mobile Safari/537.36',
}
const CPU_TIMES = [1, 4] as const
const SHARED = 'plans for the harbour.pdf'

/** A page in a browser that was never here, over that line. */
interface Visited {
  readonly subject: string
  readonly address: string
  /** Is there when the page shows what it is for. */
  readonly shown: string
  /** Whoever visits is signed in. */
  readonly session?: object
}

/**
 * How soon somebody on a phone sees a page: its largest paint (LCP), over a line of 1.6 Mbit/s and 150 ms, with the processor as
 * it is and four times slower. The limit is a page of one paragraph and nothing to load, in the same run.
 */
export async function pagesLoad(ours: GodwitRival, runs: number): Promise<Table[]> {
  await using paragraph = await startParagraph()
  const pages = [...(await ownPages(ours)), paragraph.page]
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic'],
  })
  try {
    const tables: Table[] = []
    for (const times of CPU_TIMES) {
      const rows: Measured[] = []
      for (const visited of pages) {
        const values: number[] = []
        for (let turn = 0; turn < runs; turn++) values.push(await firstVisit(browser, visited, times))
        rows.push({ subject: visited.subject, unit: 'ms', values, lessIsBetter: true })
      }
      const conditions = `largest paint of a first visit, 1.6 Mbit/s, 150 ms, processor slowed by ${times}, ${runs} runs`
      tables.push({ load: 'Pages', conditions, rows })
    }
    return tables
  } finally {
    await browser.close()
  }
}

async function ownPages({ url, authorization, folder }: GodwitRival): Promise<readonly Visited[]> {
  fs.writeFileSync(path.join(folder, SHARED), 'a plan')
  const link = async (wanted: object): Promise<string> => {
    const { body, headers } = json({ shareUrlType: 1, shareServerPath: '/', shareFiles: [SHARED], ...wanted })
    const made = await call({
      ...{ method: 'POST', url: `${url}/api/share/link/create`, body },
      headers: { ...headers, ...authorization },
    })
    return `${url}/share/${(JSON.parse(made.body.toString()) as { data: { linkId: string } }).data.linkId}`
  }
  const token = authorization['authorization']?.replace('Bearer ', '')
  const session = { token, refreshToken: '', userId: 'bench', account: 'bench', refreshedAt: Date.now() }
  const locked = await link({ needPassword: true, shareUrlPasswd: 'tide' })
  const open = await link({ needPassword: false })
  return [
    { subject: 'link with a password', address: locked, shown: 'input[type=password]:enabled' },
    { subject: 'link without, its file', address: open, shown: '[role=cell]' },
    { subject: 'sign-in', address: `${url}/signin`, shown: '#root input[type=password]' },
    { subject: 'own files', address: `${url}/personal`, shown: '[role=row][aria-selected]', session },
  ]
}

/** A server of one paragraph. */
async function startParagraph() {
  const server = http.createServer((_req, res) => {
    res.setHeader('content-type', 'text/html').end('<!doctype html><title>Limit</title><p>A page of one paragraph.')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    page: { subject: 'limit: one paragraph, bare Node', address: `http://127.0.0.1:${port}`, shown: 'p' },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await promisify(server.close.bind(server))()
    },
  }
}

async function firstVisit(browser: Browser, { address, shown, session }: Visited, cpuTimes: number): Promise<number> {
  // A context of its own has an empty cache.
  const context = await browser.newContext(DEVICE)
  try {
    const page = await context.newPage()
    if (session !== undefined)
      await page.addInitScript((kept) => localStorage.setItem('godwit.session', kept), JSON.stringify(session))
    const devtools = await context.newCDPSession(page)
    await slowDown(devtools, cpuTimes)
    await page.goto(address)
    await page.locator(shown).first().waitFor()
    return await largestPaint(page)
  } finally {
    await context.close()
  }
}

async function slowDown(devtools: CDPSession, cpuTimes: number): Promise<void> {
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: cpuTimes })
}

/** @returns milliseconds since the visit began */
async function largestPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          // Browsers know it; the types of Node do not.
          type: 'largest-contentful-paint' as never,
          buffered: true,
        })
      }),
  )
}
