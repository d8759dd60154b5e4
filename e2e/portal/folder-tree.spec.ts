import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { expect, operate, test } from './fixtures.ts'

const line = (page: Page, name: string): Locator =>
  page.getByTestId('folder-tree').getByRole('treeitem', { name, exact: true })

async function drop(page: Page, target: Locator, paths: readonly string[]): Promise<void> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('no place to drop')
  const cdp = await page.context().newCDPSession(page)
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const data = { items: [], files: [...paths], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await cdp.send('Input.dispatchDragEvent', { type, ...at, data })
  }
  await cdp.detach()
}

// One piece: each step goes on with the folders of the one before.
test('the tree of folders: follows the list, keys, news from others, rows and files dropped on it, kept by the device', async ({
  files,
  page,
  godwit,
  computer,
}) => {
  const home = join(godwit.data, 'files/users', godwit.administrator.account, files.folder)
  for (const path of ['alpha/deep/deeper', 'beta', 'gamma']) mkdirSync(join(home, path), { recursive: true })
  writeFileSync(join(home, 'note.txt'), 'text')
  await files.goto(files.folder)
  await expect(files.row('note.txt')).toBeVisible()
  const tree = page.getByTestId('folder-tree')
  await expect(tree).toBeHidden()

  await page.keyboard.press('Alt+t')
  await expect(line(page, 'alpha')).toBeVisible()
  await expect(tree.getByRole('treeitem', { name: files.folder.slice(1) })).toHaveAttribute('aria-selected', 'true')
  await expect(tree.getByRole('treeitem', { name: 'note.txt' })).toHaveCount(0)
  await expectNoBarriers(page)

  // Keys: a letter finds, Right opens, Enter leads there and the keyboard stays in the tree.
  await tree.getByRole('tree').focus()
  await page.keyboard.press('a')
  await expect(line(page, 'alpha')).toHaveAttribute('data-focused')
  await page.keyboard.press('ArrowRight')
  await expect(line(page, 'deep')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/alpha(\/|%2F)deep$/)
  await expect(files.row('deeper')).toBeVisible()
  await expect(tree.getByRole('tree')).toBeFocused()
  await expect(line(page, 'deep')).toHaveAttribute('aria-selected', 'true')
  // Closes the folder that is open, goes to its parent and closes that.
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowLeft')
  await expect(line(page, 'deep')).toBeHidden()
  await page.keyboard.press('Home')
  await expect(tree.getByRole('treeitem').first()).toHaveAttribute('data-focused')
  await page.keyboard.press('End')
  await expect(tree.getByRole('treeitem').last()).toHaveAttribute('data-focused')

  // The list leads, the tree follows: the way to the folder is opened again.
  await files.row('deeper').dblclick()
  await expect(line(page, 'deeper')).toHaveAttribute('aria-selected', 'true')
  await line(page, 'beta').click()
  await expect(page).toHaveURL(/beta$/)

  // What somebody else makes and removes appears and goes, in a folder that the list does not show.
  await operate(page, 'mkdir', { folder: `${files.folder}/alpha/deep`, name: 'new here' })
  await expect(line(page, 'new here')).toBeVisible()
  await operate(page, 'remove', { paths: [`${files.folder}/alpha/deep/new here`] })
  await expect(line(page, 'new here')).toHaveCount(0)

  // Files of the computer go where they fall.
  const report = join(computer, 'report.txt')
  writeFileSync(report, 'from the computer')
  await drop(page, line(page, 'gamma'), [report])
  await line(page, 'gamma').click()
  await expect(files.row('report.txt')).toBeVisible()

  // Rows move, and no folder into itself.
  await files.row('report.txt').locator('[draggable]').dragTo(line(page, 'beta'))
  await expect(files.row('report.txt')).toBeHidden()
  await line(page, 'beta').click()
  await expect(files.row('report.txt')).toBeVisible()
  await tree.getByRole('treeitem', { name: files.folder.slice(1) }).click()
  await files.row('beta').locator('[draggable]').dragTo(line(page, 'beta'))
  await expect(files.row('beta')).toBeVisible()

  await page.reload()
  await expect(line(page, 'alpha')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(tree).toBeHidden()
  await page.setViewportSize({ width: 1400, height: 900 })
  await expect(tree).toBeVisible()
  await page.getByRole('button', { name: 'Folder tree' }).click()
  await expect(tree).toBeHidden()
})
