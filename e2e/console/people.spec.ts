import type { Godwit } from '@godwit/testkit'
import type { Browser, Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, signIn, test } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'
import { totpCode } from '../portal/totp.ts'

const PASSWORD = 'Tidal-flats-42'

async function addUser(page: Page, account: string): Promise<void> {
  await page.goto('/admin/users/new')
  await page.locator('input[name=account]').fill(account)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByLabel('Choose a new password at the next sign-in').uncheck()
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page.getByRole('dialog')).toContainText(account)
}

/** A browser of somebody else's, signed in. */
async function enter(browser: Browser, { url }: Godwit, account: string, path: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-US' })).newPage()
  await page.goto(path)
  await new SignInPage(page).signIn(account, PASSWORD)
  return page
}

/** The role demands a second step, so the sign-in goes on with an authenticator app. */
async function setUpFactor(page: Page): Promise<void> {
  await expect(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expectNoBarriers(page)
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.locator('input[name=code]').fill(totpCode(secret, Date.now()))
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByTestId('recovery-codes').getByRole('listitem')).toHaveCount(10)
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Draws a period in the week, meets one that overlaps, and says what members do not send. */
async function setTransfers(page: Page, team: string): Promise<void> {
  await page.goto(`/admin/groups?text=${encodeURIComponent(team)}`)
  await page.getByRole('row').filter({ hasText: team }).getByRole('button', { name: 'Transfers' }).click()
  const week = page.getByRole('img', { name: 'The week, with no periods' })
  const box = await week.boundingBox()
  if (box === null) throw new Error('the week is not drawn')
  // From the last day's last hour, beyond the corner, to the first one's first: all of it.
  await page.mouse.move(box.x + box.width - 2, box.y + box.height - 2)
  await page.mouse.down()
  await page.mouse.move(box.x, box.y, { steps: 4 })
  await page.mouse.up()
  const first = page.getByRole('group', { name: 'Period 1' })
  await expect(first.getByLabel('Days')).toHaveValue('daily')
  await expect(first.getByLabel('From')).toHaveValue('00:00')
  await expect(first.getByText('In force now')).toBeVisible()
  await expect(first.getByLabel('Up, Mbps')).toBeFocused()
  await first.getByLabel('Up, Mbps').fill('8')
  await page.getByLabel('Weight in shared limits and lines').fill('25')
  await page.getByLabel('Folders in sync').selectOption('Once a file has not changed for a minute')
  await page.getByLabel('File filters').selectOption('Filters of the group')
  await page.getByLabel('Leave out', { exact: true }).fill('*.tmp')
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Add period' }).click()
  const second = page.getByRole('group', { name: 'Period 2' })
  await expect(second).toContainText('It overlaps period 1.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: `Transfers of ${team}` })).toBeVisible()
  await expect(page.getByText('Two periods overlap.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove period 2' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`The transfer settings of ${team} were saved.`)).toBeVisible()
  await page.getByRole('row').filter({ hasText: team }).getByRole('button', { name: 'Transfers' }).click()
  await expect(page.getByLabel('Weight in shared limits and lines')).toHaveValue('25')
  await expect(page.getByLabel('Folders in sync')).toHaveValue('rest')
  await expect(page.getByLabel('Leave out', { exact: true })).toHaveValue('*.tmp')
  await page.goto('/admin/spaces/1/rules')
  await page.getByLabel('Weight in shared limits and lines').fill('20')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/admin\/spaces$/)
  await page.goto('/admin/spaces/1/rules')
  await expect(page.getByLabel('Weight in shared limits and lines')).toHaveValue('20')
}

// One walk, because each step stands on what the one before it did.
test('people are ordered by departments and groups, looked after by roles, and recorded', async ({
  browser,
  godwit,
  page,
}) => {
  const suffix = String(process.pid)
  const [account, team, branch, role] = [`mia_${suffix}`, `Survey ${suffix}`, `Coast ${suffix}`, `Readers ${suffix}`]
  await signIn(page, godwit)
  await addUser(page, account)

  await page.goto('/admin/departments')
  for (const name of [branch, `${branch} inner`]) {
    await page.getByRole('button', { name: 'Add department' }).first().click()
    await page.getByRole('dialog').locator('input[name=name]').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Add department' }).click()
    await expect(page.getByRole('row').filter({ hasText: name }).first()).toBeVisible()
  }
  await page.getByRole('button', { name: `Move ${branch} inner`, exact: true }).click()
  await page.getByRole('dialog').getByRole('combobox').selectOption(branch)
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: `${branch} inner` })).toHaveCount(0)
  await page.getByRole('button', { name: `Show what is below ${branch}`, exact: true }).click()
  await expect(page.getByRole('row').filter({ hasText: `${branch} inner` })).toBeVisible()
  await expectNoBarriers(page)
  // By pointer: out to the root, which the head of the table stands for; the dialog says where to before it moves.
  const inner = page.getByRole('row').filter({ hasText: `${branch} inner` })
  await inner.getByText(`${branch} inner`).dragTo(page.getByRole('columnheader').first())
  await expect(page.getByRole('dialog').getByRole('combobox')).toHaveValue('0')
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByRole('button', { name: `Show what is below ${branch}`, exact: true })).toHaveCount(0)
  await inner.getByText(`${branch} inner`).dragTo(page.getByText(branch, { exact: true }))
  await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
  await expect(inner).toBeVisible()

  await page.goto('/admin/groups')
  await page.getByRole('button', { name: 'Add group' }).first().click()
  await page.getByRole('dialog').locator('input[name=name]').fill(team)
  await page.getByRole('dialog').getByRole('button', { name: 'Add group' }).click()
  await page.goto(`/admin/groups?text=${encodeURIComponent(team)}`)
  await page.getByRole('link', { name: team }).click()
  await page.getByRole('button', { name: 'Add members' }).first().click()
  await page.getByRole('dialog').locator('input[name=accounts]').fill(account)
  await page.getByRole('dialog').getByRole('button', { name: 'Add members' }).click()
  await expect(page.getByRole('row').filter({ hasText: account })).toBeVisible()
  await expectNoBarriers(page)
  await setTransfers(page, team)

  await page.goto('/admin/roles')
  await page.getByRole('button', { name: 'Add role' }).first().click()
  await page.locator('input[name=name]').fill(role)
  await page.getByRole('group', { name: 'Logs' }).getByLabel('View').check()
  await page.getByLabel('Requires two-step verification').check()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Add role' }).click()
  await expect(page.getByRole('row').filter({ hasText: role })).toBeVisible()
  await page.goto('/admin/administrators')
  await page.getByRole('button', { name: 'Appoint' }).first().click()
  await page.getByRole('dialog').locator('input[name=account]').fill(account)
  await page.getByRole('dialog').getByRole('combobox').selectOption(role)
  await page.getByRole('dialog').getByRole('button', { name: 'Appoint' }).click()
  await expect(page.getByRole('row').filter({ hasText: account })).toBeVisible()
  await expectNoBarriers(page)

  // The menu holds what the role may open, and nothing else.
  const reader = await enter(browser, godwit, account, '/admin/log/operations')
  await setUpFactor(reader)
  await expect(reader.getByRole('heading', { level: 1, name: 'Operation log' })).toBeVisible()
  await expect(reader.getByRole('navigation').getByRole('link', { name: 'Sign-in log' })).toBeVisible()
  await expect(reader.getByRole('navigation').getByRole('link', { name: 'Users' })).toHaveCount(0)

  await page.goto(`/admin/log/operations?text=${encodeURIComponent(team)}`)
  await expect(page.getByRole('row').filter({ hasText: 'Added a group' })).toBeVisible()
  await expectNoBarriers(page)
})
