import type { SiteInfo } from '@godwit/contract'
import { withSite } from './answers.ts'
import { expect, signIn, test } from './fixtures.ts'

test('a page that fails to draw offers a refresh, which brings it back', async ({ page, godwit }) => {
  await signIn(page, godwit)
  // What no server sends: the menu cannot be drawn from it.
  await withSite(page, { clientMenuDict: JSON.parse('null') as SiteInfo['clientMenuDict'] })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'This page stopped working' })).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByTestId('toolbar')).toBeVisible()
})
