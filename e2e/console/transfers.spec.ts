import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectNoBarriers } from '../portal/barriers.ts'
import { apiToken, startUpload } from '../portal/desktop-client.ts'
import { expect, withOwnServer } from '../portal/fixtures.ts'
import { operator } from '../portal/operator.ts'
import { SignInPage } from '../portal/pages/sign-in.page.ts'

// Clients may transfer on the whole site.
const test = withOwnServer()

// One walk, because each step stands on what the one before it did.
test('an administrator sees a transfer run, limits, pauses, resumes and ends it, and finds it in the log', async ({
  browser,
  godwit,
}) => {
  await operator(godwit, 'settings', 'set', 'transferType', '0')
  const folder = await mkdtemp(join(tmpdir(), 'godwit-console-transfers-'))
  await writeFile(join(folder, 'film.mov'), Buffer.alloc(64 * 2 ** 20, 7))
  const admin = await (await browser.newContext({ baseURL: godwit.url, locale: 'en-US' })).newPage()
  await admin.goto('/admin/transfers')
  const { account, password } = godwit.administrator
  await new SignInPage(admin).signIn(account, password)
  await expect(admin.getByRole('heading', { name: 'Nothing is being transferred' })).toBeVisible()
  await expectNoBarriers(admin)

  const token = await apiToken(godwit)
  const client = await startUpload(godwit, join(folder, 'film.mov'), { home: folder, token, rate: '1M' })
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
  await drawer.getByRole('button', { name: 'Limit' }).click()
  const limit = admin.getByRole('dialog', { name: 'Limit “film.mov”' })
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
  await rm(folder, { recursive: true })
})
