import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { withSite } from './answers.ts'
import { expect, signIn, test } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

const MANIFEST = resolve(import.meta.dirname, '../../apps/web/dist/.vite/manifest.json')

interface Piece {
  readonly file: string
  readonly css?: readonly string[]
}

/** The built files of a module that the page fetches when it needs it. */
async function pieceOf(module: string): Promise<Piece> {
  const manifest = JSON.parse(await readFile(MANIFEST, 'utf8')) as Readonly<Record<string, Piece>>
  const piece = manifest[module]
  if (piece === undefined) throw new Error(`the build has no ${module}`)
  return piece
}

interface Cut {
  /** How often the file was asked for in vain. */
  readonly asked: () => number
  readonly mend: () => Promise<void>
}

/** The connection breaks under one file until it is mended. */
async function cut(page: Page, file: string): Promise<Cut> {
  const address = `**/${file}`
  let asked = 0
  await page.route(address, async (route) => {
    asked += 1
    await route.abort('connectionreset')
  })
  return { asked: () => asked, mend: () => page.unroute(address) }
}

/** Stays in a page for as long as it is not loaded anew. */
async function mark(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset['mark'] = 'same'
  })
}

const MARKED = 'html[data-mark=same]'

test('a window that did not arrive is reported and opens when it is asked for again', async ({ page, godwit }) => {
  const sheet = await pieceOf('src/entries/portal/shell/shortcut-sheet.tsx')
  await signIn(page, godwit)
  await mark(page)
  const sheetCut = await cut(page, sheet.file)
  // Keys are listened to once the page stands.
  await expect(page.getByTestId('toolbar')).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('alert')).toContainText('This part of the page could not be loaded')
  await expect(page.getByTestId('toolbar')).toBeVisible()
  await sheetCut.mend()
  await page.keyboard.press('?')
  await expect(page.getByTestId('shortcuts')).toBeVisible()
  await expect(page.locator(MARKED)).toHaveCount(1)
})

test('a popover whose content did not arrive closes, and the page below stays', async ({ page, godwit }) => {
  const { file } = await pieceOf('src/entries/portal/shell/app-codes.tsx')
  await withSite(page, { shieldQRCode: 0, androidLink: 'https://apps.example.org/android' })
  await signIn(page, godwit)
  const { mend } = await cut(page, file)
  const opener = page.getByRole('button', { name: 'Mobile app' })
  await opener.click()
  await expect(page.getByRole('alert')).toContainText('This part of the page could not be loaded')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await mend()
  await opener.click()
  await expect(page.getByRole('img', { name: 'QR code for Android' })).toBeVisible()
})

test('a page that did not arrive is asked for again where it should stand, with its style', async ({
  page,
  godwit,
}) => {
  const { file, css = [] } = await pieceOf('src/features/identity/profile/profile.page.tsx')
  await signIn(page, godwit)
  await mark(page)
  const shell = new ShellPage(page)
  const fault = page.getByRole('heading', { name: 'This part of the page could not be loaded' })
  const again = page.getByRole('button', { name: 'Try again' })
  const styleCut = await cut(page, css[0] ?? '')
  const codeCut = await cut(page, file)
  await shell.account.click()
  await page.getByRole('menuitem', { name: 'Personal center' }).click()
  await expect(fault).toBeVisible()
  // Another page, and back, is another use.
  await page.getByRole('banner').getByRole('link', { name: 'Godwit' }).click()
  await expect(page.getByTestId('toolbar')).toBeVisible()
  await styleCut.mend()
  await page.goBack()
  await expect(fault).toBeVisible()
  await again.click()
  await expect.poll(codeCut.asked).toBeGreaterThan(1)
  await expect(fault).toBeVisible()
  await codeCut.mend()
  await again.click()
  await expect(page.getByRole('heading', { name: 'Personal center' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Personal center' })).not.toHaveCSS('padding', '0px')
  await expect(page.locator(MARKED)).toHaveCount(1)
})

test('what the sign-in page fetches ahead may be missing: the sign-in asks for it again, and so does the person', async ({
  page,
  godwit,
}) => {
  const { file } = await pieceOf('src/entries/portal/portal.tsx')
  const { mend } = await cut(page, file)
  await page.goto('/signin')
  const { account, password } = godwit.administrator
  await new SignInPage(page).signIn(account, password)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  await mend()
  await again.click()
  await expect(page.getByTestId('toolbar')).toBeVisible()
})

test('a language that did not arrive comes by itself', async ({ page, godwit }) => {
  const { file } = await pieceOf('../../packages/i18n/src/zh-cn/portal.ts')
  await signIn(page, godwit)
  const { asked, mend } = await cut(page, file)
  await page.getByRole('button', { name: '简体中文' }).click()
  await expect.poll(asked).toBeGreaterThan(0)
  await mend()
  await expect(page.getByRole('button', { name: 'English' })).toBeVisible()
})

test('a page that stayed open over an upgrade is loaded anew, and never in a loop', async ({ page, godwit }) => {
  const { file } = await pieceOf('src/entries/portal/shell/shortcut-sheet.tsx')
  await signIn(page, godwit)
  await mark(page)
  await page.route(`**/${file}`, (route) => route.fulfill({ status: 404, body: '' }))
  // Only the page's own question is answered so; the browser, loading it anew, meets the real server.
  await page.route(`${godwit.url}/personal`, async (route) => {
    if (route.request().isNavigationRequest()) return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace(/src="\/assets\/index-[\w-]+\.js"/, 'src="/assets/index-AnotherV.js"')
    await route.fulfill({ response, body })
  })
  // Keys are listened to once the page stands.
  await expect(page.getByTestId('toolbar')).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.locator(MARKED)).toHaveCount(0)
  await expect(page.getByTestId('toolbar')).toBeVisible()
  await mark(page)
  // The server still gives out another version than the one it serves: two nodes in the middle of an upgrade.
  await page.keyboard.press('?')
  await expect(page.getByRole('alert')).toContainText('This part of the page could not be loaded')
  await expect(page.locator(MARKED)).toHaveCount(1)
})
