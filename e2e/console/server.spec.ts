import { expectNoBarriers, expectSound } from '../portal/barriers.ts'
import { expect, withOwnServer } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

// A pause is everybody's.
const test = withOwnServer()

test('an administrator pauses the server, which people read on every page, and resumes it', async ({
  browser,
  godwit,
}) => {
  const { url, administrator } = godwit
  const admin = await (await browser.newContext({ baseURL: url, locale: 'en-US' })).newPage()
  await admin.goto('/admin/server')
  await new SignInPage(admin).signIn(administrator.account, administrator.password)
  await expect(admin.getByText('The server takes sign-ins and transfers.')).toBeVisible()
  await expectSound(admin)

  await test.step('what the host decides is shown under its variable', async () => {
    const config = admin.getByRole('region', { name: 'Configuration of the host' })
    await expect(config.getByText('GODWIT_DATA', { exact: true })).toBeVisible()
    await expect(config.getByText('GODWIT_REDIS_URL', { exact: true })).toHaveCount(0)
    await config.getByRole('button', { name: 'Show all keys' }).click()
    await expect(config.getByText('GODWIT_REDIS_URL', { exact: true })).toBeVisible()
    await expectNoBarriers(admin)
  })

  await admin.getByRole('button', { name: 'Pause' }).click()
  const question = admin.getByRole('dialog', { name: 'Pause the server?' })
  await expect(question).toContainText('No transfer is running.')
  await expectNoBarriers(admin)
  await question.getByRole('button', { name: 'Pause' }).click()
  await expect(admin.getByTestId('paused')).toContainText('paused for maintenance')
  await expect(admin.getByText(/^Paused since \d{4}/)).toBeVisible()
  await expectSound(admin)

  await test.step('people read why they cannot sign in, and the portal says that it is paused', async () => {
    const visitor = await (await browser.newContext({ baseURL: url, locale: 'zh-CN' })).newPage()
    await visitor.goto('/signin')
    await expect(visitor.getByRole('status').filter({ hasText: '服务器已暂停' })).toBeVisible()
    await expectSound(visitor)
    await admin.goto('/personal')
    await expect(admin.getByTestId('paused')).toBeVisible()
    await expectSound(admin)
  })

  await admin.goto('/admin/server')
  await admin.getByRole('button', { name: 'Resume' }).click()
  await expect(admin.getByTestId('paused')).toHaveCount(0)

  await test.step('a shutdown says what it means, wants the name of the host, and can be called off', async () => {
    await admin.getByRole('button', { name: 'Shut down' }).click()
    const dialog = admin.getByRole('dialog', { name: 'Shut the server down?' })
    await expect(dialog).toContainText('No transfer is running.')
    await dialog.getByLabel(/^Type .* to confirm/).fill('another-host')
    await dialog.getByRole('button', { name: 'Shut down' }).click()
    await expect(dialog).toContainText(`That is not ${new URL(url).hostname}.`)
    await expectNoBarriers(admin)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
  })
})
