import { bareTexts, expectNoBarriers, openView, viewName, VIEWS } from './barriers.ts'
import { expect, operate, signIn, test } from './fixtures.ts'
import { FilesPage } from './pages/files.page.ts'

for (const view of VIEWS) {
  test(`no barriers: ${viewName(view)}`, async ({ browser, godwit }) => {
    const context = await openView(browser, view, godwit.url)
    const page = await context.newPage()
    await page.goto('/signin')
    await page.locator('button[type=submit]').click()
    await expectNoBarriers(page)
    await signIn(page, godwit)
    const folder = `/axe-${view.locale}-${view.theme}-${view.width}`
    await operate(page, 'mkdir', { folder: '/', name: folder.slice(1) })
    const files = new FilesPage(page)
    await files.goto(folder)
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expectNoBarriers(page)
    for (const name of ['alpha', 'a name that goes on and on and on and on and on and on until it is cut.d']) {
      await operate(page, 'mkdir', { folder, name })
    }
    await expect(files.row('alpha')).toBeVisible()
    await files.row('alpha').getByRole('checkbox').click()
    await expectNoBarriers(page)
    await files.toolbar.locator('[data-action=remove]').click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await expectNoBarriers(page)
    await page.keyboard.press('Escape')
    await page.getByTestId('account').click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectNoBarriers(page)
    await context.close()
  })
}

test('every text on the screen comes from the catalogue', async ({ files, page, computer }) => {
  await operate(page, 'mkdir', { folder: files.folder, name: 'alpha' })
  await page.evaluate(() => localStorage.setItem('godwit.pseudo', 'on'))
  await page.reload()
  await expect(files.row('alpha')).toBeVisible()
  expect(computer).not.toBe('')
  expect(await bareTexts(page)).toEqual([])
  await page.keyboard.press('?')
  await expect(page.getByTestId('shortcuts')).toBeVisible()
  expect(await bareTexts(page)).toEqual([])
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
  await trail.getByRole('button', { name: 'Hidden folders of the path' }).click()
  await expect(page.getByRole('menuitem')).toHaveCount(9)
})
