import { expectNoBarriers } from './barriers.ts'
import { expect, operate, test } from './fixtures.ts'

test('favorites and recent files are found again, follow their files and can be taken off', async ({ files, page }) => {
  const { folder } = files
  await operate(page, 'mkdir', { folder, name: 'plans' })
  await files.row('plans').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Add to favorites' }).click()
  await expect(files.row('plans')).toHaveAttribute('data-favorite')
  await expect(files.row('plans')).toContainText('Favorite')
  await expectNoBarriers(page)
  await operate(page, 'rename', { path: folder, oldName: 'plans', newName: 'plans 2026' })
  await expect(files.row('plans 2026')).toHaveAttribute('data-favorite')

  const side = page.getByTestId('side')
  await side.getByRole('link', { name: 'Favorites' }).click()
  await expect(page).toHaveURL(/\/favourites$/)
  await expect(page).toHaveTitle(/Favorites/)
  const list = page.getByTestId('favorites')
  const row = list.getByRole('row').filter({ hasText: 'plans 2026' })
  await expect(row).toContainText(folder)
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 1400, height: 900 })
  await row.getByRole('link', { name: 'plans 2026' }).click()
  await expect(page).toHaveURL(/path=.*plans/)
  await page.goBack()
  await row.getByRole('button', { name: /Remove from favorites/ }).click()
  await expect(row).toHaveCount(0)

  await side.getByRole('link', { name: 'Recent' }).click()
  const recent = page.getByTestId('recent')
  const clear = page.getByRole('button', { name: 'Clear list' })
  await expect(
    recent.getByRole('heading', { name: 'Nothing here yet' }).or(recent.getByRole('row').first()),
  ).toBeVisible()
  await expectNoBarriers(page)
  if (await clear.isEnabled()) {
    await clear.click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear list' }).click()
  }
  await expect(recent.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
})
