import { launchGodwit, launchMariadb, freePort } from '@godwit/testkit'
import { expectNoBarriers } from '../portal/barriers.ts'
import { expect, test } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

const STARTED = 60_000

test('an administrator tests a database server, copies the database there, and switches to it', async ({ browser }) => {
  const mariadb = await launchMariadb()
  const godwit = await launchGodwit({ port: await freePort(), env: { GODWIT_OUTBOUND_ALLOW: '127.0.0.1' } })
  try {
    const { port } = new URL(await mariadb.database('godwit'))
    const page = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
    await page.setViewportSize({ width: 1400, height: 900 })
    await page.goto('/admin/database')
    const { account, password } = godwit.administrator
    await new SignInPage(page).signIn(account, password)
    await expect(page.getByText(/^SQLite \d/)).toBeVisible()
    await expectNoBarriers(page)

    await page.getByLabel('Address').fill('127.0.0.1')
    await page.getByLabel('Port').fill(port)
    await page.getByRole('textbox', { name: 'Database' }).fill('none')
    await page.getByRole('textbox', { name: 'Account' }).fill('root')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(page.getByText('There is no database of this name')).toBeVisible()
    await page.getByRole('textbox', { name: 'Database' }).fill('godwit')
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(page.getByText(/^MariaDB .* answers/)).toBeVisible()

    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByText('the server may have been written to since')).toBeVisible({ timeout: STARTED })
    await expect(page.getByRole('button', { name: 'Switch', exact: true })).toBeDisabled()
    await page.goto('/admin/server')
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByTestId('paused')).toBeVisible()

    await page.goto('/admin/database')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(page.getByText('Every table is equal. You can switch now.')).toBeVisible({ timeout: STARTED })
    for (const width of [390, 1400]) {
      await page.setViewportSize({ width, height: 900 })
      await expectNoBarriers(page)
    }
    await page.getByRole('button', { name: 'Switch', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Switch to the copy?' })
    await expectNoBarriers(page)
    await question.getByRole('button', { name: 'Switch' }).click()
    await expect(page.getByText(/^MariaDB \d/)).toBeVisible({ timeout: STARTED })
  } finally {
    await godwit.stop()
    await mariadb.stop()
  }
})
