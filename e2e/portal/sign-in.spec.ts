import { LIMITS } from '@godwit/contract/limits'
import { withSite } from './answers.ts'
import { expectNoBarriers, openView, viewName, VIEWS } from './barriers.ts'
import { expect, signIn, test } from './fixtures.ts'
import { codeTo, test as mailTest } from './mail-house.ts'
import { addPerson, operator } from './operator.ts'
import { RecoveryPage } from './pages/recovery.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

test('missing fields and a wrong password say what to do', async ({ page, godwit }) => {
  const form = new SignInPage(page)
  await page.goto(`${godwit.url}/`)
  await expect(page).toHaveURL(/\/signin$/)
  await form.submit.click()
  await expect(page.getByText('Enter your account.')).toBeVisible()
  await form.signIn('nobody', 'not the password')
  await expect(form.failure).toContainText('The account or password is wrong')
  await expect(form.failure).toContainText(/Code 1005$/)
  await page.getByRole('button', { name: '简体中文' }).click()
  await expect(form.failure).toContainText('账号或密码')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
})

test('a wrong password shows the failures, the limit and the minutes of the lock; after the last one the account is locked', async ({
  page,
  godwit,
}) => {
  const { account, password } = await addPerson(godwit)
  const form = new SignInPage(page)
  await page.clock.install()
  await page.goto('/signin')
  for (const failures of [1, 2, 3, 4]) {
    await page.clock.runFor(1_000)
    await form.signIn(account, `wrong ${failures}`)
    await expect(form.failure).toContainText(
      `Failed attempts: ${failures} of 5; then the account is locked for 10 min.`,
    )
    await expect(form.password).toBeFocused()
  }
  await page.clock.runFor(1_000)
  await form.signIn(account, 'wrong 5')
  await expect(form.failure).not.toContainText('4 of 5')
  await page.clock.runFor(1_000)
  await form.signIn(account, password)
  await expect(form.failure).toContainText('is locked')
})

test('both fields are checked on every change and carry a red asterisk; texts end at 256 characters', async ({
  page,
}) => {
  const form = new SignInPage(page)
  await page.goto('/signin')
  await expect(page.getByText('*')).toHaveCount(2)
  await form.account.fill('a')
  await form.account.fill('')
  await expect(page.getByText('Enter your account.')).toBeVisible()
  await form.account.fill('b')
  await expect(page.getByText('Enter your account.')).toBeHidden()
  await expect(form.account).toHaveAttribute('maxlength', '256')
  await expect(form.password).toHaveAttribute('maxlength', '256')
})

test('an e-mail address is resolved to its account before the sign-in', async ({ page, godwit }) => {
  const { account, email, password } = await addPerson(godwit)
  const form = new SignInPage(page)
  await page.goto('/signin')
  const lookup = page.waitForRequest('**/api/legacy')
  const login = page.waitForRequest('**/api/user/login')
  await form.signIn(email, password)
  expect((await lookup).postDataJSON()).toEqual({ action: 'get_account', email })
  await expect(page).toHaveURL(/\/personal/)
  expect((await login).postDataJSON()).toMatchObject({ account: expect.stringMatching(account) })
})

test('presses within 500 ms of each other sign in once', async ({ page, godwit }) => {
  const form = new SignInPage(page)
  let logins = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user/login')) logins += 1
  })
  await page.clock.install()
  await page.goto('/signin')
  await form.account.fill('nobody')
  await form.password.fill('wrong')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await form.password.press('Enter')
  await expect(form.failure).toBeVisible()
  expect(logins).toBe(1)
  await page.clock.runFor(499)
  await form.password.press('Enter')
  await page.clock.runFor(499)
  await form.password.press('Enter')
  await page.clock.runFor(500)
  await form.signIn(godwit.administrator.account, godwit.administrator.password)
  await expect.poll(() => logins).toBe(2)
})

const GRID = [
  ['left', 'top'],
  ['centre', 'top'],
  ['right', 'top'],
  ['left', 'middle'],
  ['centre', 'middle'],
  ['right', 'middle'],
  ['left', 'bottom'],
  ['centre', 'bottom'],
  ['right', 'bottom'],
] as const

test('positions 1 to 9 put the card of 480 px at their place in the grid', async ({ page }) => {
  for (const [index, [column, row]] of GRID.entries()) {
    await page.unrouteAll()
    await withSite(page, { position: index + 1 })
    await page.goto('/signin')
    const box = await new SignInPage(page).card.boundingBox()
    if (box === null) throw new Error('no card')
    expect(box.width).toBe(480)
    const centre = (box.x + box.width / 2) / 1400
    expect(centre < 0.4 ? 'left' : centre > 0.6 ? 'right' : 'centre', `position ${index + 1}`).toBe(column)
    expect(box.y < 60 ? 'top' : box.y + box.height > 840 ? 'bottom' : 'middle', `position ${index + 1}`).toBe(row)
  }
})

