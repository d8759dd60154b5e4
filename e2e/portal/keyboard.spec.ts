import type { Locator, Page } from '@playwright/test'
import { WHOLE_MENU, withSite } from './answers.ts'
import { openView, viewName, type View } from './barriers.ts'
import { expect, signIn, startSession, test } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'

const DESK_AND_PHONE: readonly View[] = [
  { locale: 'en-US', theme: 'light', width: 1400 },
  { locale: 'zh-CN', theme: 'light', width: 390 },
]

function windowOf(page: Page): Locator {
  return page.locator('[role=dialog], [role=alertdialog], [role=menu]')
}

/** What has the focus in the window, once it has. */
function focusIn(page: Page): Locator {
  return windowOf(page).locator(':focus').or(page.locator('[role=dialog]:focus'))
}

for (const view of DESK_AND_PHONE) {
  test(`by keyboard alone each window of the header opens and gives the focus back (${viewName(view)})`, async ({
    browser,
    godwit,
  }) => {
    const context = await openView(browser, view, godwit.url)
    const page = await context.newPage()
    await withSite(page, {
      clientMenuDict: WHOLE_MENU,
      shieldQRCode: 0,
      androidLink: 'https://apps.example.org/android',
      iosLink: 'https://apps.example.org/ios',
      clientPackages: ['exe', 'deb'],
    })
    await signIn(page, godwit)
    const openers = page.locator('header button[aria-haspopup], [data-testid=space]:visible')
    const count = await openers.count()
    expect(count).toBeGreaterThanOrEqual(2)
    for (let index = 0; index < count; index += 1) {
      const opener = openers.nth(index)
      await opener.focus()
      await page.keyboard.press('Enter')
      await expect(focusIn(page)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(windowOf(page)).toHaveCount(0)
      await expect(opener).toBeFocused()
      // Tab leads out of it as well, and comes by its button.
      await page.keyboard.press('Enter')
      await expect(focusIn(page)).toBeVisible()
      for (let press = 0; press < 4 && (await windowOf(page).count()) > 0; press += 1) await page.keyboard.press('Tab')
      await expect(windowOf(page)).toHaveCount(0)
      await expect(opener).toBeFocused()
      await opener.click()
      await expect(windowOf(page)).toBeVisible()
      await opener.click()
      await expect(windowOf(page)).toHaveCount(0)
    }
    await context.close()
  })

  test(`by keyboard alone the dialogs behind the account menu open and give the focus back (${viewName(view)})`, async ({
    browser,
    godwit,
  }) => {
    const context = await openView(browser, view, godwit.url)
    const page = await context.newPage()
    await signIn(page, godwit)
    const { account } = new ShellPage(page)
    for (const entry of ['shortcuts', 'messages']) {
      await account.focus()
      await page.keyboard.press('Enter')
      const item = page.locator(`[role=menuitem][data-action=${entry}]`)
      // The first entry has the focus; from the end it goes round.
      await expect(page.getByRole('menuitem').first()).toBeFocused()
      while (!(await item.evaluate((element) => element === document.activeElement))) {
        await page.keyboard.press('ArrowUp')
      }
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog')).toBeVisible()
      await expect(page.getByRole('menu')).toHaveCount(0)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(account).toBeFocused()
    }
    await context.close()
  })
}

test('on a phone the menu opens and closes by keyboard, and keeps the focus meanwhile', async ({ browser, godwit }) => {
  const context = await openView(browser, { locale: 'en-US', theme: 'light', width: 390 }, godwit.url)
  const page = await context.newPage()
  await withSite(page, { clientMenuDict: WHOLE_MENU })
  await signIn(page, godwit)
  const opener = page.getByRole('button', { name: 'Open the menu' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Main menu' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(opener).toBeFocused()
  await context.close()
})

test('a question gives the focus back to the button that asked it', async ({ page, godwit, browser }) => {
  const other = await browser.newPage({ baseURL: godwit.url })
  await signIn(other, godwit)
  await startSession(page, godwit)
  await page.goto('/profile/security')
  for (const name of ['Turn on', 'Log out all other devices']) {
    const opener = page.getByRole('main').getByRole('button', { name, exact: true })
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(windowOf(page).locator(':focus')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(windowOf(page)).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  // A button that goes with its entry leaves the focus to the list.
  await page.getByRole('button', { name: 'Log out Chrome on Linux' }).first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('table', { name: 'Where you are signed in' })).toBeFocused()
  await other.close()
})

test('what cannot be taken back does not have the focus when its question opens', async ({ page, godwit }) => {
  await startSession(page, godwit)
  await page.goto('/profile/tokens')
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.locator('input[name=name]').fill('nightly')
  await page.locator('input[name=password]').fill(godwit.administrator.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Your new token' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Revoke nightly' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused()
})

test('the page that one goes to is read aloud', async ({ page, godwit }) => {
  await signIn(page, godwit)
  await new ShellPage(page).bell.press('Enter')
  await expect(page).toHaveURL(/\/notification$/)
  await expect(page.getByRole('status').filter({ hasText: /^Notices - Godwit$/ })).toHaveCount(1)
})

test('who presses a button by keyboard stays on it while it works and when it is done', async ({ page, godwit }) => {
  await startSession(page, godwit)
  await page.goto('/profile/info')
  await page.locator('input[name=email]').fill('admin@example.org')
  await page.locator('input[name=password]').fill(godwit.administrator.password)
  const save = page.getByRole('main').locator('button[type=submit]')
  await save.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Information saved')).toBeVisible()
  await expect(save).toBeFocused()
})

test('the start prompt gives the focus back to the bar', async ({ page, godwit }) => {
  await withSite(page, { clientPackages: ['deb'] })
  await signIn(page, godwit)
  const opener = page.getByRole('button', { name: 'How to start it' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Start the transfer client' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
})
