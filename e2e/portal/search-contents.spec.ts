import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { expect, operate, withOwnServer } from './fixtures.ts'
import { documentOf } from './office-files.ts'
import { operator } from './operator.ts'
import type { FilesPage } from './pages/files.page.ts'

// Whether documents are searched holds for the whole site.
const test = withOwnServer()

async function openSearch(page: Page): Promise<Locator> {
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('searchbox').waitFor()
  return dialog
}

async function uploadDocuments(files: FilesPage, computer: string): Promise<void> {
  const long = 'Nothing of interest stands here. '.repeat(20)
  const content = {
    '说明.docx': await documentOf('第三季度项目预算说明'),
    'minutes.txt': `${long}会议讨论了年度预算，and the Budget was agreed. ${long}`,
    '预算.bin': Buffer.from([0, 1, 2]),
  }
  for (const [name, bytes] of Object.entries(content)) await writeFile(join(computer, name), bytes)
  await files.choose(Object.keys(content).map((name) => join(computer, name)))
  for (const name of Object.keys(content)) await expect(files.row(name)).toBeVisible()
}

test('documents are found by two Chinese characters in them and opened, once the site wants it', async ({
  page,
  godwit,
  files,
  computer,
}) => {
  await uploadDocuments(files, computer)

  // As long as the site does not want it, nobody is offered what does not work.
  const before = await openSearch(page)
  await before.getByRole('searchbox').fill('预算')
  await expect(before.getByRole('listitem')).toHaveCount(1)
  await expect(before.getByRole('checkbox')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(before).toBeHidden()

  await operator(godwit, 'settings', 'set', 'search.contents', 'on')
  const input = { folder: files.folder, in: 'contents', text: '预算' }
  const found = async () => ((await operate(page, 'search', input)) as { items: unknown[] }).items.length
  await expect.poll(found, { timeout: 30_000 }).toBe(2)

  const dialog = await openSearch(page)
  const results = dialog.getByRole('listitem')
  await dialog.getByRole('checkbox', { name: 'Search in documents, too' }).check()
  await dialog.getByRole('searchbox', { name: 'Part of a name, or words in documents' }).fill('预算')
  await expect(results).toHaveCount(3)
  await expect(results.first()).toContainText('预算.bin')
  await expect(dialog.getByRole('status')).toHaveText('3 matches')
  const word = results.filter({ hasText: '说明.docx' })
  await expect(word).toContainText('第三季度项目预算说明')
  await expect(word.locator('mark')).toHaveText('预算')
  const minutes = results.filter({ hasText: 'minutes.txt' })
  await expect(minutes).toContainText('会议讨论了年度预算，and the Budget was agreed.')
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(minutes.locator('mark')).toBeVisible()
  await expectNoBarriers(page)
  await page.setViewportSize({ width: 1400, height: 900 })

  await dialog.getByRole('searchbox').fill('budget 会议')
  await expect(results).toHaveCount(1)
  await expect(results.locator('mark')).toHaveText(['会议', 'Budget'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/minutes/)
  await expect(page.getByText('会议讨论了年度预算')).toBeVisible()
})
