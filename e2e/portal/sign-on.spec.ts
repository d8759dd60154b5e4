import { freePort, launchGodwit, launchOidc, type Oidc } from '@godwit/testkit'
import type { Page } from '@playwright/test'
import { expectNoBarriers, openView } from './barriers.ts'
import { expect, signIn, test as base } from './fixtures.ts'
import { ShellPage } from './pages/shell.page.ts'

const SECRET = 'secret of the client'
const CLAIMS = { account: 'preferred_username', name: 'name', email: 'email', phone: '', department: '', groups: '' }

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

/** With the session of the administrator's page. */
async function addProvider(page: Page, oidc: Oidc): Promise<void> {
  const settings = { issuer: oidc.issuer, ca: oidc.ca, clientId: 'godwit', permission: 6, claims: CLAIMS }
  const source = { kind: 'oidc', settings: { ...settings, nameEN: 'the Lab', nameZH: '实验室' } }
  const status = await page.evaluate(
    async (body) => {
      const session = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token?: string }
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${session.token}` }
      const path = '/api/admin/authentication/providers'
      return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).status
    },
    { name: 'Lab', secret: SECRET, source },
  )
  expect(status).toBe(200)
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
