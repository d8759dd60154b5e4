import { freePort, launchGodwit, launchOidc, type Oidc } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { expectNoBarriers, openView } from './barriers.ts'
import { expect, signIn, test as base } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'

const SECRET = 'secret of the client'

/** A server whose address the provider knows, and the provider. */
const test = base.extend<object, { readonly oidc: Oidc }>({
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
  oidc: [
    async ({ godwit }, use) => {
      const oidc = await launchOidc({
        clients: [
          {
            ...{ client_id: 'godwit', client_secret: SECRET, redirect_uris: [`${godwit.url}/signin/callback`] },
            post_logout_redirect_uris: [`${godwit.url}/signin`],
          },
        ],
        people: { s1: { preferred_username: 'li.wei', name: 'Li Wei' }, s2: { preferred_username: 'admin' } },
      })
      await use(oidc)
      await oidc.stop()
    },
    { scope: 'worker' },
  ],
})

/** In the console: tested with a wrong secret, mended, saved. */
async function addProvider(page: Page, oidc: Oidc): Promise<void> {
  await page.goto('/admin/authentication')
  await page.getByRole('button', { name: 'Add other' }).first().click()
  await page.getByRole('menuitem', { name: 'Add OpenID provider' }).click()
  await expect(page.getByText('/signin/callback')).toBeVisible()
  const field = (name: string) => page.locator(`input[name=${name}]`)
  await field('title').fill('Lab')
  await field('issuer').fill(oidc.issuer)
  await field('clientId').fill('godwit')
  await field('secret').fill('wrong')
  await page.locator('textarea[name=ca]').fill(oidc.ca)
  await field('nameEN').fill('the Lab')
  await field('nameZH').fill('实验室')
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(field('secret')).toHaveAttribute('aria-invalid', 'true')
  await expectNoBarriers(page)
  await field('secret').fill(SECRET)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(page.getByText('Everything works')).toBeVisible()
  await page.getByRole('tab', { name: 'Claims' }).click()
  await field('groupsClaim').fill('')
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Add OpenID provider' }).click()
  await page.getByRole('link', { name: 'Lab' }).click()
  await expect(field('issuer')).toHaveValue(oidc.issuer)
  await page.setViewportSize({ width: 390, height: 844 })
}

async function atProvider(page: Page, subject: string): Promise<void> {
  await page.locator('input[name=login]').fill(subject)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
}

// One walk, because each step stands on what the one before it did.
test('people sign in at an identity provider, come to the page that they asked for, and sign out of both', async ({
  browser,
  godwit,
  oidc,
}) => {
  const admin = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await signIn(admin, godwit)
  await addProvider(admin, oidc)

  const view = { locale: 'en-US', theme: 'light', width: 1400 } as const
  const context = await openView(browser, view, godwit.url, { ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await page.goto('/profile/security')
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Sign in with the Lab' }).click()
  await atProvider(page, 's1')
  await expect(page).toHaveURL(`${godwit.url}/profile/security`)
  await expect(new ShellPage(page).account).toContainText('Li Wei')
  await new ShellPage(page).account.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  // The provider asks whether its own session shall end.
  await page.getByRole('button', { name: /yes/i }).click()
  await expect(page).toHaveURL(/\/signin/)

  // The account of another kind that has the name is not theirs; the reason is told once and the way back is there.
  await page.getByRole('button', { name: 'Sign in with the Lab' }).click()
  await atProvider(page, 's2')
  await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectNoBarriers(page)
  await page.reload()
  await expect(page.getByRole('alert')).toBeVisible()

  const phone = { locale: 'zh-CN', theme: 'dark', width: 390 } as const
  const other = await (await openView(browser, phone, godwit.url)).newPage()
  await other.goto('/signin')
  await expect(other.getByRole('button', { name: '实验室' })).toBeVisible()
  await expectNoBarriers(other)
})
