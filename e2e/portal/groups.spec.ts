import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Godwit } from '@godwit/testkit'
import type { Browser, Page } from '@playwright/test'
import { expectNoBarriers } from './barriers.ts'
import { expect, signIn, test } from './fixtures.ts'
import { addPerson, operator, type Person } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'

/** A group with these members. @returns its number */
async function addGroup(godwit: Godwit, name: string, members: readonly Person[]): Promise<number> {
  const { id } = JSON.parse(await operator(godwit, 'group', 'add', name, '--quota', '5G', '--json')) as { id: number }
  for (const { account } of members) {
    await operator(godwit, 'group', 'member', '--group', String(id), '--account', account)
  }
  return id
}

async function pageOf(browser: Browser, { url }: Godwit, administrator: Person): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-US' })).newPage()
  await signIn(page, { url, administrator })
  return page
}

test('two members share the files of a group, and a third person does not see it', async ({
  browser,
  godwit,
  computer,
}) => {
  const [mei, tom, eve] = [await addPerson(godwit), await addPerson(godwit), await addPerson(godwit)]
  const id = await addGroup(godwit, `Design ${mei.account}`.slice(0, 32), [mei, tom])
  const plan = join(computer, 'plan.txt')
  await writeFile(plan, 'the plan')

  const own = await pageOf(browser, godwit, mei)
  await own.getByRole('link', { name: 'Group files' }).click()
  await expect(own.getByRole('heading', { level: 1, name: 'Group files' })).toBeVisible()
  const card = own.getByTestId('group')
  await expect(card).toHaveCount(1)
  await expect(card).toContainText('5.0 GB')
  await expect(card.locator('time')).toHaveText(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  await card.click()
  await expect(own).toHaveURL(`/group/detail/${id}`)
  const files = new FilesPage(own)
  await files.choose([plan])
  await expect(files.row('plan.txt')).toBeVisible()
  // Copy and move are off in groups unless the membership carries them.
  await files.row('plan.txt').click()
  await expect(files.toolbar.locator('[data-action=download]')).toBeVisible()
  await expect(files.toolbar.locator('[data-action=move]')).toHaveCount(0)
  await own.goto('/personal')
  await expect(own.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  // Whoever has no files yet sees what to begin with, until it is put away for good.
  const first = own.getByTestId('first-steps')
  await expect(first.getByRole('listitem')).toHaveCount(3)
  await expectNoBarriers(own)
  await first.getByRole('button', { name: 'Got it' }).click()
  await own.reload()
  await expect(own.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  await expect(first).toHaveCount(0)

  const other = await pageOf(browser, godwit, tom)
  await other.goto(`/group/detail/${id}`)
  const shared = new FilesPage(other)
  await shared.row('plan.txt').click()
  const [download] = await Promise.all([
    other.waitForEvent('download'),
    shared.toolbar.locator('[data-action=download]').click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toBe('the plan')
  await other.getByRole('navigation', { name: 'Folder path' }).getByRole('link', { name: 'Group files' }).click()
  await expect(other).toHaveURL('/group')

  const stranger = await pageOf(browser, godwit, eve)
  await stranger.goto('/group')
  await expect(stranger.getByRole('heading', { name: 'You are not in a group yet' })).toBeVisible()
  await stranger.goto(`/group/detail/${id}`)
  await expect(stranger.getByRole('heading', { name: 'This group is not available' })).toBeVisible()
  await expect(stranger.getByText('plan.txt')).toHaveCount(0)
  for (const page of [own, other, stranger]) await page.context().close()
})

test('the list of groups fits a phone, in both languages, and has no barriers', async ({ page, godwit }) => {
  const mei = await addPerson(godwit)
  for (const name of ['a', 'b']) await addGroup(godwit, `${name}_${mei.account} with a long name`.slice(0, 32), [mei])
  await page.setViewportSize({ width: 390, height: 780 })
  await signIn(page, { url: godwit.url, administrator: mei })
  for (const [locale, heading] of [
    ['zh-CN', '群组文件'],
    ['en-US', 'Group files'],
  ] as const) {
    await page.evaluate((language) => localStorage.setItem('godwit.locale', language), locale)
    await page.goto('/group')
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByTestId('group')).toHaveCount(2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectNoBarriers(page)
  }
})
