import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, operate, signIn, test } from './fixtures.ts'
import { FilesPage } from './pages/files.page.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const WIDTHS = [1400, 390] as const

async function faultsOf(page: Page): Promise<readonly string[]> {
  // A colour in the middle of its transition is no colour anyone reads.
  await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)))
  // The guards around an open menu hand the focus on at once, so nobody ever stands on one.
  const builder = new AxeBuilder({ page }).withTags(TAGS).exclude('[data-base-ui-focus-guard]')
  const { violations } = await builder.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  )
}

/** Visible texts that are cut off though nobody planned it: an ellipsis is a plan. */
async function clippedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => element.children.length === 0 && (element.textContent ?? '').trim() !== '')
      .filter((element) => {
        const style = getComputedStyle(element)
        const isPlanned =
          style.textOverflow === 'ellipsis' || style.clipPath !== 'none' || style.overflowX !== 'visible'
        return (
          !isPlanned &&
          element.checkVisibility() &&
          element.scrollWidth > element.clientWidth + 1 &&
          element.clientWidth > 0
        )
      })
      .map((element) => element.outerHTML.slice(0, 160)),
  )
}

for (const theme of ['light', 'dark'] as const) {
  for (const width of WIDTHS) {
    for (const locale of ['en-US', 'zh-CN'] as const) {
      test(`no barriers: ${locale}, ${theme}, ${width} px`, async ({ browser, godwit }) => {
        const context = await browser.newContext({
          baseURL: godwit.url,
          locale,
          colorScheme: theme,
          viewport: { width, height: width === 390 ? 844 : 900 },
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        await page.goto('/signin')
        await page.locator('button[type=submit]').click()
        expect(await faultsOf(page)).toEqual([])
        await signIn(page, godwit)
        const folder = `/axe-${locale}-${theme}-${width}`
        await operate(page, 'mkdir', { folder: '/', name: folder.slice(1) })
        const files = new FilesPage(page)
        await files.goto(folder)
        await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
        expect(await faultsOf(page)).toEqual([])
        for (const name of ['alpha', 'a name that goes on and on and on and on and on and on until it is cut.d']) {
          await operate(page, 'mkdir', { folder, name })
        }
        await expect(files.row('alpha')).toBeVisible()
        await files.row('alpha').getByRole('checkbox').click()
        expect(await faultsOf(page)).toEqual([])
        expect(await clippedTexts(page)).toEqual([])
        await files.toolbar.locator('[data-action=remove]').click()
        await expect(page.getByRole('alertdialog')).toBeVisible()
        expect(await faultsOf(page)).toEqual([])
        await page.keyboard.press('Escape')
        await page.getByTestId('account').click()
        await expect(page.getByRole('menu')).toBeVisible()
        expect(await faultsOf(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
        await context.close()
      })
    }
  }
}

test('every text on the screen comes from the catalogue', async ({ files, page, computer }) => {
  await operate(page, 'mkdir', { folder: files.folder, name: 'alpha' })
  await page.evaluate(() => localStorage.setItem('godwit.pseudo', 'on'))
  await page.reload()
  await expect(files.row('alpha')).toBeVisible()
  expect(computer).not.toBe('')
  const bare = async (): Promise<readonly string[]> =>
    page.evaluate(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const text = node.textContent?.trim() ?? ''
        const home = node.parentElement
        const isFree = home === null || home.closest('[translate=no], kbd, script, style, [role=gridcell]') !== null
        if (!isFree && home.checkVisibility() && /\p{L}/u.test(text) && !text.startsWith('[')) found.push(text)
      }
      return found
    })
  const isProduct = (text: string): boolean => !/^(Godwit|· .*|\/.*)$/.test(text)
  expect((await bare()).filter(isProduct)).toEqual([])
  await page.keyboard.press('?')
  await expect(page.getByTestId('shortcuts')).toBeVisible()
  expect((await bare()).filter(isProduct)).toEqual([])
})

test('the breadcrumb of a deep folder keeps its ends on a phone', async ({ files, page }) => {
  let folder = files.folder
  for (let depth = 1; depth <= 10; depth++) {
    await operate(page, 'mkdir', { folder, name: `level ${depth}` })
    folder = `${folder}/level ${depth}`
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await files.goto(folder)
  const trail = page.getByRole('navigation', { name: 'Folder path' })
  await expect(trail.getByRole('link')).toHaveText(['My files', 'level 9', 'level 10'])
  await trail.getByRole('button', { name: 'Folders in between' }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(9)
})
