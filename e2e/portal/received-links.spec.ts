import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectNoBarriers } from './barriers.ts'
import { expect, signIn, test } from './fixtures.ts'
import { addPerson } from './operator.ts'
import { FilesPage } from './pages/files.page.ts'

// One piece: the same link, as its owner makes it, as the person it is for opens it, and as everybody else sees it.
test('a file is shared with a person of the site, who opens it without a password, and with nobody else', async ({
  browser,
  godwit,
  computer,
}) => {
  const [mei, tom, eve] = [await addPerson(godwit), await addPerson(godwit), await addPerson(godwit)]
  const pageOf = async (administrator?: typeof mei) => {
    const page = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
    if (administrator !== undefined) await signIn(page, { url: godwit.url, administrator })
    return page
  }
  const owner = await pageOf(mei)
  const reader = await pageOf(tom)
  await reader.locator('nav').getByRole('link', { name: 'Shared with me' }).click()
  await expect(reader.getByText('Nothing is shared with you')).toBeVisible()
  await expectNoBarriers(reader)

  const plan = join(computer, 'plan.txt')
  await writeFile(plan, 'for tom alone')
  const files = new FilesPage(owner)
  await files.choose([plan])
  await files.row('plan.txt').click()
  await files.toolbar.locator('[data-action=share]').click()
  await owner.getByLabel('Who can open it').selectOption('People and groups of this site')
  await expect(owner.getByLabel('Ask for a password')).toBeHidden()
  await owner.getByRole('button', { name: 'Create and copy link' }).click()
  await expect(owner.getByText('Choose at least one person or group.')).toBeVisible()
  const people = owner.getByRole('combobox', { name: 'People and groups' })
  await people.fill(tom.account)
  await expect(owner.getByRole('option', { name: tom.account })).toBeVisible()
  await expectNoBarriers(owner)
  await people.press('Enter')
  await expect(owner.getByRole('list', { name: 'Chosen people and groups' })).toContainText(tom.account)
  await owner.getByRole('button', { name: 'Create and copy link' }).click()
  const address = (await owner.getByTestId('link-address').textContent()) ?? ''
  await owner.getByRole('button', { name: 'Done' }).click()

  // The open page hears of it.
  const row = reader.getByRole('row').filter({ hasText: 'plan.txt' })
  await expect(row).toContainText(mei.account)
  await expectNoBarriers(reader)
  const [shared] = await Promise.all([
    reader.context().waitForEvent('page'),
    row.getByRole('link', { name: 'plan.txt' }).click(),
  ])
  await expect(shared.getByRole('heading', { level: 1, name: 'plan.txt' })).toBeVisible()
  await expectNoBarriers(shared)

  const [stranger, guest] = [await pageOf(eve), await pageOf()]
  await stranger.goto(address)
  await expect(stranger.getByRole('heading', { name: 'This link is not for your account' })).toBeVisible()
  await guest.goto(address)
  await expect(guest.getByRole('heading', { name: 'Sign in to open this link' })).toBeVisible()
  await expectNoBarriers(guest)

  await owner.goto('/link/share')
  const own = owner.getByRole('row').filter({ hasText: 'plan.txt' })
  await expect(own).toContainText(tom.account)
  await own.locator('[data-action=disable-link]').click()
  await expect(reader.getByText('Nothing is shared with you')).toBeVisible()
  await shared.reload()
  await expect(shared.getByRole('heading', { name: 'This link is not available' })).toBeVisible()
})
