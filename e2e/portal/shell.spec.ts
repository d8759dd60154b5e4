import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WHOLE_MENU, withSite, withUser } from './answers.ts'
import { expect, operate, signIn, test } from './fixtures.ts'
import { FilesPage } from './pages/files.page.ts'
import { ShellPage } from './pages/shell.page.ts'
import { scan } from './qr.ts'

test('the menu has its sections and entries, and follows the switches of the site', async ({ page, godwit }) => {
  await withSite(page, { clientMenuDict: WHOLE_MENU })
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  expect(await shell.names()).toEqual([
    'personal',
    'group',
    'p2pSender',
    'p2pReceiver',
    'delivery',
    'review',
    'reviewPending',
    'reviewed',
    'shareLinks',
    'inviteLinks',
    'receivedLinks',
    'quarantine',
  ])
  await expect(shell.menu.getByText('Peer-to-peer')).toBeVisible()
  await expect(shell.menu.getByRole('link', { name: 'My files' })).toHaveAttribute('aria-current', 'page')
  await shell.menu.getByRole('link', { name: 'To review' }).click()
  await expect(page).toHaveURL(/\/review\/pending$/)
  await expect(shell.menu.locator('[aria-current=page]')).toHaveText('To review')
  await expect(page).toHaveTitle('To review - Godwit')
})

test('delivery and review are hidden in the small-business edition', async ({ page, godwit }) => {
  await withSite(page, { clientMenuDict: WHOLE_MENU, edition: 'pro' })
  await signIn(page, godwit)
  const names = await new ShellPage(page).names()
  expect(names).toContain('quarantine')
  expect(names.filter((name) => /review|delivery/.test(name))).toEqual([])
})

test('the whole menu is hidden while it has one entry and the space switch is off', async ({ page, godwit }) => {
  await withSite(page, { clientMenuDict: { files: { myFileSwitch: 1 } } })
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  await expect(shell.menu).toBeHidden()
  await shell.account.click()
  await expect(page.getByRole('menu')).toContainText('used')
  await withSite(page, { clientMenuDict: { files: { myFileSwitch: 1 }, space: { switch: 1 } } })
  await page.reload()
  await expect(shell.menu).toBeVisible()
  await expect(shell.space).toHaveText('Default space')
})

test('going through the menu stops nothing and loads no page anew', async ({ page, godwit }) => {
  await withSite(page, { clientMenuDict: WHOLE_MENU })
  await signIn(page, godwit)
  await page.evaluate(() => {
    document.documentElement.dataset['same'] = 'page'
  })
  const shell = new ShellPage(page)
  await shell.menu.getByRole('link', { name: 'Quarantine' }).click()
  await shell.bell.click()
  await page.getByRole('banner').getByRole('link', { name: 'Godwit' }).click()
  await expect(page).toHaveURL(/\/personal$/)
  await expect(page.locator('html')).toHaveAttribute('data-same', 'page')
})

