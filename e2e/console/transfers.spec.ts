import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectNoBarriers } from '../portal/barriers.ts'
import { startLogin, startUpload } from '../portal/desktop-client.ts'
import { expect, withOwnServer } from '../portal/fixtures.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

// Clients may transfer on the whole site.
const test = withOwnServer()

// One walk, because each step stands on what the one before it did.
test('a client signs in by a code; its transfer is limited, paused, resumed and ended in the console; its device is signed out', async ({
  browser,
  godwit,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-console-transfers-'))
  await writeFile(join(folder, 'film.mov'), Buffer.alloc(64 * 2 ** 20, 7))
  const admin = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  const { account, password } = godwit.administrator

  // The client signs in by a code that a person confirms with the password.
  const login = await startLogin(godwit, folder)
  await admin.goto(login.address)
  await new SignInPage(admin).signIn(account, password)
  const question = admin.getByRole('dialog', { name: 'A device wants to sign in' })
  await expect(question).toContainText(hostname())
  await expectNoBarriers(admin)
  await question.locator('input[name=password]').fill('not the password')
  await question.getByRole('button', { name: 'Allow' }).click()
  await expect(question.getByRole('alert')).toContainText('The current password is wrong')
  await question.locator('input[name=password]').fill(password)
  await question.getByRole('button', { name: 'Allow' }).click()
  await expect(question).toBeHidden()
  expect((await login.ended).code).toBe(0)
  await admin.goto(login.address)
  await expect(question).toContainText('No device waits with this code')

  await admin.goto('/admin/transfers')
  await expect(admin.getByRole('heading', { name: 'Nothing is being transferred' })).toBeVisible()
  await expectNoBarriers(admin)
  // The log lies below it in the address, and beside it in the menu.
  const menu = admin.getByRole('navigation').first()
  await menu.getByRole('link', { name: 'Transfer log' }).click()
  await expect(menu.locator('[aria-current=page]')).toHaveText(['Transfer log'])
  await menu.getByRole('link', { name: 'Running transfers' }).click()
  await expect(menu.locator('[aria-current=page]')).toHaveText(['Running transfers'])

  const client = await startUpload(godwit, join(folder, 'film.mov'), { home: folder, rate: '1M' })
  const row = admin.getByRole('row').filter({ hasText: 'film.mov' })
  await expect(row).toContainText('Running')
  await expect(row).toContainText(account)
  await expect(row).toContainText(/UDP|TCP/)
  await expectNoBarriers(admin)

  // The drawer says who, from where and how fast; a limit that is no number is refused at its field.
  await row.getByRole('link', { name: 'film.mov' }).click()
  const drawer = admin.getByRole('dialog')
  await expect(drawer).toContainText('127.0.0.1')
  await expect(drawer).toContainText('No limit')
  await expectNoBarriers(admin)
  await drawer.getByRole('button', { name: 'Speed' }).click()
  const limit = admin.getByRole('dialog', { name: 'Speed of “film.mov”' })
  await limit.getByLabel('Speed limit in Mbps').fill('fast')
  await admin.keyboard.press('Enter')
  await expect(limit).toContainText('Enter a number from 0 to 100000')
  await limit.getByLabel('Speed limit in Mbps').fill('0.5')
  await limit.getByLabel('Priority').selectOption('low')
  await limit.getByRole('button', { name: 'Save' }).click()
  await expect(limit).toBeHidden()
  await expect(drawer).toContainText('0.5 Mbps')
  await expect(drawer).toContainText('Low: gives way to others')
  await admin.keyboard.press('Escape')

  // The device says what it transfers, and leads there.
  await admin.getByRole('link', { name: 'Client devices' }).click()
  const device = admin.getByRole('row').filter({ hasText: hostname() })
  await expect(device).toContainText(/film\.mov[\d.]+ [KM]?B\/s/)
  await expectNoBarriers(admin)
  await device.getByRole('link', { name: 'film.mov' }).click()
  await expect(drawer).toContainText('0.5 Mbps')
  await admin.keyboard.press('Escape')

  const act = (name: string) => row.getByRole('button', { name: `${name} film.mov` }).click()
  await act('Pause')
  await expect(row).toContainText('Paused')
  await act('Resume')
  await expect(row).toContainText('Running')
  await act('End')
  await admin.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await expect(row).toBeHidden()
  expect((await client.ended).code).toBe(1)

  await admin.getByRole('link', { name: 'Transfer log' }).click()
  await expect(row).toContainText('Canceled')
  await expectNoBarriers(admin)
  await admin.getByRole('link', { name: 'film.mov' }).click()
  await expect(admin.getByRole('dialog')).toContainText('Sent over the network')
  await admin.keyboard.press('Escape')

  // The device is listed, and its sign-out revokes the token.
  await admin.getByRole('link', { name: 'Client devices' }).click()
  await expect(device).toContainText(account)
  await expectNoBarriers(admin)
  await device.getByRole('button', { name: /^Sign out/ }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(admin.getByRole('heading', { name: 'No device is signed in' })).toBeVisible()
  await expect(startUpload(godwit, join(folder, 'film.mov'), { home: folder, rate: '1M' })).rejects.toThrow()
  await rm(folder, { recursive: true })
})
