import { chromium, type Page } from '@playwright/test'
import { launchGodwit } from '@godwit/testkit'
import { signIn } from './fixtures.ts'

/** `node e2e/portal/measure-list.ts`: how a folder of 100,000 rows scrolls, selects and weighs in a real Chromium. */

const ROWS = 100_000
const LIMITS = { 'scroll p95 ms': 25, 'select all ms': 50, 'heap MB': 60, 'DOM nodes': 400 } as const

async function serveRows(page: Page): Promise<void> {
  await page.routeWebSocket('**/ws/files', (socket) => socket.close())
  await page.route('**/api/files/columns', async (route) => {
    const { cursor, limit } = route.request().postDataJSON() as { cursor: string | null; limit: number }
    const from = Number(cursor ?? 0)
    const count = Math.min(limit, ROWS - from)
    const column = <Value>(of: (row: number) => Value): Value[] =>
      Array.from({ length: count }, (_, at) => of(from + at))
    const data = {
      names: column((row) => `measurement-${String(row).padStart(6, '0')}.dat`),
      types: column(() => 0),
      sizes: column((row) => row * 977),
      times: column((row) => 1_700_000_000 + row),
      next: from + count < ROWS ? String(from + count) : null,
      total: ROWS,
      version: '1',
    }
    await route.fulfill({ json: { code: 200, data } })
  })
}

async function scrollFrames(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const grid = document.querySelector('[data-testid=file-grid]')
    if (grid === null) throw new Error('no list')
    const frames: number[] = []
    let last = performance.now()
    const begun = last
    await new Promise<void>((resolve) => {
      const step = (now: number): void => {
        frames.push(now - last)
        last = now
        grid.scrollTop += 120
        if (now - begun < 3_000) requestAnimationFrame(step)
        else resolve()
      }
      requestAnimationFrame(step)
    })
    return frames.toSorted((a, b) => a - b)[Math.floor(frames.length * 0.95)] ?? 0
  })
}

async function selectAll(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const begun = performance.now()
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', ctrlKey: true, bubbles: true }))
    while (document.querySelector('[data-testid=selected]') === null)
      await new Promise((done) => requestAnimationFrame(done))
    return performance.now() - begun
  })
}

async function measure(): Promise<Record<keyof typeof LIMITS, number>> {
  const godwit = await launchGodwit()
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-quic'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, locale: 'en-US' })
    await serveRows(page)
    await signIn(page, godwit)
    await page.getByTestId('count').getByText('100,000 items').waitFor()
    const scroll = await scrollFrames(page)
    await page.getByTestId('file-grid').focus()
    const select = await selectAll(page)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('HeapProfiler.collectGarbage')
    const { usedSize } = await cdp.send('Runtime.getHeapUsage')
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    return { 'scroll p95 ms': scroll, 'select all ms': select, 'heap MB': usedSize / 1e6, 'DOM nodes': nodes }
  } finally {
    await browser.close()
    await godwit.stop()
  }
}

const figures = await measure()
for (const [name, value] of Object.entries(figures)) {
  const limit = LIMITS[name as keyof typeof LIMITS]
  console.log(`${name.padEnd(14)} ${value.toFixed(1).padStart(8)} of ${limit} ${value <= limit ? 'ok' : 'OVER'}`)
  if (value > limit) process.exitCode = 1
}
