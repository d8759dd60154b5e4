import { MENU_ORDER, MENU } from '@godwit/contract'
import type { Page } from '@playwright/test'
import { WHOLE_MENU, withSite, withUser } from './answers.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

const LATER = MENU_ORDER.filter((name) => name !== 'personal').map((name) => MENU[name].path)
const GUARDED = [
  '/personal',
  ...LATER,
  '/group/detail/7',
  '/profile',
  '/profile/info',
  '/notification',
  '/nowhere/at/all',
]

test('without a session every page leads to /signin and keeps the query', async ({ page }) => {
  for (const path of GUARDED) {
    await page.goto(`${path}?from=mail`)
    await expect(page).toHaveURL(/\/signin\?from=mail$/)
    await expect(new SignInPage(page).account).toBeVisible()
  }
  await page.goto('/')
  await expect(page).toHaveURL(/\/signin$/)
})

test('/forgot-password leads to /signin while the site says so, and opens when it does not', async ({ page }) => {
  await page.goto('/forgot-password')
  await expect(page).toHaveURL(/\/signin$/)
  await withSite(page, { resetPasswordSwitch: 1 })
  await page.goto('/forgot-password')
  await expect(page).toHaveURL(/\/forgot-password$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('/reset-password without what the sign-in hands over leads to /signin', async ({ page }) => {
  await page.goto('/reset-password')
  await expect(page).toHaveURL(/\/signin$/)
})

test('a saved place is given back to the same person only', async ({ page, godwit }) => {
  await startSession(page, godwit)
  await page.goto('/notification?size=20')
  await expect(page.getByRole('heading', { name: 'Notices', exact: true })).toBeVisible()
  const endSession = async (): Promise<void> => page.evaluate(() => localStorage.removeItem('godwit.session'))
  const form = new SignInPage(page)
  const { account, password } = godwit.administrator
  await endSession()
  await page.goto('/notification?size=20')
  await form.signIn(account, password)
  await expect(page).toHaveURL(/\/notification\?size=20$/)
  await endSession()
  await page.goto('/signin')
  const place = { userId: 'somebody-else', address: '/notification' }
  await page.evaluate((kept) => localStorage.setItem('godwit.place', JSON.stringify(kept)), place)
  await form.signIn(account, password)
  await expect(page).toHaveURL(/\/personal$/)
})

test('a place that is no page of the portal is never followed', async ({ page, godwit }) => {
  const form = new SignInPage(page)
  for (const address of ['//evil.example/personal', 'https://evil.example', '/signin', '/api/user/info']) {
    await page.goto('/signin')
    await page.evaluate(
      (kept) => localStorage.setItem('godwit.place', JSON.stringify({ userId: '', address: kept })),
      address,
    )
    await form.signIn(godwit.administrator.account, godwit.administrator.password)
    await expect(page).toHaveURL(`${godwit.url}/personal`)
  }
})

test('the landing page is the first enabled entry of the menu', async ({ page, godwit }) => {
  const off = { ...WHOLE_MENU, files: { myFileSwitch: 0, groupFileSwitch: 0 } }
  const landings = [
    { clientMenuDict: WHOLE_MENU, path: '/personal' },
    { clientMenuDict: { ...WHOLE_MENU, files: { groupFileSwitch: 1 } }, path: '/group' },
    { clientMenuDict: off, path: '/p2p/sender' },
    { clientMenuDict: { ...off, p2p: { p2pRecv: 1 } }, path: '/p2p/receiver' },
    { clientMenuDict: { ...off, p2p: {} }, path: '/delivery' },
    { clientMenuDict: { ...off, p2p: {}, delivery: {} }, path: '/review' },
    { clientMenuDict: { shareLink: { switch: 1 }, inviteLink: { switch: 1 } }, path: '/link/share' },
    { clientMenuDict: { inviteLink: { switch: 1 }, quarantineArea: { switch: 1 } }, path: '/link/invite' },
    { clientMenuDict: { quarantineArea: { switch: 1 } }, path: '/quarantine' },
  ]
  await signIn(page, godwit)
  for (const { clientMenuDict, path } of landings) {
    await page.unrouteAll()
    await withSite(page, { clientMenuDict })
    await page.goto('/')
    await expect(page).toHaveURL(`${godwit.url}${path}`)
  }
  await page.unrouteAll()
  await withSite(page, { clientMenuDict: {} })
  await page.goto('/')
  await expect(new ShellPage(page).denied).toBeVisible()
})

test('an unknown address keeps the session and leads to the landing page', async ({ page, godwit }) => {
  await signIn(page, godwit)
  for (const path of ['/nowhere', '/personal/deeper', '/forgot-password', '/reset-password']) {
    await page.goto(path)
    await expect(page).toHaveURL(`${godwit.url}/personal`)
  }
})

async function expectEach(page: Page, paths: readonly string[], state: 'denied' | 'limit'): Promise<void> {
  for (const path of paths) {
    await page.goto(path)
    await expect(new ShellPage(page)[state], path).toBeVisible()
    await expect.poll(() => new URL(page.url()).pathname).toBe(path)
  }
}

test('a page whose menu is switched off shows that it may not be opened', async ({ page, godwit }) => {
  await withSite(page, { clientMenuDict: { files: { myFileSwitch: 1 } } })
  await signIn(page, godwit)
  await expectEach(page, [...LATER, '/group/detail/7'], 'denied')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect(page).toHaveURL(/\/personal$/)
})

test('a Linux account has no group files', async ({ page, godwit }) => {
  await withSite(page, { clientMenuDict: WHOLE_MENU })
  await withUser(page, { accountType: 6 })
  await signIn(page, godwit)
  expect(await new ShellPage(page).names()).not.toContain('group')
  await expectEach(page, ['/group', '/group/detail/7'], 'denied')
})

test('a page beyond the edition explains the limit, with the phone number for Chinese readers only', async ({
  page,
  godwit,
}) => {
  const contacts = { contactPhone: '400 123 4567', contactEmail: 'sales@example.org' }
  await withSite(page, { clientMenuDict: WHOLE_MENU, edition: 'pro', ...contacts })
  await signIn(page, godwit)
  await expectEach(page, ['/delivery', '/review', '/review/pending', '/review/reviewed', '/quarantine'], 'limit')
  const { limit } = new ShellPage(page)
  expect(await limit.boundingBox()).toMatchObject({ width: 416 })
  await expect(limit.getByRole('link', { name: contacts.contactEmail })).toBeVisible()
  await expect(limit).not.toContainText(contacts.contactPhone)
  await page.getByRole('banner').getByRole('button', { name: '简体中文' }).click()
  await expect(limit.getByRole('link', { name: contacts.contactPhone })).toHaveAttribute('href', 'tel:4001234567')
  await expect(limit).toContainText(contacts.contactEmail)
  await expect(limit).toContainText('“隔离区”需要企业版。')
  await withSite(page, { clientMenuDict: WHOLE_MENU, edition: 'free' })
  await page.goto('/p2p/sender')
  await expect(limit).toContainText('“发送”需要专业版或企业版。')
})

test('without a space nothing further loads', async ({ page, godwit }) => {
  const answer = { code: 4084, message: 'no space' }
  await page.route('**/api/user/info*', (route) => route.fulfill({ status: 400, json: answer }))
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('websocket', (socket) => asked.push(socket.url()))
  await page.goto('/signin')
  await new SignInPage(page).signIn(godwit.administrator.account, godwit.administrator.password)
  await expect(page.getByRole('heading', { name: 'You have no space yet' })).toBeVisible()
  await expect(page).toHaveTitle('You have no space yet - Godwit')
  expect(asked.filter((url) => /\/ws\/|\/api\/(files|uploads|notice)/.test(url))).toEqual([])
})

test('the way back leads past a page that sent one on', async ({ page }) => {
  await page.goto('about:blank')
  await page.goto('/reset-password')
  await expect(page).toHaveURL(/\/signin$/)
  await page.goBack()
  await expect(page).toHaveURL('about:blank')
})

test('site information that does not come is asked for until it does', async ({ page }) => {
  let asked = 0
  await page.route('**/api/website/info', async (route) => {
    asked += 1
    if (asked === 1) await route.fulfill({ status: 400, json: { code: 1, message: 'nonsense' } })
    else await route.continue()
  })
  // At the root: the address of the sign-in brings it along.
  await page.goto('/')
  await expect(new SignInPage(page).account).toBeVisible()
})
