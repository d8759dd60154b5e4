import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { launchGodwit, type Godwit } from '@godwit/testkit'
import { slowestInteraction } from '../console/busy-transfers.ts'
import { signIn } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'

/** `node e2e/portal/measure-pages.ts`: how soon pages are there in a real Chromium over loopback, and answer. Medians of 5. */

const RUNS = 5
const LIMITS = {
  'sign-in, largest paint ms': 800,
  'files, largest paint ms': 800,
  'page in the portal, first time ms': 300,
  'page in the portal, again ms': 100,
  'console, 100 transfers, interaction ms': 200,
} as const
type Figure = keyof typeof LIMITS

/** From the start of the navigation to the largest paint. */
async function largestPaint(page: Page, url: string): Promise<number> {
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
}

/** From the click to the first frame that shows the page. */
async function opening(page: Page, link: string, shown: string): Promise<number> {
  return page.evaluate(
    async ([from, to]) => {
      const begun = performance.now()
      document.querySelector<HTMLElement>(from)?.click()
      while (document.querySelector(to) === null) {
        if (performance.now() - begun > 30_000) throw new Error(`nothing like ${to} came`)
        await new Promise((done) => requestAnimationFrame(done))
      }
      return performance.now() - begun
    },
    [link, shown] as const,
  )
}

async function measureOnce(context: BrowserContext, godwit: Godwit): Promise<Record<Figure, number>> {
  const page = await context.newPage()
  const signInPaint = await largestPaint(page, `${godwit.url}/signin`)
  await signIn(page, godwit)
  const filesPaint = await largestPaint(page, `${godwit.url}/personal`)
  await new ShellPage(page).bell.waitFor()
  const bell = '[data-testid=bell]'
  const notices = '[data-testid=notices] :is(h2, [role=rowgroup])'
  const first = await opening(page, bell, notices)
  await opening(page, 'header a', '[data-testid=toolbar]')
  const again = await opening(page, bell, notices)
  const interaction = await slowestInteraction(page)
  await page.close()
  return {
    'sign-in, largest paint ms': signInPaint,
    'files, largest paint ms': filesPaint,
    'page in the portal, first time ms': first,
    'page in the portal, again ms': again,
    'console, 100 transfers, interaction ms': interaction,
  }
}

async function measure(browser: Browser, godwit: Godwit): Promise<Array<Record<Figure, number>>> {
  const all: Array<Record<Figure, number>> = []
  for (let run = 0; run < RUNS; run++) {
    // A context of its own has an empty cache: the first visit counts.
    const context = await browser.newContext({
      baseURL: godwit.url,
      viewport: { width: 1400, height: 900 },
      locale: 'en-US',
    })
    all.push(await measureOnce(context, godwit))
    await context.close()
  }
  return all
}

const godwit = await launchGodwit()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-quic'] })
try {
  const runs = await measure(browser, godwit)
  for (const [name, limit] of Object.entries(LIMITS)) {
    const sorted = runs.map((run) => run[name as Figure]).toSorted((left, right) => left - right)
    const median = sorted[sorted.length >>> 1] ?? Number.NaN
    const range = `${sorted[0]?.toFixed(0)}-${sorted.at(-1)?.toFixed(0)}`
    console.log(
      `${name.padEnd(40)} ${median.toFixed(0).padStart(6)} (${range}) of ${limit} ${median <= limit ? 'ok' : 'OVER'}`,
    )
    if (median > limit) process.exitCode = 1
  }
} finally {
  await browser.close()
  await godwit.stop()
}
