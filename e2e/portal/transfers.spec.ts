import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectNoBarriers } from './barriers.ts'
import { apiToken, startUpload } from './desktop-client.ts'
import { expect, signIn, withOwnServer } from './fixtures.ts'

const test = withOwnServer()

test('a transfer of the client is seen, paused, resumed and canceled from the page', async ({ page, godwit }) => {
  const folder = await mkdtemp(join(tmpdir(), 'godwit-transfers-'))
  await writeFile(join(folder, 'film.mov'), Buffer.alloc(64 * 2 ** 20, 7))
  const token = await apiToken(godwit)
  await signIn(page, godwit)
  const client = await startUpload(godwit, join(folder, 'film.mov'), { home: folder, token, rate: '1M' })
  await page.getByTestId('transfers').click()
  const list = page.getByTestId('client-transfers')
  await expect(list).toContainText('film.mov')
  await expect(list).toContainText('Upload · Running')
  await expect(list).toContainText(/bit\/s over (UDP|TCP)|B\/s over (UDP|TCP)/)
  await expectNoBarriers(page)
  await list.getByRole('button', { name: 'Pause film.mov' }).click()
  await expect(list).toContainText('Upload · Paused')
  await list.getByRole('button', { name: 'Resume film.mov' }).click()
  await expect(list).toContainText('Upload · Running')

  // How fast it may be is asked in the list of all transfers, and kept with the transfer.
  const pages = page.url()
  await page.goto('/transfers')
  const row = page.getByRole('row').filter({ hasText: 'film.mov' })
  await row.getByRole('button', { name: 'Change speed film.mov' }).click()
  const limit = page.getByRole('dialog', { name: 'Speed of “film.mov”' })
  await limit.getByLabel('Speed limit in Mbps').fill('fast')
  await page.keyboard.press('Enter')
  await expect(limit).toContainText('Enter a number from 0 to 100000')
  await expectNoBarriers(page)
  await limit.getByLabel('Speed limit in Mbps').fill('0.5')
  await limit.getByLabel('Priority').selectOption('high')
  // A time that has passed is refused; a minute from now is too soon for this file at this speed.
  await limit.getByLabel('Arrive by').fill('2020-01-01T08:00')
  await page.keyboard.press('Enter')
  await expect(limit).toContainText('Choose a time in the future')
  await expectNoBarriers(page)
  const soon = await page.evaluate(() => {
    const at = Date.now() + 120_000
    return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  })
  await limit.getByLabel('Arrive by').fill(soon)
  await limit.getByRole('button', { name: 'Save' }).click()
  await expect(limit).toBeHidden()
  await row.getByRole('button', { name: 'Change speed film.mov' }).click()
  await expect(limit.getByLabel('Speed limit in Mbps')).toHaveValue('0.5')
  await expect(limit.getByLabel('Priority')).toHaveValue('high')
  await expect(limit.getByLabel('Arrive by')).toHaveValue(soon)
  await page.keyboard.press('Escape')
  await expect(row).toContainText(/Will be late by \d+ min/, { timeout: 45_000 })
  await expectNoBarriers(page)
  await row.getByRole('button', { name: 'Change speed film.mov' }).click()
  await limit.getByLabel('Arrive by').fill('')
  await limit.getByRole('button', { name: 'Save' }).click()
  await expect(row).not.toContainText('late')

  await page.goto(pages)
  await page.getByTestId('transfers').click()
  await list.getByRole('button', { name: 'Cancel film.mov' }).click()
  await expect(list).toContainText('Upload · Canceled')
  expect((await client.ended).code).toBe(1)
  await rm(folder, { recursive: true })
})
