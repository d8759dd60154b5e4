import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectLegible, expectNoBarriers } from './barriers.ts'
import { expect, signIn, withOwnServer } from './fixtures.ts'
import { FilesPage } from './pages/files.page.ts'

const test = withOwnServer()
const MiB = 2 ** 20

/** The parts from 16 MiB on are not answered before it is called, so an upload stands where the test wants it. */
async function holdParts(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route('**/parts/*', async (route) => {
    if (Number(new URL(route.request().url()).pathname.split('/').at(-1)) >= 16 * MiB) await held.promise
    await route.continue().catch(() => undefined)
  })
  return held.resolve
}

// One piece: the second tab follows one account through the life of its uploads.
test('another tab lists uploads, pauses, resumes and cancels them, and goes on with one whose page was closed', async ({
  page,
  context,
  godwit,
  computer,
}) => {
  const file = async (name: string, bytes: number): Promise<string> => {
    const path = join(computer, name)
    await writeFile(path, Buffer.alloc(bytes, name))
    return path
  }
  await signIn(page, godwit)
  const files = new FilesPage(page)
  await files.goto('/')
  const letGo = await holdParts(page)
  const other = await context.newPage()
  await other.setViewportSize({ width: 1400, height: 900 })
  await other.goto(`${godwit.url}/personal`)
  await other.getByRole('link', { name: 'Transfer list' }).click()
  await expect(other.getByText('No transfers yet')).toBeVisible()
  const list = other.getByTestId('transfer-list')
  const row = (name: string) => list.getByRole('row').filter({ hasText: name })
  const press = (what: string, name: string) => list.getByRole('button', { name: `${what} ${name}` }).click()
  const mine = (state: string) => expect(files.uploads.rows.first()).toHaveAttribute('data-state', state)

  await files.choose([await file('film.bin', 40 * MiB)])
  await expect(row('film.bin')).toContainText('Running')
  await expect(row('film.bin')).toContainText('to My files')
  await expect(row('film.bin')).toContainText('Chrome, Linux')
  await press('Pause', 'film.bin')
  await mine('paused')
  await expect(row('film.bin')).toContainText('Paused')
  await expectNoBarriers(other)
  // The narrowest window that still has columns.
  await other.setViewportSize({ width: 1024, height: 900 })
  await expectLegible(other)
  await other.setViewportSize({ width: 1400, height: 900 })
  await press('Resume', 'film.bin')
  await mine('active')
  // And the other way round.
  await files.uploads.button('Pause film.bin').click()
  await expect(row('film.bin')).toContainText('Paused')
  await files.uploads.button('Resume film.bin').click()
  await expect(row('film.bin')).toContainText('Running')
  await press('Cancel', 'film.bin')
  await expect(row('film.bin')).toContainText('Canceled')
  await expect(files.uploads.rows).toHaveCount(0)

  // Taken over while the other page still sends: the one that lost it says so and lets go.
  const moving = await file('moved.bin', 24 * MiB)
  await files.choose([moving])
  await expect(row('moved.bin')).toContainText('16.0 MB of')
  const [taking] = await Promise.all([other.waitForEvent('filechooser'), press('Continue here', 'moved.bin')])
  await taking.setFiles([moving])
  await expect(page.getByRole('status').filter({ hasText: '“moved.bin” goes on in another tab' })).toBeVisible()
  await expect(files.uploads.rows).toHaveCount(0)
  await expect(row('moved.bin')).toContainText('Completed')

  // A page that is closed leaves its upload; the same file goes on with it here, in the same line.
  const path = await file('long.bin', 24 * MiB)
  await files.choose([path])
  await expect(row('long.bin')).toContainText('16.0 MB of')
  await page.close({ runBeforeUnload: false })
  letGo()
  await expect(row('long.bin')).toContainText('Interrupted')
  const choose = async (chosen: string) => {
    const [chooser] = await Promise.all([other.waitForEvent('filechooser'), press('Continue here', 'long.bin')])
    await chooser.setFiles([chosen])
  }
  await choose(await file('other.bin', 10))
  await expect(other.getByRole('alert')).toContainText('These are not the files of “long.bin”.')
  let sent = 0
  other.on('request', (request) => {
    if (request.url().includes('/parts/'))
      sent += Number(new URL(request.url()).pathname.split('/').at(-1)) >= 16 * MiB ? 1 : 100
  })
  await choose(path)
  await expect(row('long.bin')).toContainText('Completed')
  expect(sent).toBeLessThan(100)

  // Narrowed, sorted and cleared, on a phone as well.
  await list.getByLabel('State').selectOption({ label: 'Failed' })
  await expect(row('long.bin')).toHaveCount(0)
  await expect(row('film.bin')).toBeVisible()
  await list.getByRole('button', { name: 'Clear filters' }).click()
  await list.getByRole('button', { name: 'Name' }).click()
  await expect(list.getByRole('row').nth(1)).toContainText('film.bin')
  await other.setViewportSize({ width: 390, height: 800 })
  await expectNoBarriers(other)
  await other.getByRole('button', { name: 'Clear finished' }).click()
  await expect(other.getByText('No transfers yet')).toBeVisible()
})
