import type { Locator, Page } from '@playwright/test'
import { expect, operate, test } from './fixtures.ts'
import { FilesPage } from './pages/files.page.ts'

/** The dialog, opened by its key. */
async function openSearch(page: Page) {
  await page.getByTestId('toolbar').waitFor()
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('searchbox', { name: 'Part of a name' }).waitFor()
  return { dialog, box: dialog.getByRole('searchbox'), results: dialog.getByRole('listitem') }
}

/** Three folders with the tag in their names: in `folder`, two below it, and at the root. */
async function makeReports(page: Page, folder: string, tag: string): Promise<void> {
  for (const path of ['deep', 'deep/deeper']) {
    const at = path.lastIndexOf('/')
    await operate(page, 'mkdir', { folder: `${folder}/${path.slice(0, Math.max(0, at))}`, name: path.slice(at + 1) })
  }
  await operate(page, 'mkdir', { folder, name: `Report ${tag}` })
  await operate(page, 'mkdir', { folder: `${folder}/deep/deeper`, name: `old report ${tag}` })
  await operate(page, 'mkdir', { folder: '/', name: `report ${tag} elsewhere` })
}

/** Enter comes before the page could ask for what was typed. */
async function typeAndEnter(box: Locator, typed: string): Promise<void> {
  await box.evaluate(async (field, text) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  }, typed)
}

/** On every width: in the bar, or behind its dots. */
async function expectSearchWhileSelecting(page: Page, name: string): Promise<void> {
  const { dialog } = await openSearch(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  const { toolbar } = new FilesPage(page)
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  await page.getByTestId('file-grid').getByText(name).first().waitFor()
  await page.keyboard.press('Control+a')
  for (const size of [
    { width, height },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expect(page.getByTestId('selected')).toBeVisible()
    const button = toolbar.locator('[data-action=find]')
    // What has no place in the bar any more leaves it a frame later.
    if (size.width < 400) await expect(button).toBeHidden()
    if (!(await button.isVisible())) await toolbar.getByRole('button', { name: 'More' }).click()
    await page.locator('[data-action=find]:visible').click()
    await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible()
    await page.keyboard.press('Escape')
    const ends = await toolbar
      .getByRole('button')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
    expect(Math.max(...ends)).toBeLessThan(size.width - 4)
  }
}

test('search finds by a part of a name: here, below and everywhere, by mouse and by keyboard', async ({
  page,
  files: { folder },
}) => {
  // Names of this test alone: other tests make files on the same server.
  const tag = folder.slice(2, 10)
  await makeReports(page, folder, tag)
  const everywhere = { scope: 'everywhere', text: `report ${tag}` }
  const found = async () => ((await operate(page, 'search', everywhere)) as { items: unknown[] }).items.length
  // The index follows within a second.
  await expect.poll(found).toBe(3)

  page.setDefaultTimeout(20_000)
  const { dialog, box, results } = await openSearch(page)
  await box.fill(`REPORT ${tag}`)
  await expect(results).toHaveCount(2)
  await expect(results.first()).toContainText(`Report ${tag}`)
  await expect(results.first().locator('mark')).toHaveText(`Report ${tag}`)
  await expect(results.nth(1)).toContainText(`${folder}/deep/deeper`)
  expect((await results.first().boundingBox())?.height).toBe(45)

  await dialog.getByRole('radio', { name: 'This folder' }).check()
  await expect(results).toHaveCount(1)
  await dialog.getByRole('radio', { name: 'Everywhere' }).check()
  await expect(results).toHaveCount(3)
  await dialog.getByLabel('Any type').selectOption('Images')
  await expect(dialog.getByRole('status')).toHaveText(/No matches/)
  await dialog.getByLabel('Any type').selectOption('Folders')
  await expect(results).toHaveCount(3)

  await box.focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(box).toBeFocused()
  await box.fill('deeper')
  await expect(results.filter({ hasText: `Report ${tag}` })).toHaveCount(0)
  await expect(results.first()).toContainText('deeper')
  await typeAndEnter(box, `old report ${tag}`)
  await expect(page).toHaveURL(new RegExp(`path=.*deeper/old.report`))

  const again = await openSearch(page)
  await again.dialog.getByRole('radio', { name: 'Everywhere' }).check()
  await again.box.fill(`old report ${tag}`)
  await again.results.getByRole('button', { name: 'Open the folder' }).click()
  await expect(page).toHaveURL(new RegExp(`path=[^&]*deeper$`))

  await expectSearchWhileSelecting(page, `old report ${tag}`)
  await operate(page, 'remove', { paths: [`/report ${tag} elsewhere`] })
})
