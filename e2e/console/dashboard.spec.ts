import { readFile } from 'node:fs/promises'
import type { Godwit } from '@godwit/testkit'
import type { Browser, Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, withOwnServer } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

// What is done here would show on the dashboards of other tests.
const test = withOwnServer()

/** A browser of its own, signed in as the super administrator at this address. */
async function enter(browser: Browser, { url, administrator }: Godwit, path: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-US' })).newPage()
  await page.goto(path)
  await new SignInPage(page).signIn(administrator.account, administrator.password)
  return page
}

/** Charts are read by pointer, by keyboard, as a table and as a file. */
async function readCharts(admin: Page): Promise<void> {
  const chart = admin.getByRole('region', { name: 'Memory' }).first()
  const slider = chart.getByRole('slider')
  await expect(slider).toHaveAttribute('aria-valuetext', /Whole machine .*GB.* This server .*MB/)
  await slider.focus()
  await slider.press('Home')
  await expect(slider).toHaveAttribute('aria-valuenow', '0')
  await slider.hover()
  await expect(chart.locator('[data-side]')).toContainText('This server')
  const [download] = await Promise.all([
    admin.waitForEvent('download'),
    chart.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toContain('Time,Whole machine,This server')
  expect(lines.length).toBeGreaterThan(1)
  await chart.getByRole('button', { name: 'Table' }).click()
  await expect(chart.getByRole('columnheader', { name: 'This server' })).toBeVisible()
  // Each sample of the server adds a row by itself.
  const rows = chart.getByRole('row')
  const before = await rows.count()
  await expect.poll(() => rows.count()).toBeGreaterThan(before)
}

// One walk, because each step stands on what the one before it did.
test('an administrator sees how the server is, live, and what waits for them', async ({ browser, godwit }) => {
  const admin = await enter(browser, godwit, '/admin')
  await expect(admin).toHaveURL(/\/admin\/dashboard$/)
  await expect(admin.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
  await expect(admin.getByTestId('liveness')).toHaveText('Live')
  await expect(admin.getByRole('region', { name: 'Storages' })).toContainText(/free of/)
  await expect(admin.locator('[data-state=ok]').filter({ hasText: 'Database' })).toContainText('Works')
  await expect(admin.locator('[data-state=off]').filter({ hasText: 'E-mail' })).toContainText('Not set up')
  await expect(admin.getByTestId('/admin/jobs')).toHaveText('None')
  await expectNoBarriers(admin)
  await readCharts(admin)

  await admin.getByRole('link', { name: 'Failed jobs' }).last().click()
  await expect(admin.getByRole('heading', { name: 'No failed jobs' })).toBeVisible()
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Parked events' }).click()
  await expect(admin.getByRole('heading', { name: 'No parked events' })).toBeVisible()
  await expectNoBarriers(admin)
})
