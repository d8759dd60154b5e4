import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, withOwnServer } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

/** A service of the house, which knows one person. */
const test = withOwnServer().extend<object, { readonly service: string }>({
  service: [
    async ({}, use) => {
      const server: Server = createServer((request, response) => {
        void json(request).then((asked) => {
          const { account, password } = asked as { readonly account: string; readonly password: string }
          const ok = account === 'mei' && password === 'secret of mei'
          response.end(JSON.stringify({ ok, account, name: 'Mei of the Lab', email: 'mei@example.org' }))
        })
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/check`)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    { scope: 'worker' },
  ],
})

test('an external service is tested and saved, its people sign in, and mail and system accounts have their forms', async ({
  browser,
  godwit,
  service,
}) => {
  const { account, password } = godwit.administrator
  const admin = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await admin.goto('/admin/authentication')
  await new SignInPage(admin).signIn(account, password)
  await admin.getByRole('button', { name: 'Add other' }).first().click()
  await admin.getByRole('menuitem', { name: 'Add external service' }).click()
  await admin.locator('input[name=title]').fill('Portal of the house')
  await admin.locator('input[name=url]').fill(service)
  await admin.locator('input[name=secret]').fill('Secret-of-the-service-7')
  await admin.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(admin.locator('input[name=url]')).toHaveAttribute('aria-invalid', 'true')
  await admin.getByText('In our own network', { exact: true }).click()
  await admin.getByRole('tab', { name: 'Test account' }).click()
  await admin.locator('input[name=testAccount]').fill('mei')
  await admin.locator('input[name=testPassword]').fill('secret of mei')
  await admin.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(admin.getByText('Refuse a made-up account')).toBeVisible()
  await expect(admin.getByText('mei@example.org')).toBeVisible()
  await expectNoBarriers(admin)
  await admin.getByRole('button', { name: 'Add external service' }).click()
  await expect(admin.getByRole('link', { name: 'Portal of the house' })).toBeVisible()
  await expectNoBarriers(admin)

  const mei = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await mei.goto('/profile/info')
  await new SignInPage(mei).signIn('mei', 'secret of mei')
  await expect(mei.locator('input[name=email]')).toHaveValue('mei@example.org')

  await admin.goto('/admin/authentication/new-email')
  await expect(admin.locator('input[name=port]')).toHaveValue('587')
  await expectNoBarriers(admin)
  await admin.setViewportSize({ width: 390, height: 844 })
  await admin.goto('/admin/authentication/new-unix')
  await admin.locator('input[name=title]').fill('This machine')
  await admin.locator('input[name=service]').fill('godwit-absent')
  await admin.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(admin.getByText('There is no PAM service file of this name on the server.').first()).toBeVisible()
  await expectNoBarriers(admin)
})
