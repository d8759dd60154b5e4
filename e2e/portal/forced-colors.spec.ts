import type { Locator, Page } from '@playwright/test'
import { expect, operate, test } from './fixtures.ts'
import type { FilesPage } from './pages/files.page.ts'

/** What an element is painted with, in the names that the system gives its colors. */
async function painted(element: Locator, pseudo?: '::before') {
  return element.evaluate((node, part) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.forcedColorAdjust = 'none'
    const names = new Map<string, string>()
    for (const name of ['CanvasText', 'Highlight', 'HighlightText']) {
      probe.style.color = name
      names.set(getComputedStyle(probe).color, name)
    }
    probe.remove()
    const { backgroundColor, color, borderInlineStartColor } = getComputedStyle(node, part)
    const named = (value: string): string => names.get(value) ?? value
    return { ground: named(backgroundColor), text: named(color), edge: named(borderInlineStartColor) }
  }, pseudo)
}

const CHOSEN = { ground: 'Highlight', text: 'HighlightText' }

/** Each may still be in the middle of a transition. */
async function expectChosen(element: Locator): Promise<void> {
  await expect.poll(() => painted(element)).toMatchObject(CHOSEN)
}

async function expectPlain(element: Locator): Promise<void> {
  await expect.poll(async () => (await painted(element)).ground).not.toBe('Highlight')
}

/** What has the focus has an outline that is not of the color behind it. */
async function expectFocusSeen(page: Page): Promise<void> {
  const outline = await page.locator(':focus').evaluate((node) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(node)
    return {
      style: outlineStyle,
      width: outlineWidth,
      isSeen: outlineColor !== getComputedStyle(document.body).backgroundColor,
    }
  })
  expect(outline).toEqual({ style: 'solid', width: '2px', isSeen: true })
}

async function lookAtPortal(page: Page, files: FilesPage): Promise<void> {
  // The list: rows, icons, the path and the menus.
  const row = files.row('beta')
  await row.getByRole('checkbox').click()
  await expectChosen(row)
  await expectPlain(files.row('alpha'))
  const name = row.getByRole('gridcell').nth(1)
  await expect.poll(async () => (await painted(name, '::before')).ground).toBe('HighlightText')
  const other = files.row('alpha').getByRole('gridcell').nth(1)
  expect((await painted(other, '::before')).ground).toBe('CanvasText')
  const trail = page.getByRole('navigation', { name: 'Folder path' })
  expect((await painted(trail.getByRole('listitem').last(), '::before')).ground).toBe('CanvasText')
  await expectChosen(page.getByTestId('side').getByRole('link', { name: 'My files' }))
  await expectPlain(page.getByTestId('side').getByRole('link', { name: 'Favorites' }))
  await expectPlain(trail.getByRole('link').last())
  await row.click({ button: 'right' })
  // A key pressed before the menu has the focus goes to the list.
  await expect(page.locator('[role=menu]:focus, [role=menu] :focus')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  const item = page.getByRole('menuitem').and(page.locator('[data-highlighted]'))
  await expectChosen(item)
  for (const part of await item.locator('*').all()) expect((await painted(part)).text).toBe('HighlightText')
  await page.keyboard.press('Escape')

  // Tiles: the name on the color of a selection, the shape on that of the page.
  await page.keyboard.press('v')
  const tile = files.grid.locator('[data-row][aria-selected=true]')
  await expect.poll(async () => (await painted(tile)).ground).toBe('Highlight')
  await expect.poll(async () => (await painted(tile.getByTitle('beta'))).text).toBe('HighlightText')
  expect((await painted(tile.locator('[draggable]').first(), '::before')).ground).toBe('CanvasText')

  // Where a search looks is a choice of three without a control of the system.
  await page.keyboard.press('/')
  const search = page.getByRole('dialog')
  const scopes = search.getByRole('radio')
  await expect(search.getByRole('radio', { checked: true })).toHaveCount(1)
  const chosen = await scopes.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked))
  for (const [at, isChosen] of chosen.entries()) {
    const text = scopes.nth(at).locator('+ span')
    await (isChosen ? expectChosen(text) : expectPlain(text))
  }
  await page.keyboard.press('Escape')
}

/** Its menu, tabs, pages, rows and hits, and what is focused. */
async function lookAtConsole(page: Page): Promise<void> {
  await page.goto('/admin/users')
  await expectChosen(page.getByTestId('side').getByRole('link', { name: 'Users', exact: true }))
  await expectPlain(page.getByRole('banner').getByRole('link').first())
  const users = page.getByRole('row').filter({ hasText: 'admin' })
  await users.getByRole('checkbox').click()
  await expect.poll(async () => (await painted(users)).edge).toBe('Highlight')
  await expectChosen(page.getByTestId('pagination').getByRole('button', { name: 'Page 1' }))
  await page.keyboard.press('Tab')
  await expectFocusSeen(page)
  await page.goto('/admin/settings')
  await expectChosen(page.getByRole('link', { name: 'Basic' }))
  await expectPlain(page.getByRole('link', { name: 'Links', exact: true }).last())
  await page.keyboard.press('/')
  await page.keyboard.type('mail')
  const hits = page.getByRole('option')
  await expectChosen(hits.first())
  await expectPlain(hits.nth(1))
}

for (const colorScheme of ['dark', 'light'] as const) {
  test(`with forced colors, ${colorScheme}, what is chosen, focused and drawn can be told apart`, async ({
    files,
    page,
  }) => {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    for (const name of ['alpha', 'beta']) await operate(page, 'mkdir', { folder: files.folder, name })
    await lookAtPortal(page, files)
    await lookAtConsole(page)
  })
}