test('on a phone the menu opens from the side and closes with a choice', async ({ page, godwit }) => {
  await withSite(page, { clientMenuDict: WHOLE_MENU })
  await signIn(page, godwit)
  await page.setViewportSize({ width: 390, height: 844 })
  const shell = new ShellPage(page)
  await expect(shell.menu).toBeHidden()
  await shell.button('Open the menu').click()
  await page.getByRole('dialog').getByRole('link', { name: 'Share links' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page).toHaveURL(/\/link\/share$/)
})

test('the collapsed menu stays collapsed, and every icon has a name', async ({ page, godwit }) => {
  await withSite(page, { clientMenuDict: WHOLE_MENU })
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  await shell.menu.getByRole('button', { name: 'Collapse the menu' }).click()
  await page.reload()
  await expect(shell.menu.getByRole('button', { name: 'Expand the menu' })).toBeVisible()
  expect(await shell.menu.boundingBox()).toMatchObject({ width: 64 })
  await expect(shell.menu.getByRole('link', { name: 'Invite links' })).toBeVisible()
})

test('the header shows codes of the apps unless the site hides them, and the installers it has', async ({
  page,
  godwit,
}) => {
  const apps = { androidLink: 'https://example.org/godwit.apk', iosLink: 'https://example.org/ios' }
  await withSite(page, { ...apps, shieldQRCode: 0, clientPackages: ['exe', 'dmg'] })
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  await shell.button('Mobile app').click()
  const popover = page.getByRole('dialog')
  await expect(popover.getByRole('img')).toHaveCount(2)
  expect(await scan(popover.getByRole('img', { name: 'QR code for Android' }))).toBe(apps.androidLink)
  expect(await scan(popover.getByRole('img', { name: 'QR code for iPhone and iPad' }))).toBe(apps.iosLink)
  await expect(popover.getByRole('link', { name: 'iPhone and iPad' })).toHaveAttribute('href', apps.iosLink)
  await page.keyboard.press('Escape')
  await expect(popover).toBeHidden()
  await expect(shell.button('Mobile app')).toBeFocused()
  await shell.button('Transfer client').click()
  await expect(popover.getByRole('button')).toHaveText([/Windows/, /Mac/])
  await withSite(page, { ...apps, shieldQRCode: 1, clientPackages: [] })
  await page.reload()
  await expect(shell.bell).toBeVisible()
  await expect(shell.button('Mobile app')).toBeHidden()
  await expect(shell.button('Transfer client')).toBeHidden()
})

test('the language changes from the header, and an English-only site has no such button', async ({ page, godwit }) => {
  await signIn(page, godwit)
  await page.getByRole('banner').getByRole('button', { name: '简体中文' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN')
  await expect(page).toHaveTitle('我的文件 - 塍鹬')
  await withSite(page, { englishOnly: 1 })
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await expect(new ShellPage(page).bell).toBeVisible()
  await expect(page.getByRole('banner').getByText('简体中文')).toHaveCount(0)
  await new ShellPage(page).account.click()
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible()
  await expect(page.getByRole('menuitemradio', { name: 'English' })).toHaveCount(0)
})

test('the account menu leads to the personal centre and out', async ({ page, godwit }) => {
  await withUser(page, { quotaBytes: 1000, usedBytes: 950 })
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  await shell.account.click()
  await expect(page.getByRole('progressbar', { name: 'Storage' })).toHaveAttribute('aria-valuenow', '95')
  await page.getByRole('menuitem', { name: 'Personal center' }).click()
  await expect(page).toHaveURL(/\/profile/)
  await shell.account.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/signin/)
})

test('the transfer list in the header shows what runs and opens the upload panel', async ({
  page,
  godwit,
  computer,
}) => {
  // Other tests of this worker may have left unfinished uploads behind.
  await page.route('**/api/uploads', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { code: 200, data: { items: [] } } }) : route.fallback(),
  )
  await signIn(page, godwit)
  const shell = new ShellPage(page)
  const files = new FilesPage(page)
  await shell.transfers.click()
  await expect(page.getByRole('dialog')).toContainText('No transfers since you opened this page.')
  await page.keyboard.press('Escape')
  // Parts that are never answered keep the upload running for as long as the test wants.
  await page.route('**/parts/**', () => undefined)
  await writeFile(join(computer, 'running.bin'), Buffer.alloc(8 * 1024 * 1024))
  await files.choose([join(computer, 'running.bin')])
  await expect(shell.transfers).toHaveAccessibleName('Transfers: 1 file left')
  await files.uploads.button('Hide uploads').click()
  await shell.transfers.click()
  await expect(page.getByRole('dialog').getByRole('listitem')).toContainText('running.bin')
  await page.getByRole('dialog').getByRole('button', { name: 'Show the upload panel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  expect(await files.uploads.panel.boundingBox()).toMatchObject({ height: 111 })
})

test('on a phone the bar of a selection fits, with the rest behind its dots', async ({ files, page }) => {
  await operate(page, 'mkdir', { folder: files.folder, name: 'one' })
  await page.setViewportSize({ width: 390, height: 844 })
  await files.row('one').getByRole('checkbox').click()
  const width = await files.toolbar.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(width).toBeLessThanOrEqual(0)
  for (const id of ['download', 'move', 'remove']) {
    await expect(files.toolbar.locator(`[data-action=${id}]`)).toBeInViewport({ ratio: 1 })
  }
  await files.toolbar.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([
    'Share',
    'Request files',
    'Rename',
    'Copy to',
    'Attributes',
    'Find in this folder',
    'Grid view',
    'Details',
  ])
  await page.keyboard.press('Escape')
  await files.grid.getByRole('button', { name: 'Sort by: Name' }).click()
  await page.getByRole('menuitemradio', { name: 'Size' }).click()
  await expect(page).toHaveURL(/sort=size/)
})