test('a fresh installation has position 6', async ({ page }) => {
  await page.goto('/signin')
  const box = await new SignInPage(page).card.boundingBox()
  expect((box?.x ?? 0) + 240).toBeGreaterThan(840)
})

test('heading, background colour and image come from the site', async ({ page }) => {
  await withSite(page, { productNameEN: 'Heron', backgroundColor: '#0B6E4F' })
  await page.goto('/signin')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in to Heron')
  await expect(page.locator('main')).toHaveCSS('background-color', 'rgb(11, 110, 79)')
  await page.unrouteAll()
  await withSite(page, { is_bg_change: 1, background: '/assets/godwit.svg' })
  await page.reload()
  await expect(page.locator('main')).toHaveCSS('background-image', /godwit\.svg/)
})

test('the company stands at the end of the card, with the way to its page, in the reader’s language', async ({
  page,
}) => {
  const names = { companyEN: 'Shorebirds Ltd', companyZH: '水鸟有限公司', companyLinkEN: 'https://example.org/en' }
  await withSite(page, { resetPasswordSwitch: 1, ...names })
  const { card, forgot } = new SignInPage(page)
  await page.goto('/signin')
  const link = card.getByRole('link', { name: 'Shorebirds Ltd' })
  await expect(link).toHaveAttribute('href', 'https://example.org/en')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await forgot.click()
  await expect(link).toBeVisible()
  await page.getByRole('button', { name: '简体中文' }).click()
  await expect(card.getByText('水鸟有限公司')).toBeVisible()
  await expect(card.getByRole('link', { name: '水鸟有限公司' })).toHaveCount(0)
})

test('the forgot link is there only while people may reset their password', async ({ page }) => {
  const form = new SignInPage(page)
  await page.goto('/signin')
  await expect(form.account).toBeVisible()
  await expect(form.forgot).toBeHidden()
  await withSite(page, { resetPasswordSwitch: 1 })
  await page.reload()
  await form.forgot.click()
  await expect(page).toHaveURL(/\/forgot-password$/)
})

test('the language toggle keeps what was typed, and is hidden where there is only English', async ({ page }) => {
  const form = new SignInPage(page)
  await page.goto('/signin')
  await form.account.fill('somebody')
  await page.getByRole('button', { name: '简体中文' }).click()
  await expect(form.submit).toHaveText('登录')
  await expect(form.account).toHaveValue('somebody')
  await withSite(page, { englishOnly: 1 })
  await page.goto('/signin')
  await expect(form.account).toBeVisible()
  await expect(page.getByRole('button', { name: 'English' })).toBeHidden()
})

test('phones are offered the app', async ({ page }) => {
  await withSite(page, { androidLink: 'https://example.org/app.apk', iosLink: 'https://example.org/ios' })
  await page.goto('/signin')
  await expect(new SignInPage(page).account).toBeVisible()
  await expect(page.getByRole('link', { name: 'Android app' })).toBeHidden()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('link', { name: 'Android app' })).toHaveAttribute('href', 'https://example.org/app.apk')
  await expect(page.getByRole('link', { name: 'iOS app' })).toBeVisible()
})

mailTest(
  'a sign-in asks for the e-mail code when the server demands one',
  async ({ page, house: { godwit, smtp } }) => {
    const { account, email, password } = await addPerson(godwit)
    await operator(godwit, 'site', 'set', 'emailVerificationSwitch', '1')
    try {
      const form = new SignInPage(page)
      await page.clock.install()
      await page.route('**/api/user/emailVerification', (route) => route.abort(), { times: 1 })
      await page.goto('/signin')
      await form.signIn(account, password)
      await expect(form.codeDialog).toContainText('Check your e-mail')
      await expect(form.code).toBeFocused()
      await expect(form.codeDialog).toContainText('Valid for 10 minutes.')
      // What was not sent need not be waited for.
      await expect(form.failure).toBeVisible()
      const again = form.codeDialog.getByRole('button', { name: /Resend/ })
      await expect(again).toHaveText('Resend')
      const asked = page.waitForRequest('**/api/user/emailVerification')
      await again.click()
      expect((await asked).postDataJSON()).toEqual({ account, language: 1 })
      await expect(again).toHaveText(/Resend.+\d/)
      await expect(again).toBeDisabled()
      const code = await codeTo(smtp, email)
      await form.code.fill(code === '000000' ? '111111' : '000000')
      await form.code.press('Enter')
      await expect(form.failure).toContainText('code')
      await page.clock.fastForward(60_000)
      await expect(again).toHaveText('Resend')
      await expect(again).toBeEnabled()
      await form.code.fill(code)
      await form.code.press('Enter')
      await expect(page).toHaveURL(/\/personal/)
    } finally {
      await operator(godwit, 'site', 'set', 'emailVerificationSwitch', '0')
    }
  },
)

