import { expect, startSession, test } from './fixtures.ts'
import { addPerson } from './operator.ts'
import { callsOf, holdCode, shiftOf } from './page-load.ts'
import { SignInPage } from './pages/sign-in.page.ts'

for (const look of [
  { locale: 'en-US', colorScheme: 'dark', viewport: { width: 1400, height: 900 } },
  { locale: 'zh-CN', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const) {
  test.describe(`in ${look.locale}, ${look.colorScheme}, ${look.viewport.width} pixels wide`, () => {
    test.use(look)

    test('the sign-in is seen before its code is there, and is the same when it is', async ({ page, godwit }) => {
      const release = await holdCode(page)
      const calls = callsOf(page)
      // Under a name, so that passkeys are offered as well.
      await page.goto(godwit.url.replace('127.0.0.1', 'localhost') + '/signin', { waitUntil: 'commit' })
      const form = new SignInPage(page)
      await expect(page.locator('#first').getByRole('heading', { level: 1 })).toBeVisible()
      await expect(form.account).toBeFocused()
      await expect(page.locator('#first button[data-passkeys]')).toBeVisible()
      await expect(page.locator('#first img')).toHaveJSProperty('complete', true)
      const drawn = await page.screenshot()
      const title = await page.title()
      release()
      await expect(page.locator('#first')).toHaveCount(0)
      await expect(form.account).toBeFocused()
      // What it shows came with the page, so it is asked for once: not at all.
      expect(calls).toEqual([])
      expect((await page.screenshot()).equals(drawn)).toBe(true)
      expect(await page.title()).toBe(title)
      expect(await shiftOf(page)).toBe(0)
    })
  })
}

test('what is typed before the code is there is not lost, nor is Enter', async ({ page, godwit }) => {
  const { account, password } = await addPerson(godwit)
  const release = await holdCode(page)
  await page.goto('/signin', { waitUntil: 'commit' })
  const form = new SignInPage(page)
  await expect(form.account).toBeFocused()
  await page.keyboard.type(account)
  await page.keyboard.press('Tab')
  await page.keyboard.type(`${password}x`)
  // Nothing goes into the address, and a press that something was typed after is none.
  await page.keyboard.press('Enter')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('ArrowLeft')
  await expect(form.submit).toHaveCount(0)
  expect(new URL(page.url()).search).toBe('')
  release()
  await expect(page.locator('#first')).toHaveCount(0)
  await expect(form.account).toHaveValue(account)
  await expect(form.password).toHaveValue(password)
  await expect(form.password).toBeFocused()
  const caret = await form.password.evaluate((field: HTMLInputElement) => field.selectionStart)
  expect(caret).toBe(password.length - 1)

  const again = await holdCode(page)
  await page.reload({ waitUntil: 'commit' })
  await expect(form.account).toBeFocused()
  await form.account.fill(account)
  await form.password.fill(password)
  const login = page.waitForRequest('**/api/user/login')
  await page.keyboard.press('Enter')
  again()
  expect((await login).postDataJSON()).toMatchObject({ account })
  await expect(page).toHaveURL(/\/personal/)
})

test('keys and presses before the code is there lead where they lead on the page', async ({ page, godwit }) => {
  const { account, password } = await addPerson(godwit)
  const release = await holdCode(page)
  await page.goto('/signin', { waitUntil: 'commit' })
  const form = new SignInPage(page)
  await expect(form.account).toBeFocused()
  const show = page.getByRole('button', { name: 'Show password' })
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true })
  await page.keyboard.press('Tab')
  await expect(form.password).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(show).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(signIn).toBeFocused()
  release()
  await expect(page.locator('#first')).toHaveCount(0)
  await expect(signIn).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(show).toBeFocused()

  // What was pressed last counts, unless something was typed after it.
  const again = await holdCode(page)
  await page.reload({ waitUntil: 'commit' })
  await signIn.click()
  await page.getByRole('button', { name: '简体中文' }).click()
  await form.account.fill(account)
  await form.password.fill(password)
  await show.click()
  again()
  await expect(page.locator('#first')).toHaveCount(0)
  await expect(form.password).toHaveAttribute('type', 'text')
  await expect(form.password).toHaveValue(password)

  const last = await holdCode(page)
  await page.reload({ waitUntil: 'commit' })
  await form.account.fill(account)
  await form.password.fill(password)
  await signIn.click()
  last()
  await expect(page).toHaveURL(/\/personal/)
})

test('nobody sees a sign-in that is not for them', async ({ page, godwit }) => {
  const answers = async (path: string) =>
    (await page.request.get(path, { headers: { accept: 'text/html', 'accept-language': 'en' } })).text()
  for (const path of ['/', '/personal', '/signin/callback', '/forgot-password', '/signing'])
    expect(await answers(path), path).not.toContain('id="first"')
  expect(await answers('/signin?space=1')).toContain('Sign in to Godwit')

  // Who comes here signed in is told that they are not any longer.
  await startSession(page, { url: godwit.url, administrator: await addPerson(godwit) })
  const release = await holdCode(page)
  await page.goto('/signin', { waitUntil: 'commit' })
  await expect(page.locator('#first')).toBeAttached()
  await expect(page.locator('#first')).toBeHidden()
  release()
  await expect(page.locator('#first')).toHaveCount(0)
  await expect(page.getByText('You have been logged out.')).toBeVisible()

  await page.getByRole('button', { name: '简体中文' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('登录塍鹬')
  const again = await holdCode(page)
  await page.reload({ waitUntil: 'commit' })
  await expect(page.locator('#first')).toBeAttached()
  await expect(page.locator('#first')).toBeHidden()
  again()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('登录塍鹬')
})
