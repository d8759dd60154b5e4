import { expectNoBarriers, openView, viewName, VIEWS } from './barriers.ts'
import { expect, test } from './fixtures.ts'
import { addPerson } from './operator.ts'
import { ProfilePage } from './pages/profile.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

test('an API token is made with a name, rights and an end, is shown once, works, and ends when it is revoked', async ({
  page,
  godwit,
}) => {
  const person = await addPerson(godwit)
  await page.goto('/signin')
  await new SignInPage(page).signIn(person.account, person.password)
  await page.waitForURL(/\/personal/)
  const profile = new ProfilePage(page)
  await profile.goto('tokens')
  await expect(page.getByText('No API tokens yet.')).toBeVisible()
  await profile.button('Create token').click()
  const { dialog } = profile
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await expect(dialog.locator('input[name=name]')).toBeFocused()
  await dialog.locator('input[name=name]').fill('Nightly backup')
  await dialog.getByLabel('Download', { exact: true }).uncheck()
  await dialog.getByLabel('List', { exact: true }).uncheck()
  await expect(dialog.getByText('Choose at least one permission.')).toBeVisible()
  await dialog.getByLabel('List', { exact: true }).check()
  await dialog.locator('select[name=days]').selectOption('90')
  await dialog.locator('input[name=password]').fill('not the password')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The current password is wrong')
  await dialog.locator('input[name=password]').fill(person.password)
  await dialog.getByRole('button', { name: 'Create' }).click()
  const token = await page.getByTestId('secret').inputValue()
  expect(token).toMatch(/^gwt_/)
  const call = async (operation: string, body: object): Promise<number> => {
    const answer = await fetch(`${godwit.url}/api/files/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return ((await answer.json()) as { readonly code: number }).code
  }
  expect(await call('list', { folder: '/' })).toBe(200)
  expect(await call('mkdir', { folder: '/', name: 'not allowed' })).not.toBe(200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = profile.rows('API tokens')
  await expect(row).toContainText('Nightly backup')
  await expect(row).toContainText('List')
  await expect(row).not.toContainText('Never used')
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('another')
  await expect(page).toHaveURL(/\?q=another$/)
  await expect(page.getByText('Nothing matches these filters.')).toBeVisible()
  await profile.button('Clear filters').click()
  await expect(row).toHaveCount(1)
  await expect(page.getByText(token)).toHaveCount(0)
  await row.getByRole('button', { name: 'Revoke Nightly backup' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(profile.message('Token “Nightly backup” revoked')).toBeVisible()
  await expect(page.getByText('No API tokens yet.')).toBeVisible()
  expect(await call('list', { folder: '/' })).not.toBe(200)
})

for (const view of VIEWS) {
  test(`no barriers at API tokens: ${viewName(view)}`, async ({ browser, godwit }) => {
    const context = await openView(browser, view, godwit.url)
    const page = await context.newPage()
    const person = await addPerson(godwit)
    await page.goto('/signin')
    await new SignInPage(page).signIn(person.account, person.password)
    await page.waitForURL(/\/personal/)
    await new ProfilePage(page).goto('tokens')
    await expectNoBarriers(page)
    await page.getByRole('button', { name: /^(Create token|创建令牌)$/ }).click()
    await page.locator('input[name=name]').fill('backup')
    await expectNoBarriers(page)
    await page.locator('input[name=password]').fill(person.password)
    await page.keyboard.press('Enter')
    await expect(page.getByTestId('secret')).toBeVisible()
    await expectNoBarriers(page)
    await page.getByRole('button', { name: /^(Done|完成)$/ }).click()
    await expect(page.locator('[data-row]').first()).toBeVisible()
    await expectNoBarriers(page)
    await context.close()
  })
}
