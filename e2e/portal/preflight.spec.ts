import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectNoBarriers } from './barriers.ts'
import { expect, operate, test } from './fixtures.ts'

// One piece: each step goes on with the folder of the one before.
test('a drop is checked whole before its first byte: nothing is asked when all is well, else one list with fixes', async ({
  files,
  page,
  godwit,
  computer,
}) => {
  const home = join(godwit.data, 'files/users', godwit.administrator.account, files.folder)
  const begun: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/api\/uploads/.test(request.url())) begun.push(request.url())
  })
  mkdirSync(join(computer, 'set/inner'), { recursive: true })
  const put = (name: string): void => writeFileSync(join(computer, name), `content of ${name}`)
  for (const name of ['set/fine.txt', 'set/inner/deep.txt']) put(name)
  await files.drop([join(computer, 'set')])
  await expect(files.uploads.panel).toContainText('set')
  await expect
    .poll(() => existsSync(join(home, 'set/inner/deep.txt')) && existsSync(join(home, 'set/fine.txt')))
    .toBe(true)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  writeFileSync(join(home, 'Plan.txt'), 'there before')
  for (const name of ['a:b.txt', 'plan.txt', 'set/fine.txt', 'free.txt']) put(name)
  begun.length = 0
  await files.drop(['a:b.txt', 'plan.txt', 'set', 'free.txt'].map((name) => join(computer, name)))
  const list = page.getByRole('dialog')
  await expect(list).toContainText('1 name is not allowed')
  await expect(list).toContainText('1 name differs only in upper and lower case')
  await expect(list).toContainText('2 names already exist')
  expect(begun).toEqual([])
  await expectNoBarriers(page)

  // What is proposed: mended names go, taken ones stay as they are.
  await expect(list.getByLabel('New name')).toHaveCount(2)
  const rename = list.getByRole('listitem').filter({ hasText: 'a:b.txt' }).getByLabel('New name')
  await expect(rename).toHaveValue('a_b.txt')
  await rename.fill('a?.txt')
  await expect(list.getByRole('button', { name: /^Upload/ })).toBeDisabled()
  await rename.fill('renamed.txt')
  await list.getByRole('combobox', { name: 'What to do with plan.txt' }).selectOption('Skip')
  await list.getByLabel('For all 2').selectOption('Keep both')
  await list.getByRole('combobox', { name: 'What to do with set/inner/deep.txt' }).selectOption('Skip')
  await list.getByRole('button', { name: 'Upload 3 files' }).click()
  await expect(files.row('renamed.txt')).toBeVisible()
  await expect(files.row('free.txt')).toBeVisible()
  await expect(files.row('plan.txt')).toHaveCount(0)
  await files.goto(`${files.folder}/set`)
  await expect(files.row('fine (1).txt')).toBeVisible()
  const { items } = (await operate(page, 'exists', { paths: [`${files.folder}/inner/deep (1).txt`] })) as {
    items: unknown[]
  }
  expect(items).toEqual([])

  // Closed without an answer, nothing goes.
  writeFileSync(join(computer, 'x|y.txt'), 'x')
  begun.length = 0
  await files.drop([join(computer, 'x|y.txt')])
  await expect(list).toContainText('1 name is not allowed')
  await page.keyboard.press('Escape')
  await expect(page.getByText('“x|y.txt” was not uploaded')).toBeVisible()
  expect(begun).toEqual([])
})
