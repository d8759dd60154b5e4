import type { SiteInfo } from '@godwit/contract'
import type { Page } from '@playwright/test'
import { WHOLE_MENU, withSite, withUser } from './answers.ts'
import { expectNoBarriers, openView, viewName, VIEWS } from './barriers.ts'
import { expect, signIn, test } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'

const SPACES = [
  { id: 1, spaceName: '默认空间', isDefault: true },
  { id: 2, spaceName: 'Laboratory', isDefault: false },
]

const SITE: Partial<SiteInfo> = {
  clientMenuDict: WHOLE_MENU,
  edition: 'pro',
  shieldQRCode: 0,
  androidLink: 'https://example.org/godwit.apk',
  iosLink: 'https://example.org/ios',
  contactPhone: '400 123 4567',
  contactEmail: 'sales@example.org',
  clientPackages: ['exe', 'deb', 'rpm', 'dmg'],
}

const LONG = 'A title that goes on and on and on until no phone has any room left for all of it'

/** Everything that stands around a page, at its fullest. */
async function fill(page: Page): Promise<void> {
  await withSite(page, SITE)
  await withUser(page, { spaceInfo: SPACES, quotaBytes: 1000, usedBytes: 950 })
  await page.route('**/api/notice/list*', async (route) => {
    const notic_list = Array.from({ length: 10 }, (_, at) => ({
      id: `${at}`,
      title: at === 1 ? LONG : `Notice ${at}`,
      content: 'One line\nAnother line',
      create_time: Date.UTC(2026, 0, 1) - at,
      isShowed: at % 2,
    }))
    await route.fulfill({ json: { code: 200, data: { notic_list, total: 200, size: 10, current: 1, unread: 120 } } })
  })
  // The real count is none, and would be pushed.
  await page.routeWebSocket('**/ws/files', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      if (!String(message).includes('notice.changed')) socket.send(message)
    })
  })
}

for (const view of VIEWS) {
  test(`no barriers around the pages: ${viewName(view)}`, async ({ browser, godwit }) => {
    const context = await openView(browser, view, godwit.url)
    const page = await context.newPage()
    await fill(page)
    await signIn(page, godwit)
    const shell = new ShellPage(page)
    await expect(shell.bell).toContainText('99+')
    await expectNoBarriers(page)
    await page.goto('/notification?page=10')
    await page.getByTestId('notices').getByRole('button').first().click()
    await expectNoBarriers(page)
    await page.goto('/p2p/sender')
    await expect(shell.denied).toBeVisible()
    await expectNoBarriers(page)
    await page.goto('/quarantine')
    await expect(shell.limit).toBeVisible()
    await expectNoBarriers(page)
    if (view.width === 390) await expectOpen(page, 0)
    else {
      await shell.space.click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectNoBarriers(page)
      await page.keyboard.press('Escape')
      for (const at of [0, 1, 2]) await expectOpen(page, at)
    }
    await context.close()
  })
}

test('nothing stands beyond the edge of the narrowest phone', async ({ page, godwit }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await withSite(page, SITE)
  await signIn(page, godwit)
  for (const path of ['/personal', '/notification', '/quarantine', '/p2p/sender']) {
    await page.goto(path)
    await expect(page.getByTestId('account')).toBeVisible()
    await expect(page.getByRole('main').getByText(/\S/).first()).toBeVisible()
    const beyond = await page.evaluate(() =>
      [...document.querySelectorAll('button, a, h1, h2, p')]
        .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
        .map((element) => element.outerHTML.slice(0, 120)),
    )
    expect(beyond, path).toEqual([])
  }
})

/** What this button of the header opens has no barriers either. */
async function expectOpen(page: Page, at: number): Promise<void> {
  await page.getByRole('banner').getByRole('button').nth(at).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoBarriers(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
}
