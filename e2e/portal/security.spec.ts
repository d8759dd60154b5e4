import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectNoBarriers, openView, viewName, VIEWS } from './barriers.ts'
import { expect, test } from './fixtures.ts'
import { addPerson, type Person } from './operator.ts'
import { ProfilePage } from './pages/profile.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'
import { scan } from './qr.ts'
import { totpCode } from './totp.ts'

/** Passkeys belong to a name, so these pages are opened by one. */
function named(url: string): string {
  return url.replace('127.0.0.1', 'localhost')
}

async function enter(page: Page, url: string, { account, password }: Person): Promise<ProfilePage> {
  await page.goto(`${named(url)}/signin`)
  await new SignInPage(page).signIn(account, password)
  await page.waitForURL(/\/(personal|profile)/)
  return new ProfilePage(page)
}

async function openSecurity(profile: ProfilePage, url: string): Promise<void> {
  await profile.page.goto(`${named(url)}/profile/security`)
  await expect(profile.rows('Where you are signed in').first()).toBeVisible()
}

/** Switches the second step on. @returns its secret and the recovery codes */
async function enrol(profile: ProfilePage, password: string) {
  await profile.card('Two-step verification').getByRole('button', { name: 'Turn on' }).click()
  await profile.dialog.locator('input[name=password]').fill(password)
  await profile.dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(profile.dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const secret = ((await profile.dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
  const scanned = new URL(await scan(profile.dialog.getByRole('img')))
  expect([scanned.protocol, scanned.searchParams.get('secret')]).toEqual(['otpauth:', secret])
  await profile.dialog.locator('input[name=code]').fill(totpCode(secret, Date.now()))
  await profile.dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = profile.page.getByTestId('recovery-codes').getByRole('listitem')
  await expect(codes).toHaveCount(10)
  return { secret, codes: await codes.allTextContents() }
}

async function addPasskey(profile: ProfilePage, { password }: Person): Promise<void> {
  await profile.button('Add a passkey').click()
  await expect(profile.dialog.locator('input[name=name]')).toHaveValue('Chrome on Linux')
  await profile.dialog.locator('input[name=name]').fill('Work laptop')
  await profile.dialog.locator('input[name=password]').fill(password)
  await profile.dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(profile.message('Passkey “Work laptop” added')).toBeVisible()
}

/** A device with a fingerprint, inside the browser. */
async function withAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

test('the second step is switched on by QR code or typed secret; the recovery codes are shown once, to copy or to keep', async ({
  page,
  godwit,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const person = await addPerson(godwit)
  const profile = await enter(page, godwit.url, person)
  await openSecurity(profile, godwit.url)
  const { secret, codes } = await enrol(profile, person.password)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  await profile.dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(profile.message('Copied')).toBeVisible()
  expect((await page.evaluate(() => navigator.clipboard.readText())).split('\n')).toEqual(codes)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    profile.dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('godwit-recovery-codes.txt')
  expect(await readFile(await file.path(), 'utf8')).toBe(`${codes.join('\n')}\n`)
  await page.mouse.click(5, 5)
  await expect(page.getByTestId('recovery-codes')).toBeVisible()
  await profile.dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByTestId('recovery-codes')).toBeHidden()
  await expect(profile.card('Two-step verification')).toContainText('10 recovery codes left')
})

test('a sign-in asks for the second step: a code of the app, or a recovery code, which works once', async ({
  page,
  godwit,
}) => {
  const person = await addPerson(godwit)
  const profile = await enter(page, godwit.url, person)
  await openSecurity(profile, godwit.url)
  const { codes } = await enrol(profile, person.password)
  const form = new SignInPage(page)
  const [first = '', second = ''] = codes
  await page.goto(`${named(godwit.url)}/signin`)
  await form.signIn(person.account, person.password)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Two-step verification')
  await expect(form.code).toBeFocused()
  await form.code.fill('12')
  await form.code.press('Enter')
  await expect(page.getByText('The code has 6 digits.')).toBeVisible()
  await form.code.fill('000000')
  await form.code.press('Enter')
  await expect(form.failure).toBeVisible()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await expect(form.recoveryCode).toBeFocused()
  await form.recoveryCode.fill(first)
  await form.recoveryCode.press('Enter')
  await page.waitForURL(/\/(personal|profile)/)
  await page.goto(`${named(godwit.url)}/signin`)
  await form.signIn(person.account, person.password)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await form.recoveryCode.fill(first)
  await form.recoveryCode.press('Enter')
  await expect(form.failure).toBeVisible()
  await form.recoveryCode.fill(second)
  await form.recoveryCode.press('Enter')
  await page.waitForURL(/\/(personal|profile)/)
  await openSecurity(profile, godwit.url)
  await expect(profile.card('Two-step verification')).toContainText('8 recovery codes left')
})

test('switching the second step off asks for the password', async ({ page, godwit }) => {
  const person = await addPerson(godwit)
  const profile = await enter(page, godwit.url, person)
  await openSecurity(profile, godwit.url)
  const { codes } = await enrol(profile, person.password)
  await profile.dialog.getByRole('button', { name: 'Done' }).click()
  const card = profile.card('Two-step verification')
  await card.getByRole('button', { name: 'Turn off' }).click()
  await expect(profile.dialog.locator('input[name=password]')).toBeFocused()
  await profile.dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(profile.dialog.getByText('Enter your password.')).toBeVisible()
  await profile.dialog.locator('input[name=password]').fill('not the password')
  await profile.dialog.locator('input[name=code]').fill(codes[0] ?? '')
  await profile.dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(profile.dialog.getByRole('alert')).toContainText('The current password is wrong')
  await profile.dialog.locator('input[name=password]').fill(person.password)
  await profile.dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(profile.message('Two-step verification is off')).toBeVisible()
  await expect(card.getByRole('button', { name: 'Turn on' })).toBeVisible()
})

test('my sessions are listed; one other is logged out, then all others', async ({ browser, page, godwit }) => {
  const person = await addPerson(godwit)
  const profile = await enter(page, godwit.url, person)
  const others = await Promise.all([1, 2, 3].map(async () => browser.newContext({ locale: 'en-US' })))
  const pages = await Promise.all(others.map(async (context) => context.newPage()))
  for (const other of pages) await enter(other, godwit.url, person)
  await openSecurity(profile, godwit.url)
  const rows = profile.rows('Where you are signed in')
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('Chrome on Linux')
  await expect(rows.first()).toContainText('This browser')
  await expect(rows.getByText('This browser')).toHaveCount(1)
  await rows.getByRole('button', { name: 'Log out Chrome on Linux' }).first().click()
  await expect(rows).toHaveCount(3)
  const card = profile.card('Where you are signed in')
  await card.getByRole('button', { name: 'Log out all other devices' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out all other devices' }).click()
  await expect(profile.message('2 other devices were logged out')).toBeVisible()
  await expect(rows).toHaveCount(1)
  for (const other of pages) {
    await other.reload()
    await expect(new SignInPage(other).account).toBeVisible()
  }
  await page.reload()
  await expect(rows).toHaveCount(1)
  await Promise.all(others.map(async (context) => context.close()))
})

test('the history lists sign-ins that worked and those that did not, page by page', async ({ page, godwit }) => {
  const person = await addPerson(godwit)
  const form = new SignInPage(page)
  await page.goto(`${named(godwit.url)}/signin`)
  await form.signIn(person.account, 'not the password')
  await expect(form.failure).toBeVisible()
  for (let times = 1; times <= 11; times++) await enter(page, godwit.url, person)
  const profile = new ProfilePage(page)
  await openSecurity(profile, godwit.url)
  const rows = profile.rows('Sign-in history')
  await expect(rows).toHaveCount(10)
  await expect(rows.first()).toContainText('Signed in')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows).toHaveCount(2)
  await expect(rows.last()).toContainText('Wrong password')
})

test('a passkey is added, renamed, signs in by the button, and is removed', async ({ page, godwit }) => {
  const person = await addPerson(godwit)
  await withAuthenticator(page)
  const profile = await enter(page, godwit.url, person)
  await openSecurity(profile, godwit.url)
  const card = profile.card('Passkeys')
  await expect(card).toContainText('No passkeys yet.')
  await addPasskey(profile, person)
  await card.getByRole('button', { name: 'Rename Work laptop' }).click()
  await profile.dialog.locator('input[name=name]').fill('Home laptop')
  await profile.dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(profile.rows('Passkeys').filter({ hasText: 'Home laptop' })).toContainText('Never used')

  // With the clock standing still the page offers no passkey by itself, so that only the button can have signed in.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.goto(`${named(godwit.url)}/signin`)
  await new SignInPage(page).passkey.click()
  await expect(page).not.toHaveURL(/\/signin/)
  await page.clock.resume()
  await openSecurity(profile, godwit.url)
  await expect(profile.rows('Passkeys').filter({ hasText: 'Home laptop' })).not.toContainText('Never used')
  await card.getByRole('button', { name: 'Remove Home laptop' }).click()
  await profile.dialog.locator('input[name=password]').fill(person.password)
  await profile.dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(card).toContainText('No passkeys yet.')
})

test('the browser offers a passkey as the account, and choosing it signs in', async ({ page, godwit }) => {
  const person = await addPerson(godwit)
  await withAuthenticator(page)
  const profile = await enter(page, godwit.url, person)
  await openSecurity(profile, godwit.url)
  await addPasskey(profile, person)
  await page.goto(`${named(godwit.url)}/signin`)
  await expect(new SignInPage(page).account).toHaveAttribute('autocomplete', 'username webauthn')
  await page.waitForURL(/\/(personal|profile)/)
})

test('a bare address cannot have passkeys, and says so', async ({ page, godwit }) => {
  const person = await addPerson(godwit)
  await page.goto('/signin')
  const form = new SignInPage(page)
  await expect(form.account).toBeVisible()
  await expect(form.passkey).toBeHidden()
  await form.signIn(person.account, person.password)
  await page.waitForURL(/\/personal/)
  const profile = new ProfilePage(page)
  await profile.goto('security')
  await expect(profile.card('Passkeys')).toContainText('Passkeys need a secure address with a host name')
  await expect(profile.button('Add a passkey')).toBeHidden()
})

for (const view of VIEWS) {
  test(`no barriers in what keeps an account safe: ${viewName(view)}`, async ({ browser, godwit }) => {
    const context = await openView(browser, view, named(godwit.url))
    const page = await context.newPage()
    const person = await addPerson(godwit)
    await enter(page, godwit.url, person)
    await page.goto('/profile/security')
    await expect(page.locator('[data-row]').first()).toBeVisible()
    await expectNoBarriers(page)
    await page.getByRole('button', { name: /^(Turn on|开启)$/ }).click()
    await page.locator('input[name=password]').fill(person.password)
    await expectNoBarriers(page)
    await page.keyboard.press('Enter')
    await expect(page.locator('[role=dialog] svg[role=img]')).toBeVisible()
    await expectNoBarriers(page)
    const secret = ((await page.locator('[role=dialog] code').textContent()) ?? '').replaceAll(' ', '')
    await page.locator('input[name=code]').fill(totpCode(secret, Date.now()))
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('recovery-codes')).toBeVisible()
    // The page below has learned of it, so that its buttons change no more.
    await expect(page.locator('main').getByText(/^(Turn off|关闭)$/)).toBeVisible()
    await expectNoBarriers(page)
    await page.reload()
    for (const question of [
      /^(New recovery codes|重新生成恢复码)$/,
      /^(Turn off|关闭)$/,
      /^(Add a passkey|添加通行密钥)$/,
    ]) {
      await page.getByRole('button', { name: question }).click()
      await expect(page.locator('[role=dialog] input[name=password]')).toBeVisible()
      await expectNoBarriers(page)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await page.goto('/signin')
    await new SignInPage(page).signIn(person.account, person.password)
    await expect(page.locator('input[name=code]')).toBeVisible()
    await expectNoBarriers(page)
    await context.close()
  })
}
