import { readFile } from 'node:fs/promises'
import type { Godwit } from '@godwit/testkit'
import type { Browser, Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, withOwnServer } from '../portal/fixtures.ts'
import { shiftOf } from '../portal/page-load.ts'
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

/** The list of what a new site needs leads to the backups, which are made, proved and then ticked off. */
async function makeBackup(admin: Page): Promise<void> {
  await admin.goto('/admin/dashboard')
  await expect(admin.locator('[data-step=storage]')).toHaveAttribute('data-done', 'true')
  await admin.locator('[data-step=backup]').getByRole('link', { name: 'Backup' }).click()
  await expect(admin.getByRole('heading', { name: 'No backups yet' })).toBeVisible()
  await admin.getByLabel('Back up every day').check()
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('The settings are saved and in force.')).toBeVisible()
  await admin.getByRole('button', { name: 'Back up now' }).first().click()
  const row = admin.getByRole('row').nth(1)
  await expect(row).toContainText('Done')
  await row.getByRole('button', { name: /Prove that it restores/ }).click()
  await expect(row).toContainText('Passed')
  await expectNoBarriers(admin)
  await admin.goto('/admin/dashboard')
  await expect(admin.locator('[data-step=backup]')).toHaveAttribute('data-done', 'true')
  await expect(admin.getByRole('region', { name: 'Backups' })).toContainText('Passed')
  await admin.getByRole('button', { name: 'Hide' }).click()
  await expect(admin.locator('[data-step]')).toHaveCount(0)
  await admin.reload()
  await expect(admin.getByTestId('liveness')).toHaveText('Live')
  await expect(admin.locator('[data-step]')).toHaveCount(0)
}

/** The token of the figures is shown once, reads them, and ends. */
async function makeMetricsToken(admin: Page): Promise<void> {
  await admin.goto('/admin/metrics')
  await admin.getByRole('button', { name: 'Create token' }).click()
  const token = (await admin.getByTestId('metrics-token').textContent()) ?? ''
  const scrape = () => admin.request.get('/metrics', { headers: { authorization: `Bearer ${token}` } })
  expect(await (await scrape()).text()).toContain('godwit_build_info')
  await expectNoBarriers(admin)
  await admin.reload()
  await expect(admin.getByText('On since')).toBeVisible()
  await expect(admin.getByTestId('metrics-token')).toHaveCount(0)
  await admin.getByRole('button', { name: 'Switch off' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await expect(admin.getByText('Off: there is no token yet')).toBeVisible()
  expect((await scrape()).status()).toBe(400)
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
  await admin.reload()
  await expect(admin.getByTestId('liveness')).toHaveText('Live')
  await expect(admin.getByRole('region', { name: 'Storages' })).toContainText(/free of/)
  expect(await shiftOf(admin)).toBeLessThan(0.1)
  await readCharts(admin)

  await admin.getByRole('link', { name: 'Failed jobs' }).last().click()
  await expect(admin.getByRole('heading', { name: 'No failed jobs' })).toBeVisible()
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Parked events' }).click()
  await expect(admin.getByRole('heading', { name: 'No parked events' })).toBeVisible()
  await expectNoBarriers(admin)

  await makeBackup(admin)
  await makeMetricsToken(admin)
})
