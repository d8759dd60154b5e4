import type { Godwit } from '@godwit/testkit'
import type { Browser, Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, test } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

const PASSWORD = 'Tidal-flats-42'

/** A browser of somebody's own, signed in at this address. */
async function enter(browser: Browser, { url }: Godwit, who: { account: string; password: string }, path: string) {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-US' })).newPage()
  await page.goto(path)
  await new SignInPage(page).signIn(who.account, who.password)
  return page
}

async function addUser(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: 'Add user' }).first().click()
  await page.locator('input[name=account]').fill(account)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByLabel('Choose a new password at the next sign-in').uncheck()
  await page.getByRole('button', { name: 'Add user' }).click()
  await expect(page.getByRole('dialog')).toContainText(account)
}

/** Asks in the drawer, and reads the rule that decides. */
async function askWhy(page: Page, { path, answer }: { readonly path: string; readonly answer: string }): Promise<void> {
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Can they').selectOption('upload a new file')
  await drawer.getByLabel('Path').fill(path)
  await drawer.getByRole('button', { name: 'Check' }).click()
  await expect(drawer).toContainText(answer)
}

// One walk, because each step stands on what the one before it did.
test('an administrator adds a user, changes what they may do, and locks them; the portal follows', async ({
  browser,
  godwit,
}) => {
  const account = `console_${process.pid}`
  const admin = await enter(browser, godwit, godwit.administrator, '/admin/users')
  await expect(admin.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await expectNoBarriers(admin)

  // The form says what is missing where it is missing.
  await admin.getByRole('button', { name: 'Add user' }).first().click()
  await admin.getByRole('button', { name: 'Add user' }).click()
  await expect(admin.getByText('This field is required.').first()).toBeVisible()
  await expectNoBarriers(admin)
  await admin.goto('/admin/users/nobody')
  await expect(admin.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible()
  await admin.goto('/admin/users')
  await addUser(admin, account)
  await expectNoBarriers(admin)

  const person = await enter(browser, godwit, { account, password: PASSWORD }, '/')
  await expect(person.getByTestId('toolbar')).toBeVisible()
  await expect(person.getByRole('button', { name: 'New folder' })).toHaveCount(0)
  await person.goto('/admin')
  await expect(person.getByTestId('no-administrator')).toContainText(account)
  await person.getByRole('button', { name: 'To the portal' }).click()
  await expect(person.getByTestId('toolbar')).toBeVisible()

  await admin.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
  await admin.getByRole('tab', { name: 'Security' }).click()
  await admin.getByRole('button', { name: 'Select all' }).click()
  await expect(admin.getByText('Changed: Permissions')).toBeVisible()
  await admin.getByRole('tab', { name: 'Transfer' }).click()
  await admin.getByLabel('Blocked file types').fill('exe; .BAT')
  await admin.getByLabel('Ways of transfer').selectOption('Browser only')
  await admin.getByLabel('File filters').selectOption('Own filters for this account')
  await admin.getByLabel('Leave out', { exact: true }).fill('*.tmp')
  await admin.getByLabel('Upload limit in Mbps').fill('40')
  await admin.getByLabel('Weight in shared limits and lines').fill('101')
  await expect(admin.getByText('Enter a whole number from 1 to 100.')).toBeVisible()
  await admin.getByLabel('Weight in shared limits and lines').fill('30')
  await admin.getByRole('button', { name: 'Add period' }).click()
  const period = admin.getByRole('group', { name: 'Period 1' })
  await period.getByLabel('Days').selectOption('Selected days')
  await period.getByLabel('Up, Mbps').fill('10')
  await expectNoBarriers(admin)
  await admin.getByRole('tab', { name: 'Storage' }).click()
  await admin.getByLabel('Forbidden paths').fill('//')
  await expect(admin.getByText('“//” cannot be used')).toBeVisible()
  await admin.getByLabel('Forbidden paths').fill('/secret/**\n*.key')
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByRole('dialog')).toContainText('Create folders')
  await expect(admin.getByRole('dialog')).toContainText('exe; bat')
  await expect(admin.getByRole('dialog')).toContainText('40 Mbps')
  await expect(admin.getByRole('dialog')).toContainText('Weight in shared limits and lines30')
  await expect(admin.getByRole('dialog')).toContainText('Browser only')
  await expect(admin.getByRole('dialog')).toContainText('*.tmp')
  await expect(admin.getByRole('dialog')).toContainText('1 period')
  await expect(admin.getByRole('dialog')).toContainText('/secret/**')
  await askWhy(admin, { path: '/secret/plan.pdf', answer: 'The forbidden path “/secret/**” of the account covers it.' })
  await askWhy(admin, { path: '/virus.exe', answer: 'The file types of the account do not allow this name.' })
  await askWhy(admin, { path: '/plan.pdf', answer: 'The account has the permissions it takes' })
  await person.reload()
  await expect(person.getByRole('button', { name: 'New folder' }).first()).toBeVisible()

  // The address names what is shown, so it can be shared.
  await admin.goto(`/admin/users?text=${account}`)
  await admin.getByRole('button', { name: `Lock ${account}` }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Lock' }).click()
  await expect(admin.getByRole('row').nth(1)).toContainText('Locked')
  await person.reload()
  await expect(new SignInPage(person).account).toBeVisible()
  await new SignInPage(person).signIn(account, PASSWORD)
  await expect(new SignInPage(person).failure).toBeVisible()

  // What is shown is kept under a name, and exported.
  await admin.locator('[data-action=views]').click()
  const views = admin.getByRole('dialog', { name: 'Saved views' })
  const none = views.getByText('No views yet.')
  await expect(none).toBeVisible()
  expect(await none.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await views.getByLabel('Name of the view').fill('Just one')
  await views.getByRole('button', { name: 'Save what is shown' }).click()
  await expect(views.getByRole('link', { name: 'Just one' })).toBeVisible()
  await expectNoBarriers(admin)
  await admin.keyboard.press('Escape')
  await admin.goto('/admin/users')
  await admin.locator('[data-action=views]').click()
  await views.getByRole('link', { name: 'Just one' }).click()
  await expect(admin).toHaveURL((url) => url.searchParams.get('text') === account)
  const [saved] = await Promise.all([
    admin.waitForEvent('download'),
    admin.locator('[data-action=export-xlsx]').click(),
  ])
  expect(saved.suggestedFilename()).toBe('users.xlsx')
  await expect(admin.getByText('1 row was exported.')).toBeVisible()
  await admin.locator('[data-action=views]').click()
  await views.getByRole('button', { name: 'Remove Just one' }).click()
  await expect(views.getByText('No views yet.')).toBeVisible()
  await admin.keyboard.press('Escape')

  // What is selected is unlocked together.
  await admin.getByLabel('Select this page').check()
  await admin.locator('[data-action=unlock-users]').click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Unlock' }).click()
  await expect(admin.getByRole('row').nth(1)).not.toContainText('Locked')

  await admin.setViewportSize({ width: 390, height: 844 })
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Open the menu' }).click()
  await expect(admin.getByRole('dialog').getByRole('link', { name: 'Users' })).toBeVisible()
  await admin.keyboard.press('Escape')
  await admin.setViewportSize({ width: 1400, height: 900 })

  await admin.getByRole('button', { name: `Remove ${account}` }).click()
  const question = admin.getByRole('dialog')
  // Nothing is deleted for good by a single click.
  await question.getByRole('combobox', { name: 'Files' }).selectOption({ label: 'Delete for good' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(question.getByLabel('Type “delete” to delete their files for good')).toBeFocused()
  await question.getByRole('combobox', { name: 'Files' }).selectOption({ label: 'Keep in the storage' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(admin.getByText('Nothing matches these filters.')).toBeVisible()
})

test('two administrators at one user: the second save says what changed meanwhile', async ({ browser, godwit }) => {
  const account = `meanwhile_${process.pid}`
  const first = await enter(browser, godwit, godwit.administrator, '/admin/users')
  await addUser(first, account)
  await first.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
  await first.locator('input[name=phone]').fill('13900000000')
  const second = await first.context().newPage()
  await second.goto(first.url())
  await second.locator('input[name=name]').fill('Mia Lin')
  await second.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByRole('dialog')).toContainText('Mia Lin')

  await first.getByRole('button', { name: 'Save' }).click()
  await expect(first.getByRole('dialog')).toContainText('Somebody else saved meanwhile')
  await expect(first.getByRole('dialog')).toContainText('Now: Mia Lin')
  await first.getByRole('button', { name: 'Continue' }).click()
  await first.getByRole('button', { name: 'Save' }).click()
  await expect(first.getByRole('dialog')).toContainText('13900000000')
  await expect(first.getByRole('dialog')).toContainText('Mia Lin')
})

test('a file of users is checked, put right in the page, and added', async ({ browser, godwit }) => {
  const [good, bad] = [`import_a_${process.pid}`, `import_b_${process.pid}`]
  const admin = await enter(browser, godwit, godwit.administrator, '/admin/users/import')
  const table = `Account,Password,Name\n${good},${PASSWORD},Ada\n${bad},weak,Bea\n`
  await admin
    .getByTestId('import-file')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  await admin.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(admin.getByRole('button', { name: 'Failed 1' })).toBeVisible()
  await expect(admin.getByLabel('Password, line 3')).toHaveAttribute('aria-invalid', 'true')
  await expectNoBarriers(admin)
  await admin.getByLabel('Password, line 3').fill(PASSWORD)
  await admin.getByRole('button', { name: 'Add 2 users' }).click()
  await expect(admin.getByRole('button', { name: 'Added 2' })).toBeVisible()
  await admin.goto(`/admin/users?text=import_b_${process.pid}`)
  await expect(admin.getByRole('link', { name: bad })).toBeVisible()
})
