import { expect, type MailHouse, test } from './mail-house.ts'
import { withSite, withUser } from './answers.ts'
import { bareTexts, expectNoBarriers, openView, viewName, VIEWS } from './barriers.ts'
import { addPerson, type Person, type PersonOptions } from './operator.ts'
import { ProfilePage } from './pages/profile.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'
import type { Page } from '@playwright/test'

/** A new account, signed in. */
async function enter(page: Page, { godwit }: MailHouse, options?: PersonOptions): Promise<Person> {
  const person = await addPerson(godwit, options)
  await page.goto('/signin')
  await new SignInPage(page).signIn(person.account, person.password)
  await page.waitForURL(/\/personal/)
  return person
}

test('the menu of the personal centre leads to every page, and /profile to the first', async ({ page, house }) => {
  await enter(page, house)
  const profile = new ProfilePage(page)
  await page.goto('/profile')
  await expect(page).toHaveURL(/\/profile\/info$/)
  const entries = profile.menu.getByRole('link')
  await expect(entries).toHaveText(['Information', 'Password', 'E-mail sending', 'Security', 'API tokens'])
  for (const [label, path] of [
    ['Password', 'password'],
    ['E-mail sending', 'email'],
    ['Security', 'security'],
    ['API tokens', 'tokens'],
    ['Information', 'info'],
  ] as const) {
    await profile.menu.getByRole('link', { name: label }).click()
    await expect(page).toHaveURL(`/profile/${path}`)
    await expect(profile.menu.locator('[aria-current=page]')).toHaveText(label)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
  }
})

test('the tab is named after the page, in the language of the page', async ({ page, house }) => {
  await enter(page, house)
  await new ProfilePage(page).goto('security')
  await expect(page).toHaveTitle('Security - Godwit')
  await page.getByRole('banner').getByRole('button', { name: '简体中文' }).click()
  await expect(page).toHaveTitle('安全 - 塍鹬')
})

test('the e-mail address can be changed with the password, the account cannot', async ({ page, house }) => {
  const { account, email, password } = await enter(page, house)
  const profile = new ProfilePage(page)
  await profile.goto('info')
  await expect(page.getByLabel('Account', { exact: true })).toHaveValue(account)
  await expect(page.getByLabel('Account', { exact: true })).toHaveAttribute('readonly', '')
  await expect(profile.field('email')).toHaveValue(email)
  await expect(profile.field('password')).toBeHidden()
  await profile.field('email').fill('')
  await expect(page.getByText('Enter an e-mail address.')).toBeVisible()
  await profile.field('email').fill('nowhere')
  await expect(page.getByText('Incorrect e-mail format.')).toBeVisible()
  await profile.field('email').fill(`new-${email}`)
  await profile.menu.getByRole('link', { name: 'Password' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Unsaved changes: E-mail.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await profile.submit.click()
  await expect(profile.field('password')).toBeFocused()
  await profile.field('password').fill('not the password')
  await profile.submit.click()
  await expect(profile.failure).toContainText('The current password is wrong. Enter it again.')
  await profile.field('password').fill(password)
  await profile.submit.click()
  await expect(profile.message('Information saved')).toBeVisible()
  await page.reload()
  await expect(profile.field('email')).toHaveValue(`new-${email}`)
})

test('a changed password leads to /signin after 1.2 s, and only the new one works', async ({ page, house }) => {
  const { account, password } = await enter(page, house)
  const profile = new ProfilePage(page)
  await profile.goto('password')
  await profile.submit.click()
  await expect(page.getByText('Enter your current password.')).toBeVisible()
  await expect(profile.field('old')).toBeFocused()
  await profile.field('old').fill('not the password')
  await profile.field('password').fill('Wide-estuary-9')
  await profile.field('repeat').fill('Wide-estuary-9')
  await profile.submit.click()
  await expect(profile.failure).toContainText('The current password is wrong. Enter it again.')
  await profile.field('old').fill(password)
  await page.evaluate(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('[role=alertdialog]') !== null) localStorage.setItem('test.dialog', 'seen')
    })
    seen.observe(document.body, { childList: true, subtree: true })
  })
  await profile.submit.click()
  await expect(profile.message('Password changed. Sign in again.')).toBeVisible()
  await expect(page).toHaveURL(/\/signin/)
  expect(await page.evaluate(() => localStorage.getItem('godwit.session'))).toBeNull()
  // The person ended the session themselves, so no dialog tells them of it.
  expect(await page.evaluate(() => localStorage.getItem('test.dialog'))).toBeNull()
  await new SignInPage(page).signIn(account, 'Wide-estuary-9')
  await expect(page).toHaveURL(/\/personal|\/profile/)
})

test('the password page is for normal accounts alone, and only while the site lets people change it', async ({
  page,
  house,
}) => {
  await enter(page, house)
  const profile = new ProfilePage(page)
  const entry = profile.menu.getByRole('link', { name: 'Password' })
  await profile.goto('info')
  await expect(entry).toBeVisible()
  for (const accountType of [4, 5, 6]) {
    await withUser(page, { accountType })
    await page.goto('/profile/password')
    await expect(page).toHaveURL(/\/profile\/info$/)
    await expect(entry).toBeHidden()
    await page.unrouteAll()
  }
  await withSite(page, { userPwdSwitch: 0 })
  await page.goto('/profile/password')
  await expect(page).toHaveURL(/\/profile\/info$/)
  await expect(entry).toBeHidden()
})

test('the e-mail page is there only with a sender of one’s own', async ({ page, house }) => {
  await enter(page, house)
  const profile = new ProfilePage(page)
  await withUser(page, { emailSenderType: 0 })
  await page.goto('/profile/email')
  await expect(page).toHaveURL(/\/profile\/info$/)
  await expect(profile.menu.getByRole('link', { name: 'E-mail sending' })).toBeHidden()
})

