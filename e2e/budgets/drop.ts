import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { launchGodwit } from '@godwit/testkit'
import { signIn } from '../portal/fixtures.ts'
import { uplinkOf } from '../portal/large-files.ts'
import { FilesPage } from '../portal/pages/files.page.ts'
import { addRuledGroup, makeDrop } from '../portal/ruled-group.ts'
import { type Budget, budgetsOf, type Found, responsiveness, watchResponsiveness } from './budget.ts'

const LIMITS = {
  '10,000 files dropped, every rule on, longest task': { unit: 'ms', atMost: 100 },
  '10,000 files queued, interaction': { unit: 'ms', atMost: 200 },
  '10,000 files queued, processor of the page': { unit: '%', atMost: 5 },
} as const

/** Slow enough that nearly all files stay queued while the page is watched, in bytes a second. */
const UPLINK = 200 * 1024
const WATCHED_MS = 5_000

/** A drop of 10,000 files into a group with every rule on: what it costs the page from the drop to the last file. */
export async function dropBudgets(browser: Browser, runs: number): Promise<Budget[]> {
  const computer = await mkdtemp(join(tmpdir(), 'godwit-budgets-'))
  try {
    const tree = await makeDrop(computer)
    const found: Found[] = []
    for (let run = 0; run < runs; run++) found.push(await dropOnce(browser, tree))
    return budgetsOf(found, LIMITS)
  } finally {
    await rm(computer, { recursive: true })
  }
}

async function dropOnce(browser: Browser, tree: string): Promise<Found> {
  const godwit = await launchGodwit()
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en-US' })
  try {
    const { member, groupId } = await addRuledGroup(godwit)
    const page = await context.newPage()
    await watchResponsiveness(page)
    await signIn(page, { url: godwit.url, administrator: member })
    await page.goto(`${godwit.url}/group/detail/${groupId}`)
    const files = new FilesPage(page)
    await files.toolbar.waitFor()
    const setUplink = await uplinkOf(page)
    await setUplink(UPLINK)
    await files.drop([tree])
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Upload/ })
      .click({ timeout: 60_000 })
    await files.uploads.rows.and(page.locator('[data-state=active]')).waitFor()
    const busy = await busyShare(page)
    await workMeanwhile(page, files)
    const { slowestInteraction } = await responsiveness(page)
    await setUplink(-1)
    await files.uploads.toSettle(['completed'], 300_000)
    return {
      '10,000 files dropped, every rule on, longest task': (await responsiveness(page)).longestTask,
      '10,000 files queued, interaction': slowestInteraction,
      '10,000 files queued, processor of the page': busy,
    }
  } finally {
    await context.close()
    await godwit.stop()
  }
}

/** How much of a core the page's code, styles and layout take, in percent. What watches the page works in the same thread, and is left out. */
async function busyShare(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  const busySeconds = async (): Promise<number> => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    const own = metrics.filter(({ name }) => /^(Script|Layout|RecalcStyle)Duration$/.test(name))
    return own.reduce((sum, { value }) => sum + value, 0)
  }
  const before = await busySeconds()
  await page.waitForTimeout(WATCHED_MS)
  return (100_000 * ((await busySeconds()) - before)) / WATCHED_MS
}

async function workMeanwhile(page: Page, { uploads }: FilesPage): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await uploads.button('Pause set').click()
    await uploads.button('Resume set').click()
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.keyboard.type('reels')
    await page.keyboard.press('Escape')
  }
}
