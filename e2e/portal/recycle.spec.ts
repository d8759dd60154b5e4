import { expectNoBarriers } from './barriers.ts'
import { expect, operate, withOwnServer } from './fixtures.ts'

// The bin shows what any test of the account has deleted, and this one empties it.
const test = withOwnServer()

// One piece: each step goes on with what the one before left in the bin.
test('deleted items are found in the recycle bin, restored in place or elsewhere, and deleted for good', async ({
  files,
  page,
}) => {
  const { folder } = files
  for (const name of ['alpha', 'deep', 'gamma', 'delta']) await operate(page, 'mkdir', { folder, name })
  await operate(page, 'mkdir', { folder: `${folder}/deep`, name: 'beta' })
  await operate(page, 'remove', { paths: ['alpha', 'deep/beta', 'gamma', 'delta'].map((name) => `${folder}/${name}`) })
  await page.locator('[data-action=recycle-bin]').click()
  await expect(page).toHaveURL(/\/recycle$/)
  const bin = page.getByTestId('recycle')
  const rows = bin.getByRole('row')
  const row = (name: string) => rows.filter({ hasText: name })
  await expect(row('alpha')).toContainText(folder)
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 1400, height: 900 })

  // In place.
  await row('alpha').getByRole('checkbox').click()
  await bin.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(row('alpha')).toHaveCount(0)

  // Elsewhere, by keyboard.
  await bin.getByRole('searchbox').fill('BET')
  await expect(row('gamma')).toHaveCount(0)
  await row('beta').getByRole('checkbox').press('Space')
  await bin.getByRole('button', { name: 'Restore to', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expectNoBarriers(page)
  await dialog.getByRole('searchbox').fill(folder.slice(1))
  await dialog.getByRole('treeitem', { name: folder.slice(1) }).click()
  await dialog.getByRole('button', { name: 'Restore here' }).click()
  await expect(row('beta')).toHaveCount(0)

  // What one search found and was selected is not selected in the next one.
  await bin.getByRole('searchbox').fill('GAM')
  await row('gamma').getByRole('checkbox').click()
  await expect(bin.getByText('1 selected')).toBeVisible()
  await bin.getByRole('searchbox').fill('DEL')
  await expect(row('delta')).toBeVisible()
  await expect(bin.getByText('1 selected')).toHaveCount(0)

  // For good: one, then all.
  await bin.getByRole('searchbox').fill('')
  await row('gamma').getByRole('checkbox').click()
  await bin.getByRole('button', { name: 'Delete for good', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete for good' }).click()
  await expect(row('gamma')).toHaveCount(0)
  await expect(row('delta')).toHaveCount(1)
  await page.getByRole('button', { name: 'Empty the recycle bin' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('cannot be undone')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Empty the recycle bin' }).click()
  await expect(bin.getByRole('heading', { name: 'The recycle bin is empty' })).toBeVisible()
  await expectNoBarriers(page)

  await files.goto(folder)
  await expect(files.row('alpha')).toBeVisible()
  await expect(files.row('beta')).toBeVisible()
  await expect(files.row('delta')).toHaveCount(0)

  // The administrator finds what anybody deleted.
  await operate(page, 'remove', { paths: [`${folder}/alpha`, `${folder}/beta`] })
  await page.goto(`/admin/recycle?text=${folder.slice(1)}`)
  const found = page.getByRole('main').getByRole('row')
  await expect(found.filter({ hasText: 'alpha' })).toContainText('admin')
  await expectNoBarriers(page)
  for (const [name, verb] of [
    ['alpha', 'Restore'],
    ['beta', 'Delete for good'],
  ] as const) {
    await found.filter({ hasText: name }).getByRole('checkbox').click()
    await page.getByRole('button', { name: verb, exact: true }).click()
    const question = page.getByRole('dialog').or(page.getByRole('alertdialog'))
    await expectNoBarriers(page)
    await question.getByRole('button', { name: verb, exact: true }).click()
    await expect(found.filter({ hasText: name })).toHaveCount(0)
  }
  await files.goto(folder)
  await expect(files.row('alpha')).toBeVisible()
  await expect(files.row('beta')).toHaveCount(0)
})
