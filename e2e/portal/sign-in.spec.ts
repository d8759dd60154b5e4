import { launchGodwit } from '@godwit/testkit'
import { expect, signIn, test } from './fixtures.ts'
import { SignInPage } from './pages/sign-in.page.ts'

test('a new installation is set up once, with the token that the start printed', async ({ page }) => {
  const godwit = await launchGodwit({ env: { GODWIT_ADMIN_ACCOUNT: '', GODWIT_ADMIN_PASSWORD: '' } })
  try {
    const token = /set-up token: (\S+)/.exec(godwit.output())?.[1] ?? ''
    await page.goto(`${godwit.url}/#setup=${token}`)
    await expect(page.locator('input[name=token]')).toHaveValue(token)
    await page.getByRole('button', { name: 'Create the administrator' }).click()
    await expect(page.getByText('Incorrect e-mail format.')).toBeVisible()
    await page.fill('input[name=account]', 'root_user')
    await page.fill('input[name=email]', 'root@example.org')
    await page.fill('input[name=password]', 'Longest-flight-7')
    await page.fill('input[name=repeat]', 'Longest-flight-7')
    await page.getByRole('button', { name: 'Create the administrator' }).click()
    await expect(page).toHaveURL(/\/personal/)
    await expect(page.getByTestId('account')).toHaveText('root_user')
    await page.goto(`${godwit.url}/signin`)
    await expect(new SignInPage(page).account).toBeVisible()
  } finally {
    await godwit.stop()
  }
})

test('missing fields and a wrong password say what to do', async ({ page, godwit }) => {
  const form = new SignInPage(page)
  await page.goto(`${godwit.url}/`)
  await expect(page).toHaveURL(/\/signin$/)
  await form.submit.click()
  await expect(page.getByText('Enter your account.')).toBeVisible()
  await form.signIn('nobody', 'not the password')
  await expect(form.failure).toContainText('The account or password is wrong')
  await page.getByRole('button', { name: '简体中文' }).click()
  await expect(form.failure).toContainText('账号或密码')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
})

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
