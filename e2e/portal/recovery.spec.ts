import { expectNoBarriers, openView, viewName, VIEWS } from './barriers.ts'
import { codeTo, expect, test } from './mail-house.ts'
import { addPerson } from './operator.ts'
import { RecoveryPage } from './pages/recovery.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

test('a forgotten password is set anew in three steps: address, code, password', async ({
  page,
  house: { godwit, smtp },
}) => {
  const { account, email } = await addPerson(godwit)
  const recovery = new RecoveryPage(page)
  await page.clock.install()
  await page.goto('/forgot-password')
  await expect(recovery.step).toContainText('E-mail')
  await recovery.email.fill(email)
  await recovery.submit.click()
  await expect(recovery.step).toContainText('Code')
  await expect(recovery.code).toBeFocused()
  await expect(page.getByText('Valid for 10 minutes.')).toBeVisible()
  const again = page.getByRole('button', { name: /^Resend/ })
  await expect(again).toBeDisabled()
  await page.clock.fastForward(60_000)
  await expect(again).toHaveText('Resend')
  await expect(again).toBeEnabled()
  await recovery.code.fill(await codeTo(smtp, email))
  await recovery.submit.click()
  await expect(recovery.step).toContainText('New password')
  await recovery.choose('Wide-estuary-9')
  await expect(page).toHaveURL(/\/signin$/)
  await expect(page.getByText('Your new password is set. You can sign in now.')).toBeVisible()
  await new SignInPage(page).signIn(account, 'Wide-estuary-9')
  await expect(page).toHaveURL(/\/personal/)
})

test('an address is checked before a code is asked for, and one without an account is answered alike', async ({
  page,
}) => {
  const recovery = new RecoveryPage(page)
  await page.goto('/forgot-password')
  await recovery.submit.click()
  await expect(page.getByText('Enter an e-mail address.')).toBeVisible()
  await expect(recovery.email).toBeFocused()
  await recovery.email.fill('no address')
  await expect(page.getByText('Incorrect e-mail format.')).toBeVisible()
  await recovery.email.fill('stranger@example.org')
  await expect(page.getByText('Incorrect e-mail format.')).toBeHidden()
  await recovery.email.press('Enter')
  await expect(page.getByText('If an account uses this address, a code is on its way to')).toBeVisible()
})

test('a wrong code says so and may be corrected; the address may be changed', async ({
  page,
  house: { godwit, smtp },
}) => {
  const { email } = await addPerson(godwit)
  const recovery = new RecoveryPage(page)
  await page.goto('/forgot-password')
  await recovery.email.fill(email)
  await recovery.email.press('Enter')
  const code = await codeTo(smtp, email)
  await recovery.code.fill('12')
  await expect(page.getByText('The code has 6 digits.')).toBeVisible()
  await recovery.code.fill(code === '000000' ? '111111' : '000000')
  await recovery.code.press('Enter')
  await expect(recovery.failure).toContainText('code')
  await page.getByRole('button', { name: 'Change' }).click()
  await expect(recovery.email).toHaveValue(email)
  await expect(recovery.submit).toBeDisabled()
})

test('the rules of a new password are ticked while it is typed', async ({ page, house: { godwit, smtp } }) => {
  const { email } = await addPerson(godwit)
  const recovery = new RecoveryPage(page)
  await page.goto('/forgot-password')
  await recovery.email.fill(email)
  await recovery.email.press('Enter')
  await recovery.code.fill(await codeTo(smtp, email))
  await recovery.code.press('Enter')
  const rules = page.getByRole('list', { name: 'Password rules' }).getByRole('listitem')
  const kept = async (): Promise<readonly boolean[]> =>
    (await rules.allTextContents()).map((text) => text.includes('(met)'))
  await recovery.password.fill('abc')
  expect(await kept()).toEqual([false, false, true])
  await recovery.password.fill('abcdefgh')
  expect(await kept()).toEqual([true, false, true])
  await recovery.password.fill('Abcdefg 1')
  expect(await kept()).toEqual([true, true, false])
  await recovery.password.fill('Abcdefg汉1')
  expect(await kept()).toEqual([true, true, false])
  await recovery.password.fill('Abcdefg1')
  expect(await kept()).toEqual([true, true, true])
})

test('a recovery is done without a mouse', async ({ page, house: { godwit, smtp } }) => {
  const { email } = await addPerson(godwit)
  await page.goto('/signin')
  await expect(new SignInPage(page).account).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(new SignInPage(page).forgot).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(new RecoveryPage(page).email).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await expect(new RecoveryPage(page).code).toBeFocused()
  await page.keyboard.type(await codeTo(smtp, email))
  await page.keyboard.press('Enter')
  await expect(new RecoveryPage(page).password).toBeFocused()
  await page.keyboard.type('Wide-estuary-9')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Wide-estuary-9')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/signin$/)
})

for (const view of VIEWS) {
  test(`no barriers in a recovery: ${viewName(view)}`, async ({ browser, house: { godwit, smtp } }) => {
    const { email } = await addPerson(godwit)
    const context = await openView(browser, view, godwit.url)
    const page = await context.newPage()
    const recovery = new RecoveryPage(page)
    await page.goto('/forgot-password')
    await recovery.submit.click()
    await expectNoBarriers(page)
    await recovery.email.fill(email)
    await recovery.email.press('Enter')
    await expect(recovery.code).toBeVisible()
    await expectNoBarriers(page)
    await recovery.code.fill(await codeTo(smtp, email))
    await recovery.code.press('Enter')
    await expect(recovery.password).toBeVisible()
    await recovery.choose('short', 'other')
    await expectNoBarriers(page)
    await context.close()
  })
}