const PROVIDERS = [
  ['Gmail', '465', ['SSL/TLS']],
  ['AOL', '465', ['SSL/TLS']],
  ['iCloud', '587', ['STARTTLS']],
  ['MSN', '587', ['STARTTLS']],
  ['Microsoft365', '587', ['STARTTLS']],
  ['Outlook', '587', ['STARTTLS']],
  ['Hotmail', '587', ['STARTTLS']],
  ['Live', '587', ['STARTTLS']],
  ['Yahoo', '465', ['SSL/TLS', 'STARTTLS', 'None']],
  ['Other', '465', ['SSL/TLS', 'STARTTLS', 'None']],
] as const

test('the form of the sender begins with Other, 465 and SSL, and each provider brings its port and choices', async ({
  page,
  house,
}) => {
  await enter(page, house)
  const profile = new ProfilePage(page)
  await profile.goto('email')
  await expect(profile.field('provider').locator('option:checked')).toHaveText('Other')
  await expect(profile.field('port')).toHaveValue('465')
  await expect(profile.field('encryption').locator('option:checked')).toHaveText('SSL/TLS')
  await expect(profile.field('provider').locator('option')).toHaveText(PROVIDERS.map(([label]) => label))
  for (const [label, port, encryptions] of PROVIDERS) {
    await profile.field('provider').selectOption({ label })
    await expect(profile.field('port')).toHaveValue(port)
    await expect(profile.field('encryption').locator('option')).toHaveText(encryptions)
    await expect(profile.field('encryption').locator('option:checked')).toHaveText(encryptions[0])
  }
  await profile.field('encryption').selectOption({ label: 'None' })
  await expect(
    page.getByText('Without encryption, others can read the password and every message in transit.'),
  ).toBeVisible()
})

test('every field of the sender is required', async ({ page, house }) => {
  await enter(page, house)
  const profile = new ProfilePage(page)
  await profile.goto('email')
  await profile.field('from').fill('')
  await profile.field('account').fill('')
  await profile.field('host').fill('')
  await profile.field('port').fill('0')
  await profile.submit.click()
  for (const text of [
    'Enter the sender name that recipients see.',
    'Enter an e-mail address.',
    'Enter the password of the e-mail account.',
    'Enter the address of the SMTP server.',
    'Enter a number from 1 to 65535.',
  ]) {
    await expect(page.getByText(text)).toBeVisible()
  }
  await expect(profile.field('from')).toBeFocused()
})

test('a test mail shows what failed in the words of the mail server, then arrives; the sender is saved', async ({
  page,
  house,
}) => {
  const { email } = await enter(page, house)
  const { smtp } = house
  const profile = new ProfilePage(page)
  await profile.goto('email')
  await profile.field('from').fill('Mei')
  await profile.field('account').fill(smtp.account)
  await profile.field('password').fill('not its password')
  await profile.field('host').fill('localhost')
  await profile.field('encryption').selectOption({ label: 'SSL/TLS' })
  await profile.field('port').fill(String(smtp.sslPort))
  await profile.button('Send test e-mail').click()
  await expect(profile.failure).toContainText('The SMTP server refused the account or the password.')
  await expect(profile.failure).toContainText('535')
  await profile.field('password').fill(smtp.password)
  await profile.button('Send test e-mail').click()
  await expect(page.getByText(`The test e-mail to ${email} was accepted.`)).toBeVisible()
  expect((await smtp.mailTo(email)).parsed.from?.name).toBe('Mei')
  await profile.submit.click()
  await expect(profile.message('E-mail settings saved')).toBeVisible()
  await page.reload()
  await expect(profile.field('host')).toHaveValue('localhost')
  await expect(profile.field('password')).toHaveValue('')
  await expect(page.getByText('A password is saved. Leave this empty to keep it.')).toBeVisible()
  await profile.button('Send test e-mail').click()
  await expect(page.getByText(`The test e-mail to ${email} was accepted.`)).toBeVisible()
  await profile.field('host').fill('127.0.0.1')
  await expect(page.getByText('Enter the password of the e-mail account.')).toBeVisible()
})

test('every text of the personal centre comes from the catalogue', async ({ page, house }) => {
  await enter(page, house)
  const profile = new ProfilePage(page)
  await page.evaluate(() => localStorage.setItem('godwit.pseudo', 'on'))
  for (const section of ['info', 'password', 'email', 'security', 'tokens'] as const) {
    await profile.goto(section)
    await expect(page.locator('section button').first()).toBeVisible()
    await expect.poll(() => bareTexts(page), section).toEqual([])
  }
  for (const path of ['/forgot-password', '/signin']) {
    // Arriving there logs out; the other page is open to nobody who is still signed in.
    await page.goto('/signin')
    await expect(page.locator('button[type=submit]')).toBeVisible()
    await page.goto(path)
    await expect(page.locator('button[type=submit]')).toBeVisible()
    await page.locator('button[type=submit]').click()
    await expect.poll(() => bareTexts(page), path).toEqual([])
  }
})

for (const view of VIEWS) {
  test(`no barriers in the personal centre: ${viewName(view)}`, async ({ browser, house }) => {
    const context = await openView(browser, view, house.godwit.url)
    const page = await context.newPage()
    await enter(page, house)
    const profile = new ProfilePage(page)
    for (const section of ['info', 'password', 'email'] as const) {
      await profile.goto(section)
      await expectNoBarriers(page)
      await profile.submit.click()
      await expectNoBarriers(page)
    }
    await context.close()
  })
}
