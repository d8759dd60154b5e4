import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { Godwit } from '@godwit/testkit'
import { signIn } from '../portal/fixtures.ts'
import { ShellPage } from '../portal/pages/shell.page.ts'
import { type Budget, budgetsOf, type Found, largestPaint, responsiveness, watchResponsiveness } from './budget.ts'
import { showBusyTransfers } from './busy-transfers.ts'

const LIMITS = {
  'sign-in, largest paint': { unit: 'ms', atMost: 800 },
  'files, largest paint': { unit: 'ms', atMost: 800 },
  'sign-in, layout shift': { unit: '', atMost: 0.02 },
  'files, layout shift': { unit: '', atMost: 0.02 },
  'another page, first time': { unit: 'ms', atMost: 300 },
  'another page, again': { unit: 'ms', atMost: 100 },
  'console, 100 transfers, interaction': { unit: 'ms', atMost: 200 },
} as const

/** How soon pages are there in a real Chromium over loopback, and how soon they answer. */
export async function pageBudgets(browser: Browser, godwit: Godwit, runs: number): Promise<Budget[]> {
  const found: Found[] = []
  for (let run = 0; run < runs; run++) {
    // A context of its own has an empty cache: the first visit counts.
    const desk = await browser.newContext({
      baseURL: godwit.url,
      viewport: { width: 1400, height: 900 },
      locale: 'en-US',
    })
    found.push(await atTheDesk(desk, godwit))
    await desk.close()
  }
  return budgetsOf(found, LIMITS)
}

async function atTheDesk(context: BrowserContext, godwit: Godwit): Promise<Found> {
  const page = await context.newPage()
  await watchResponsiveness(page)
  const signInPage = await visit(page, `${godwit.url}/signin`)
  await signIn(page, godwit)
  const filesPage = await visit(page, `${godwit.url}/personal`)
  await new ShellPage(page).bell.waitFor()
  const bell = '[data-testid=bell]'
  const notices = '[data-testid=notices] :is(h2, [role=rowgroup])'
  const first = await opening(page, bell, notices)
  await opening(page, 'header a', '[data-testid=toolbar]')
  const again = await opening(page, bell, notices)
  await showBusyTransfers(page)
  return {
    'sign-in, largest paint': signInPage.paint,
    'sign-in, layout shift': signInPage.shift,
    'files, largest paint': filesPage.paint,
    'files, layout shift': filesPage.shift,
    'another page, first time': first,
    'another page, again': again,
    'console, 100 transfers, interaction': (await responsiveness(page)).slowestInteraction,
  }
}

async function visit(page: Page, url: string): Promise<{ readonly paint: number; readonly shift: number }> {
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  return { paint: await largestPaint(page), shift: (await responsiveness(page)).shift }
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
