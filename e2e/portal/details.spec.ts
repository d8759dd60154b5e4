import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectNoBarriers } from './barriers.ts'
import { expect, operate, test } from './fixtures.ts'

// One piece: each step goes on with the file of the one before.
test('details name size, rights, who brought a file and what happened to it, and follow the selection', async ({
  files,
  page,
  computer,
}) => {
  const path = join(computer, 'report.txt')
  await writeFile(path, 'first')
  await files.choose([path])
  await expect(files.row('report.txt')).toBeVisible()
  await operate(page, 'mkdir', { folder: files.folder, name: 'inner' })
  // The new row comes above the file, so that a click before it would hit the folder.
  await expect(files.row('inner')).toBeVisible()

  await files.row('report.txt').click()
  await page.keyboard.press('i')
  const details = page.getByTestId('details')
  const activity = details.getByTestId('activity').getByRole('listitem')
  await expect(details).toContainText('report.txt')
  await expect(details).toContainText('5 B (5 bytes)')
  await expect(details).toContainText('Uploaded by')
  await expect(details).toContainText('No earlier versions')
  await expect(details).toContainText('You have no links on it.')
  await expect(details.getByText('Rename', { exact: true })).toBeVisible()
  await expect(activity).toHaveText([/Uploaded “report.txt”You · /])
  await expectNoBarriers(page)

  await operate(page, 'rename', { path: files.folder, oldName: 'report.txt', newName: 'summary.txt' })
  await files.row('summary.txt').click()
  await expect(activity.first()).toContainText('Renamed “report.txt” to “summary.txt”')
  await expect(activity).toHaveCount(2)
  await expect(details).toContainText('Uploaded by')

  await page.keyboard.press('Escape')
  await expect(details).toContainText('1 file, 1 folder')
  await expect(activity).toHaveCount(4)
  await page.keyboard.press('Control+a')
  await expect(details).toContainText('2 selected')
  await page.reload()
  await expect(details).toContainText('1 file, 1 folder')
  await page.keyboard.press('i')
  await expect(details).toBeHidden()

  await files.row('inner').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Details' }).click()
  await expect(details).toContainText('Created the folder “inner”')
  await details.getByRole('button', { name: 'Close the details' }).click()
  await expect(details).toBeHidden()

  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await files.row('summary.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Details' }).click()
  const sheet = page.getByRole('dialog', { name: 'Details' })
  await expect(sheet).toContainText('Renamed “report.txt” to “summary.txt”')
  await expectNoBarriers(page)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})