test('an account that must change its password does so with what it just typed, and never shows it', async ({
  page,
  godwit,
}) => {
  const { account, password } = await addPerson(godwit, { mustReset: true })
  const form = new SignInPage(page)
  const reset = new RecoveryPage(page)
  await page.goto('/signin')
  await form.signIn(account, password)
  await expect(page).toHaveURL(/\/reset-password$/)
  await expect(reset.old).toHaveValue(password)
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]))
  expect(kept).not.toContain(password)
  await reset.choose('Wide-estuary-9', 'Wide-estuary-8')
  await expect(page.getByText('The passwords do not match.')).toBeVisible()
  await reset.choose('Wide-estuary-9')
  await expect(page).toHaveURL(/\/signin$/)
  await expect(page.getByText('Your new password is set. You can sign in now.')).toBeVisible()
  await form.signIn(account, 'Wide-estuary-9')
  await expect(page).toHaveURL(/\/personal/)
})

test('/reset-password without the handed-over password leads to /signin', async ({ page, godwit }) => {
  const form = new SignInPage(page)
  await page.goto('/reset-password')
  await expect(page).toHaveURL(/\/signin$/)
  const { account, password } = await addPerson(godwit, { mustReset: true })
  await form.signIn(account, password)
  await expect(page).toHaveURL(/\/reset-password$/)
  await page.reload()
  await expect(page).toHaveURL(/\/signin$/)
})

for (const view of VIEWS) {
  mailTest(`no barriers at sign-in: ${viewName(view)}`, async ({ browser, house: { godwit } }) => {
    const context = await openView(browser, view, godwit.url)
    const page = await context.newPage()
    const form = new SignInPage(page)
    await page.goto('/signin')
    await expect(form.forgot).toBeVisible()
    await expectNoBarriers(page)
    await form.submit.click()
    await expectNoBarriers(page)
    await form.signIn('nobody', 'wrong')
    await expect(form.failure).toBeVisible()
    await expectNoBarriers(page)
    const { account, password } = await addPerson(godwit, { mustReset: true })
    // A press so soon after the one before counts as the same one.
    await page.waitForTimeout(LIMITS.loginDebounceMs)
    await form.signIn(account, password)
    await expect(page).toHaveURL(/\/reset-password$/)
    await expectNoBarriers(page)
    await new RecoveryPage(page).choose('short', 'other')
    await expectNoBarriers(page)
    await operator(godwit, 'site', 'set', 'emailVerificationSwitch', '1')
    try {
      const checked = await addPerson(godwit)
      await page.goto('/signin')
      await form.signIn(checked.account, checked.password)
      await expect(form.code).toBeVisible()
      await expectNoBarriers(page)
    } finally {
      await operator(godwit, 'site', 'set', 'emailVerificationSwitch', '0')
    }
    await context.close()
  })
}

test('a deep link asks to sign in and is opened afterwards', async ({ page, godwit }) => {
  const form = new SignInPage(page)
  await page.goto(`${godwit.url}/personal?path=/`)
  await expect(page).toHaveURL(/\/signin\?path=/)
  await form.signIn(godwit.administrator.account, godwit.administrator.password)
  await expect(page).toHaveURL(/\/personal\?path=/)
})

test('arriving at /signin logs out', async ({ page, godwit }) => {
  await signIn(page, godwit)
  await page.goto(`${godwit.url}/signin`)
  await expect(new SignInPage(page).account).toBeVisible()
  await page.goto(`${godwit.url}/personal`)
  await expect(page).toHaveURL(/\/signin/)
})

test('who logs out while the session is being renewed stays logged out, and the renewed one ends as well', async ({
  page,
  godwit,
}) => {
  await page.clock.install()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: renewed, resolve: answered } = Promise.withResolvers<void>()
  await page.route('**/api/user/auth', async (route) => {
    const response = await route.fetch()
    answered()
    await held
    await route.fulfill({ response })
  })
  await signIn(page, godwit)
  await page.clock.fastForward(21 * 60_000)
  await renewed
  // The page logs out twice: with the token it has, and with the new one when that arrives, which is no longer good then.
  const ended = page.waitForResponse('**/api/user/logout')
  await page.getByTestId('account').click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(new SignInPage(page).account).toBeVisible()
  expect((await ended).status()).toBe(200)
  const again = page.waitForResponse('**/api/user/logout')
  release()
  expect(await (await again).json()).toMatchObject({ code: 1009 })
  await expect(new SignInPage(page).account).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('godwit.session'))).toBeNull()
})

test('30 idle minutes log out, with a warning that can be answered', async ({ page, godwit }) => {
  await page.clock.install()
  await signIn(page, godwit)
  await page.clock.fastForward(28 * 60_000 + 1_000)
  await expect(page.getByRole('alertdialog')).toContainText('Are you still there?')
  await page.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await page.clock.fastForward(29 * 60_000)
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.clock.fastForward(2 * 60_000)
  await expect(page.getByText('You were logged out after 30 minutes without activity.')).toBeVisible()
})
