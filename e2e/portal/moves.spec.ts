import type { Page, Route } from '@playwright/test'
import { expect, operate, test } from './fixtures.ts'
import type { FilesPage } from './pages/files.page.ts'

/** Keeps back the questions whether names are taken. @returns the ones kept so far, and what lets them go */
async function holdLooks(page: Page): Promise<{ readonly held: Route[]; readonly release: () => Promise<void> }> {
  // Operations go by HTTP without the socket.
  await page.routeWebSocket('**/ws/files', (socket) => socket.close())
  await page.reload()
  const held: Route[] = []
  let isHeld = true
  await page.route('**/api/files/exists', (route) => (isHeld ? void held.push(route) : route.continue()))
  return {
    held,
    async release() {
      isHeld = false
      for (const route of held) await route.continue()
    },
  }
}

async function dropInto(files: FilesPage, folder: string, name: string): Promise<void> {
  await files.row(name).locator('[draggable]').dragTo(files.row(folder).getByRole('gridcell').nth(2))
}

test('moves go on, and ask in their turn, whatever is opened while names are looked at', async ({ files, page }) => {
  const { held, release } = await holdLooks(page)
  for (const name of ['box', 'taken', 'free']) await operate(page, 'mkdir', { folder: files.folder, name })
  await operate(page, 'mkdir', { folder: `${files.folder}/box`, name: 'taken' })
  await page.reload()
  await expect(files.grid).toHaveAttribute('aria-rowcount', '4')
  await dropInto(files, 'box', 'taken')
  await dropInto(files, 'box', 'free')
  await expect.poll(() => held.length).toBe(2)
  await page.keyboard.press('Alt+n')
  await expect(page.getByLabel('Folder name')).toBeFocused()
  await release()
  await expect(files.row('free')).toHaveCount(0)
  await expect(page.getByLabel('Folder name')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep both' }).click()
  await expect(files.row('taken')).toHaveCount(0)
  await files.row('box').getByRole('link').click()
  for (const name of ['taken', 'taken (1)', 'free']) await expect(files.row(name)).toBeVisible()
})

test('whoever leaves the page before the question learns that nothing was moved', async ({ files, page }) => {
  const { held, release } = await holdLooks(page)
  for (const name of ['box', 'taken']) await operate(page, 'mkdir', { folder: files.folder, name })
  await operate(page, 'mkdir', { folder: `${files.folder}/box`, name: 'taken' })
  await page.reload()
  await expect(files.grid).toHaveAttribute('aria-rowcount', '3')
  await dropInto(files, 'box', 'taken')
  await expect.poll(() => held.length).toBe(1)
  await page.getByRole('link', { name: 'Share links' }).click()
  await expect(files.grid).toHaveCount(0)
  await release()
  await expect(page.getByRole('status').filter({ hasText: 'Nothing was moved' })).toBeVisible()
})
