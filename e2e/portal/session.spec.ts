import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { expect, signIn, test } from './fixtures.ts'
import { FilesPage } from './pages/files.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

const MINUTE = 60_000
const RENEWAL = 20 * MINUTE

/** Lets time pass in the page, and its renewals come to their end: a call that is overtaken by the clock would meet its time limit. */
async function pass(page: Page, ms: number): Promise<void> {
  const age = async (): Promise<number> =>
    page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { refreshedAt?: number }
      return Date.now() - (session.refreshedAt ?? Number.NaN)
    })
  for (let left = ms; left > 0;) {
    const before = await age()
    const isDue = before >= RENEWAL - 1_000
    const step = Math.min(left, isDue ? MINUTE + 1_000 : RENEWAL - 1_000 - before)
    await page.clock.runFor(step)
    left -= step
    if (isDue && step > MINUTE) await expect.poll(age).toBeLessThan(RENEWAL - 1_000)
  }
}

test('the token is renewed when it is 20 minutes old, looked at each minute', async ({ page, godwit }) => {
  await page.clock.install()
  const renewals: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/api/user/auth')) renewals.push(request.url())
  })
  await signIn(page, godwit)
  const before = await stored(page)
  await page.clock.runFor(19 * MINUTE)
  expect(renewals).toHaveLength(0)
  await page.clock.runFor(2 * MINUTE)
  await expect.poll(async () => stored(page)).not.toBe(before)
  expect(renewals).toHaveLength(1)
})

test('a renewal that is refused logs out; one that has no answer is tried again', async ({ page, godwit }) => {
  await page.clock.install()
  await signIn(page, godwit)
  let answer: 'none' | 'refused' = 'none'
  let tries = 0
  await page.route('**/api/user/auth', async (route) => {
    tries += 1
    if (answer === 'none') return route.abort()
    return route.fulfill({ status: 400, json: { code: 1009, message: 'no' } })
  })
  await page.clock.runFor(21 * MINUTE)
  await expect.poll(() => tries).toBeGreaterThan(0)
  expect(await stored(page)).toBeDefined()
  answer = 'refused'
  await page.clock.runFor(MINUTE)
  await expect(page.getByText('Your session has expired. Sign in again.')).toBeVisible()
})

test('a renewal whose answer is lost signs nobody out', async ({ page, godwit }) => {
  await page.clock.install()
  await signIn(page, godwit)
  const before = await stored(page)
  const { promise: renewed, resolve: answered } = Promise.withResolvers<void>()
  await page.route('**/api/user/auth', async (route) => {
    await route.fetch()
    answered()
    await route.abort()
  })
  await page.clock.runFor(RENEWAL + 1_000)
  await renewed
  await page.unrouteAll({ behavior: 'wait' })
  expect(await stored(page)).toBe(before)
  // With the tokens of before the page goes on, and renews them as soon as it stands.
  await page.reload()
  await expect(page.getByTestId('account')).toBeVisible()
  await expect.poll(async () => stored(page)).not.toBe(before)
  await page.reload()
  await expect(page.getByTestId('account')).toBeVisible()
})

test('work keeps the session, and the warning comes two minutes before its end', async ({ page, godwit }) => {
  await page.clock.install()
  await signIn(page, godwit)
  await pass(page, 27 * MINUTE)
  await page.keyboard.press('Shift')
  await pass(page, 27 * MINUTE)
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await page.clock.runFor(1 * MINUTE + 1_000)
  await expect(page.getByRole('alertdialog')).toContainText('You will be logged out in')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/signin/)
})

test('a running upload counts as activity', async ({ page, godwit, computer }) => {
  await page.clock.install()
  await signIn(page, godwit)
  await writeFile(join(computer, 'slow.bin'), Buffer.alloc(8 * 1024 * 1024))
  // Parts that are never answered keep the upload running for as long as the test wants.
  await page.route('**/parts/**', () => undefined)
  const files = new FilesPage(page)
  await files.choose([join(computer, 'slow.bin')])
  await expect(files.uploads.rows.first()).toHaveAttribute('data-state', 'active')
  await pass(page, 45 * MINUTE)
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(files.uploads.rows.first()).toBeVisible()
  await page.getByTestId('account').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Log out with unfinished uploads?')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/signin/)
})

test('polling by itself carries the marker that it is no activity', async ({ page, godwit }) => {
  const marked: Array<string | undefined> = []
  page.on('request', (request) => {
    if (request.url().includes('/api/notice/list')) marked.push(request.headers()['x-no-refresh'])
  })
  await signIn(page, godwit)
  await expect.poll(() => marked).toContain('1')
})

test('a session ended by the server is reported once, cannot be dismissed, and leads to /signin', async ({
  page,
  godwit,
  request,
}) => {
  // A request that came too late would be told as of any session that is over, so none is under way and none follows.
  const underWay = new Set<Request>()
  let isConnected = false
  page.on('websocket', (socket) => socket.on('framereceived', () => (isConnected = true)))
  page.on('request', (each) => underWay.add(each))
  page.on('requestfinished', (each) => underWay.delete(each))
  page.on('requestfailed', (each) => underWay.delete(each))
  await signIn(page, godwit)
  await expect.poll(() => isConnected).toBe(true)
  await page.route('**/api/**', (route) => void underWay.delete(route.request()))
  await expect.poll(() => underWay.size).toBe(0)
  const { token } = JSON.parse((await stored(page)) ?? '{}') as { token: string }
  await request.post(`${godwit.url}/api/user/logout/all`, { headers: { authorization: `Bearer ${token}` } })
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Session ended')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 400)
  await expect(dialog).toHaveCount(1)
  await expect(dialog).toBeVisible()
  await page.unroute('**/api/**')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(/\/signin/)
  await expect(page.getByText('The server ended your session.')).toBeVisible()
  await new SignInPage(page).signIn(godwit.administrator.account, godwit.administrator.password)
  await expect(page).toHaveURL(/\/personal/)
  await expect(dialog).toBeHidden()
})

test('an invalid token logs out', async ({ page, godwit }) => {
  await signIn(page, godwit)
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as Record<string, unknown>
    localStorage.setItem('godwit.session', JSON.stringify({ ...session, token: 'x'.repeat(43) }))
  })
  await page.goto('/notification')
  await expect(page).toHaveURL(/\/signin/)
  await expect(page.getByText('Your session has expired. Sign in again.')).toBeVisible()
})

async function stored(page: Page): Promise<string | undefined> {
  return page.evaluate(() => localStorage.getItem('godwit.session') ?? undefined)
}
