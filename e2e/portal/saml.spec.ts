import { freePort, launchGodwit, launchSaml, type Saml } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { expectNoBarriers, openView } from './barriers.ts'
import { expect, signIn, test as base } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'

/** A server whose address the provider knows, and the provider. */
const test = base.extend<object, { readonly saml: Saml }>({
  godwit: [
    async ({}, use) => {
      const port = await freePort()
      const env = { GODWIT_OUTBOUND_ALLOW: '127.0.0.1,::1', GODWIT_PUBLIC_URL: `http://127.0.0.1:${port}` }
      const godwit = await launchGodwit({ port, env })
      await use(godwit)
      await godwit.stop()
    },
    { scope: 'worker' },
  ],
  saml: [
    async ({}, use) => {
      const saml = await launchSaml({ people: { 'li.wei': { displayName: 'Li Wei', mail: 'li.wei@example.org' } } })
      await use(saml)
      await saml.stop()
    },
    { scope: 'worker' },
  ],
})

/** In the console: registered at the provider, tested with metadata that is none, mended, saved. */
async function addProvider(page: Page, saml: Saml): Promise<void> {
  await page.goto('/admin/authentication')
  await page.getByRole('button', { name: 'Add other' }).first().click()
  await page.getByRole('menuitem', { name: 'Add SAML provider' }).click()
  const address = await page.getByText(/\/saml\/metadata$/).textContent()
  await saml.trust(await (await page.request.get(address ?? '')).text())
  const field = (name: string) => page.locator(`input[name=${name}]`)
  const metadata = page.getByRole('textbox', { name: 'Metadata', exact: true })
  await field('title').fill('Lab')
  await metadata.fill('<html></html>')
  await field('nameEN').fill('the Lab')
  await field('nameZH').fill('实验室')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(metadata).toHaveAttribute('aria-invalid', 'true')
  await expectNoBarriers(page)
  await metadata.fill(await saml.metadata())
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('Everything works')).toBeVisible()
  await page.getByRole('tab', { name: 'Attributes' }).click()
  await expect(field('groupsAttribute')).toBeVisible()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Add SAML provider' }).click()
  await page.getByRole('link', { name: 'Lab' }).click()
  await expect(metadata).toHaveValue(/IDPSSODescriptor/)
}

// One walk, because each step stands on what the one before it did.
test('people sign in by SAML, come to the page that they asked for, and sign out of both', async ({
  browser,
  godwit,
  saml,
}) => {
  const admin = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await signIn(admin, godwit)
  await addProvider(admin, saml)

  const view = { locale: 'en-US', theme: 'light', width: 1400 } as const
  const page = await (await openView(browser, view, godwit.url, { ignoreHTTPSErrors: true })).newPage()
  await page.goto('/profile/security')
  await page.getByRole('button', { name: 'Sign in with the Lab' }).click()
  await page.locator('input[name=login]').fill('li.wei')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`${godwit.url}/profile/security`)
  await expect(new ShellPage(page).account).toContainText('Li Wei')
  await new ShellPage(page).account.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/\/signin/)

  // Somebody who signs out at the provider is signed out here as well.
  await page.getByRole('button', { name: 'Sign in with the Lab' }).click()
  await page.locator('input[name=login]').fill('li.wei')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(new ShellPage(page).account).toContainText('Li Wei')
  await page.goto(await saml.signOut('li.wei'))
  await expect(page.getByText('You are signed out everywhere')).toBeVisible()
  await page.goto('/profile/security')
  await expect(page.getByRole('button', { name: 'Sign in with the Lab' })).toBeVisible()
})
