import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { type Godwit, launchGodwit } from '@godwit/testkit'
import { signIn } from '../portal/fixtures.ts'
import { makeFile, MiB, uplinkOf } from '../portal/large-files.ts'
import { FilesPage } from '../portal/pages/files.page.ts'
import { type Budget, budgetsOf, type Found, responsiveness, watchResponsiveness } from './budget.ts'

const ROWS = 100_000
const MANY_ROWS = 1_000_000
const UPLOADS = 10
const UPLOAD_BYTES = 48 * MiB
/** Slow enough that all of them run while the list is scrolled. */
const UPLINK = 8 * MiB
const LIMITS = {
  '100,000 rows, frame while scrolling (p95)': { unit: 'ms', atMost: 25 },
  '100,000 rows, frame with 10 uploads (p95)': { unit: 'ms', atMost: 33 },
  '100,000 rows, longest task': { unit: 'ms', atMost: 150 },
  '100,000 rows, select all': { unit: 'ms', atMost: 50 },
  '100,000 rows, heap': { unit: 'MB', atMost: 60 },
  '100,000 rows, elements': { unit: 'nodes', atMost: 400 },
  '1,000,000 rows, last row after End': { unit: 'ms', atMost: 200 },
} as const

/** How long folders scroll, select and weigh in a real Chromium. Their rows are made up, what shows them is not. */
export async function listBudgets(browser: Browser, runs: number): Promise<Budget[]> {
  const computer = await mkdtemp(join(tmpdir(), 'godwit-budgets-'))
  try {
    const files = Array.from({ length: UPLOADS }, (_, at) => join(computer, `reel ${at}.mxf`))
    for (const file of files) await makeFile(file, UPLOAD_BYTES)
    const found: Found[] = []
    for (let run = 0; run < runs; run++) {
      // Uploads that a run leaves behind would be rows on the page of the next.
      const godwit = await launchGodwit()
      try {
        found.push({ ...(await scrolled(browser, godwit, files)), ...(await toTheEnd(browser, godwit)) })
      } finally {
        await godwit.stop()
      }
    }
    return budgetsOf(found, LIMITS)
  } finally {
    await rm(computer, { recursive: true })
  }
}

async function scrolled(browser: Browser, godwit: Godwit, uploads: readonly string[]): Promise<Found> {
  await using opened = await openList(browser, godwit, ROWS)
  const { page, files } = opened
  const frame = await scrollFrames(page)
  await files.grid.focus()
  const select = await selectAll(page)
  await page.keyboard.press('Escape')
  const { longestTask } = await responsiveness(page)
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  const nodes = await page.evaluate(() => document.body.querySelectorAll('*').length)
  await (
    await uplinkOf(page)
  )(UPLINK)
  await files.choose(uploads)
  await files.uploads.rows
    .and(page.locator('[data-state=active]'))
    .nth(UPLOADS - 1)
    .waitFor()
  const busyFrame = await scrollFrames(page)
  return {
    '100,000 rows, frame while scrolling (p95)': frame,
    '100,000 rows, frame with 10 uploads (p95)': busyFrame,
    '100,000 rows, longest task': longestTask,
    '100,000 rows, select all': select,
    '100,000 rows, heap': usedSize / 1e6,
    '100,000 rows, elements': nodes,
  }
}

async function toTheEnd(browser: Browser, godwit: Godwit): Promise<Found> {
  await using opened = await openList(browser, godwit, MANY_ROWS)
  const { page, files } = opened
  await files.grid.focus()
  const last = nameOf(MANY_ROWS - 1)
  const ms = await page.evaluate(async (name) => {
    const begun = performance.now()
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
    while (document.querySelector(`[data-testid=file-grid] [title="${name}"]`) === null) {
      if (performance.now() - begun > 30_000) throw new Error('the last row never came')
      await new Promise((done) => requestAnimationFrame(done))
    }
    return performance.now() - begun
  }, last)
  return { '1,000,000 rows, last row after End': ms }
}

async function openList(browser: Browser, godwit: Godwit, rows: number) {
  const context = await browser.newContext({
    baseURL: godwit.url,
    viewport: { width: 1400, height: 900 },
    locale: 'en-US',
  })
  const page = await context.newPage()
  await watchResponsiveness(page)
  await serveRows(page, rows)
  await signIn(page, godwit)
  await page
    .getByTestId('count')
    .getByText(`${rows.toLocaleString('en-US')} items`)
    .waitFor({ timeout: 180_000 })
  return { page, files: new FilesPage(page), [Symbol.asyncDispose]: () => context.close() }
}

function nameOf(row: number): string {
  return `measurement-${String(row).padStart(7, '0')}.dat`
}

async function serveRows(page: Page, rows: number): Promise<void> {
  await page.routeWebSocket('**/ws/files', (socket) => socket.close())
  await page.route('**/api/files/columns', async (route) => {
    const { cursor, limit } = route.request().postDataJSON() as { cursor: string | null; limit: number }
    const from = Number(cursor ?? 0)
    const count = Math.min(limit, rows - from)
    const column = <Value>(of: (row: number) => Value): Value[] =>
      Array.from({ length: count }, (_, at) => of(from + at))
    const data = {
      names: column(nameOf),
      types: column(() => 0),
      sizes: column((row) => row * 977),
      times: column((row) => 1_700_000_000 + row),
      next: from + count < rows ? String(from + count) : null,
      total: rows,
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
