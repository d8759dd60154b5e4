import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, launchGodwit } from '@godwit/testkit'
import { expect, signIn, test } from './fixtures.ts'
import { bytesRead, makeFile, MiB, sha256, uplinkOf } from './large-files.ts'
import { FilesPage } from './pages/files.page.ts'
import { SignInPage } from './pages/sign-in.page.ts'

test('an upload goes on by itself after the server was killed, and ends with the same bytes', async ({
  page,
  computer,
}) => {
  const port = await freePort()
  const first = await launchGodwit({ port })
  await signIn(page, first)
  const files = new FilesPage(page)
  const path = await makeFile(join(computer, 'long.bin'), 96 * MiB)
  await (
    await uplinkOf(page)
  )(24 * MiB)
  await files.choose([path])
  await expect.poll(() => page.title()).toMatch(/^([3-9]\d)%/)
  await first.end('SIGKILL')
  await expect(files.uploads.rows.first()).toHaveAttribute('data-state', 'offline')
  const second = await launchGodwit({ port, data: first.data })
  try {
    await files.uploads.toSettle(['completed'])
    await files.row('long.bin').getByRole('gridcell').nth(2).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      files.toolbar.locator('[data-action=download]').click(),
    ])
    expect(await sha256(await download.path())).toBe(await sha256(path))
  } finally {
    await second.stop()
    await first.stop()
  }
})

test('a session that ended elsewhere in the middle of small files asks for a sign-in, and then they arrive', async ({
  files,
  computer,
  page,
  godwit,
}) => {
  const names = Array.from({ length: 30 }, (_, at) => `${at}.txt`)
  await mkdir(join(computer, 'set'))
  for (const name of names) await writeFile(join(computer, 'set', name), name)
  await page.route(
    '**/api/uploads/pack*',
    async (route) => {
      await page.evaluate(async () => {
        const { token } = JSON.parse(localStorage.getItem('godwit.session') ?? '{}') as { token?: string }
        await fetch('/api/user/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } })
      })
      await route.continue()
    },
    { times: 1 },
  )
  await files.drop([join(computer, 'set')])
  await page.waitForURL(/signin/)
  await new SignInPage(page).signIn(godwit.administrator.account, godwit.administrator.password)
  await files.uploads.toSettle(['completed'])
  await expect(files.uploads.summary).toHaveText('30 files uploaded')
  const arrived = join(godwit.data, 'files/users/admin', files.folder, 'set')
  for (const name of names) expect(await readFile(join(arrived, name), 'utf8')).toBe(name)
})

test('after the tab was closed, the same file dropped again goes on where it stood', async ({
  files,
  computer,
  page,
  context,
  godwit,
}) => {
  const path = await makeFile(join(computer, 'ghost.bin'), 64 * MiB)
  // The last parts are never answered, so the upload stands where the test wants it however quick the machine is.
  await page.route('**/parts/*', async (route) => {
    if (Number(new URL(route.request().url()).pathname.split('/').at(-1)) < 40 * MiB) await route.continue()
  })
  await files.choose([path])
  await expect.poll(() => page.title()).toMatch(/^[67]\d%/)
  await page.close({ runBeforeUnload: false })
  const again = await context.newPage()
  const reopened = new FilesPage(again)
  await again.goto(`${godwit.url}/personal?path=${files.folder}`)
  const ghost = reopened.uploads.ghosts.filter({ hasText: 'ghost.bin' })
  await expect(ghost).toBeVisible()
  await reopened.uploads.button('Discard ghost.bin').click()
  await again.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(ghost).toHaveCount(0)
  await again.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(ghost).toBeVisible()
  const before = await bytesRead(godwit)
  await reopened.drop([path])
  await expect(reopened.uploads.rows).toHaveCount(1)
  await expect(ghost).toHaveCount(0)
  await reopened.uploads.toSettle(['completed'])
  const sent = (await bytesRead(godwit)) - before
  expect(sent).toBeGreaterThan(10 * MiB)
  expect(sent).toBeLessThan(40 * MiB)
})
