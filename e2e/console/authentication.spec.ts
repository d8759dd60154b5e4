import { launchGodwit, launchSlapd, type Slapd } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, test as base } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
const PEOPLE = 'ou=people,dc=example,dc=org'

const person = (uid: string) => `dn: uid=${uid},${PEOPLE}
objectClass: inetOrgPerson
uid: ${uid}
cn: ${uid} of the Lab
sn: Lab
mail: ${uid}@example.org
departmentNumber: Research
userPassword: secret of ${uid}

`

const test = base.extend<object, { readonly slapd: Slapd }>({
  godwit: [
    async ({}, use) => {
      const godwit = await launchGodwit({ env: { GODWIT_OUTBOUND_ALLOW: '127.0.0.1,::1' } })
      await use(godwit)
      await godwit.stop()
    },
    { scope: 'worker' },
  ],
  slapd: [
    async ({}, use) => {
      const people = ['mei', 'admin', 'li.wei'].map(person).join('')
      const slapd = await launchSlapd(`dn: ${PEOPLE}\nobjectClass: organizationalUnit\nou: people\n\n${people}`)
      await use(slapd)
      await slapd.stop()
    },
    { scope: 'worker' },
  ],
})

/** Describes the directory by its address, which its certificate does not have. */
async function describeDirectory(page: Page, slapd: Slapd): Promise<void> {
  await page.locator('input[name=title]').fill('Company')
  await page.locator('input[name=host]').fill('127.0.0.1')
  await page.locator('input[name=port]').fill(String(slapd.port))
  await page.locator('textarea[name=ca]').fill(slapd.ca)
  await page.getByRole('tab', { name: 'People' }).click()
  await page.locator('input[name=base]').fill('dc=example,dc=org')
  await page.locator('input[name=bindUser]').fill(slapd.administrator)
  await page.locator('input[name=secret]').fill(slapd.password)
  await page.getByRole('tab', { name: 'Test account' }).click()
  await page.locator('input[name=testAccount]').fill('mei')
  await page.locator('input[name=testPassword]').fill('secret of mei')
}

// One walk, because each step stands on what the one before it did.
test('a directory is tested, saved, previewed and applied; its people sign in and their accounts say where they come from', async ({
  browser,
  godwit,
  slapd,
}) => {
  const { account, password } = godwit.administrator
  const admin = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await admin.goto('/admin/authentication')
  await new SignInPage(admin).signIn(account, password)
  await expect(admin.getByText('Passwords are checked by this server alone')).toBeVisible()
  await expectNoBarriers(admin)

  await admin.getByRole('button', { name: 'Add directory' }).first().click()
  await describeDirectory(admin, slapd)
  await admin.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(admin.locator('input[name=host]')).toHaveAttribute('aria-invalid', 'true')
  await expect(
    admin.getByText('The certificate of the domain server cannot be trusted.', { exact: false }),
  ).toBeVisible()
  await expect(admin.getByText('The test failed at this step')).toBeVisible()
  await expectNoBarriers(admin)
  await admin.locator('input[name=host]').fill('localhost')
  await admin.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(admin.getByText('Everything works')).toBeVisible()
  await expect(admin.getByText('mei@example.org')).toBeVisible()
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Add directory' }).click()

  await expect(admin.getByRole('link', { name: 'Company' })).toBeVisible()
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Preview synchronization Company' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Preview of Company' })).toBeVisible()
  await expect(admin.getByText('Would add 2, change 0, lock 0, unlock 0 and skip 1.', { exact: false })).toBeVisible()
  await expect(admin.getByRole('row').filter({ hasText: 'li_wei' })).toContainText('Add')
  await expect(admin.getByRole('row').filter({ hasText: 'admin' })).toContainText('Another account has this name.')
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Apply these changes' }).click()
  await expect(admin.getByText('Added 2, changed 0, locked 0, unlocked 0, skipped 1.')).toBeVisible()

  const mei = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await mei.goto('/profile/info')
  await new SignInPage(mei).signIn('mei', 'secret of mei')
  await expect(mei.locator('input[name=email]')).toHaveValue('mei@example.org')
  await expect(mei.getByText('Kept by your organization and changed there.')).toBeVisible()
  await expect(mei.getByRole('link', { name: 'Change password' })).toHaveCount(0)

  await admin.goto('/admin/users')
  await admin.getByRole('link', { name: 'mei', exact: true }).click()
  await expect(admin.getByRole('dialog')).toContainText('Company')
  await admin.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
  await expect(admin.getByText('Comes from elsewhere and is changed there.').first()).toBeVisible()
  await expect(admin.locator('input[name=password]')).toHaveCount(0)

  await admin.goto('/admin/authentication')
  await admin.getByRole('button', { name: 'Identity management' }).click()
  await admin.getByRole('button', { name: 'Make a token' }).click()
  const token = await admin.getByTestId('secret').inputValue()
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Done' }).click()
  await admin.locator('label').filter({ hasText: 'When it is off, the address does not exist.' }).click()
  await admin.getByRole('button', { name: 'Save' }).click()
  await expect(admin.getByText('The connection was saved.')).toBeVisible()
  const headers = { authorization: `Bearer ${token}` }
  const answer = await admin.request.get('/scim/v2/Users?filter=userName eq "mei"', { headers })
  expect(await answer.json()).toMatchObject({ totalResults: 1, Resources: [{ userName: 'mei' }] })
  const added = await admin.request.post('/scim/v2/Users', {
    headers: { ...headers, 'content-type': 'application/scim+json' },
    data: { schemas: [USER, ENTERPRISE], userName: 'ann_from_scim', [ENTERPRISE]: { department: 'Harbor' } },
  })
  expect(added.status()).toBe(201)
  await admin.reload()
  await expect(admin.getByText('Never', { exact: true })).toHaveCount(0)
  await expect(admin.getByRole('button', { name: 'Replace the token' })).toBeVisible()
  await expectNoBarriers(admin)

  await admin.goto('/admin/departments')
  await expect(admin.getByRole('row').filter({ hasText: 'Research' })).toContainText('Authentication')
  await expect(admin.getByRole('row').filter({ hasText: 'Harbor' })).toContainText('Identity management')

  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/admin/authentication/syncs')
  await expect(admin.getByRole('link', { name: 'Company' })).toHaveCount(2)
  await expectNoBarriers(admin)
})
