import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectNoBarriers } from './barriers.ts'
import { expect, operate, withOwnServer } from './fixtures.ts'
import { operator } from './operator.ts'

const test = withOwnServer()

// One piece: each step goes on with the versions of the one before.
test('a replaced file keeps its versions, which are compared, fetched, restored and deleted', async ({
  files,
  page,
  godwit,
  computer,
}) => {
  await operator(godwit, 'settings', 'set', 'versions.keep', '3')
  const path = join(computer, 'report.txt')
  const size = async (): Promise<unknown> => {
    const { items } = (await operate(page, 'exists', { paths: [`${files.folder}/report.txt`] })) as {
      readonly items: ReadonlyArray<{ readonly size: number }>
    }
    return items[0]?.size
  }
  await writeFile(path, 'first')
  await files.choose([path])
  await expect(files.row('report.txt')).toBeVisible()
  const limit = async (): Promise<unknown> => {
    const reply = await operate(page, 'versions', { path: `${files.folder}/report.txt` })
    return (reply as { readonly limit: number }).limit
  }
  await expect.poll(limit).toBe(3)
  for (const content of ['the second one', 'the third one is the longest']) {
    await writeFile(path, content)
    await files.choose([path])
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await expect.poll(size).toBe(content.length)
  }

  await files.row('report.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  const dialog = page.getByRole('dialog', { name: 'Versions of “report.txt”' })
  const items = dialog.getByRole('list', { name: 'Versions' }).getByRole('listitem')
  await expect(items).toHaveCount(2)
  await expect(items.first()).toContainText('14 B')
  await expect(items.last()).toContainText('smaller than now')
  await expect(dialog).toContainText('The last 3 versions are kept.')
  await expectNoBarriers(page)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    items
      .last()
      .getByRole('button', { name: /^Download/ })
      .click(),
  ])
  expect(download.suggestedFilename()).toBe('report.txt')
  expect(await readFile(await download.path(), 'utf8')).toBe('first')

  await items.last().getByRole('button', { name: 'Restore' }).click()
  await expect(items.first()).toContainText('28 B')
  await expect.poll(size).toBe('first'.length)
  await expect(items).toHaveCount(2)

  await items
    .last()
    .getByRole('button', { name: /^Delete/ })
    .click()
  await items.last().getByRole('button', { name: 'Delete for good' }).click()
  await expect(items).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(files.grid).toBeFocused()
  // What is used is told apart.
  const usage = await operate(page, 'usage', {})
  expect(usage).toMatchObject({ usedBytes: 5 + 28, versionBytes: 28, recycledBytes: 0 })
})
